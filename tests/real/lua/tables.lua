-- Tables: arrays, holes, insertion, removal, moving, length, nested, integer and float keys, next after changes.
local t = { 10, 20, 30, nil, 50, x = 1, ["two words"] = 2, [1.0] = "replaced?" }
print(t[1], t[2], t[5], t.x, t["two words"])
local a = {}
for i = 1, 20 do a[i] = i * i end
table.insert(a, 1, "front") table.insert(a, "back")
print(#a, a[1], a[2], a[#a], table.remove(a, 1), table.remove(a), #a, table.remove({}))
print(table.concat(table.move({ 1, 2, 3 }, 1, 3, 3, { 9, 9 }), ","))
print(select("#", table.unpack({ 1, nil, 3 }, 1, 3)), (table.unpack({ 7, 8 })))
local keys = {}
for k in pairs { a = 1, b = 2, c = 3, [1] = 4, [2.5] = 5, [true] = 6 } do keys[#keys + 1] = tostring(k) end
table.sort(keys)
print(table.concat(keys, " "))
local m = {}
m[1] = "int" m[1.0] = "float is int" m[2^53] = "large"
print(m[1], m[2^53 | 0], #m, rawlen(m), rawget(m, 1), rawequal(m, m))
local sum, n = 0, 0
for i, v in ipairs { 1, 2, 3, nil, 5 } do sum = sum + v; n = i end
print(sum, n)
local queue = { first = 1, last = 0 }
for i = 1, 100 do queue.last = queue.last + 1; queue[queue.last] = i end
local total = 0
while queue.first <= queue.last do
  total = total + queue[queue.first]
  queue[queue.first] = nil
  queue.first = queue.first + 1
end
print(total, next(queue) ~= nil)
local big = {}
for i = 1, 1000 do big["k" .. i] = i end
for i = 1, 1000, 2 do big["k" .. i] = nil end
local count, s = 0, 0
for _, v in pairs(big) do count = count + 1; s = s + v end
print(count, s)
local matrix = {}
for i = 1, 5 do matrix[i] = {} for j = 1, 5 do matrix[i][j] = i * j end end
local trace = 0
for i = 1, 5 do trace = trace + matrix[i][i] end
print(trace, #matrix, #matrix[3])
local function deep(v) if type(v) ~= "table" then return v end local c = {} for k, x in pairs(v) do c[k] = deep(x) end return c end
local copy = deep(matrix)
copy[1][1] = 99
print(matrix[1][1], copy[1][1], next({}), type(next))
print(#"", #{ n = 1 }, #{ 1, 2, nil }, pcall(function() local x; return #x end))
print(pcall(rawset, {}, nil, 1), pcall(next, {}, "missing"))
