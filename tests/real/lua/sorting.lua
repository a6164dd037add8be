-- Sorting with comparators, of numbers, strings and records; invalid order functions.
local seed = 42
local function random(n) seed = (seed * 1103515245 + 12345) % 2147483648; return seed % n end
local v = {}
for i = 1, 300 do v[i] = random(1000) end
table.sort(v)
local ok = true
for i = 2, #v do ok = ok and v[i - 1] <= v[i] end
print(ok, v[1], v[150], v[300])
table.sort(v, function(a, b) return a > b end)
print(v[1], v[150], v[300])
local words = {}
for w in ("pear apple fig banana cherry date elderberry grape Apple"):gmatch("%a+") do words[#words + 1] = w end
table.sort(words)
print(table.concat(words, " "))
table.sort(words, function(a, b) return a:lower() < b:lower() or a:lower() == b:lower() and a < b end)
print(table.concat(words, " "))
table.sort(words, function(a, b) if #a ~= #b then return #a < #b end return a < b end)
print(table.concat(words, " "))
local people = {}
for i = 1, 50 do people[i] = { name = "p" .. random(100), age = random(60), id = i } end
table.sort(people, function(a, b)
  if a.age ~= b.age then return a.age < b.age end
  return a.id < b.id
end)
for i = 1, 50, 7 do io.write(people[i].name, ":", people[i].age, ":", people[i].id, " ") end
print()
print(pcall(table.sort, { 3, "x", 1 }))
print(pcall(table.sort, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, function() return true end))
local function merge_sort(t, less)
  if #t < 2 then return t end
  local left, right = {}, {}
  for i, x in ipairs(t) do if i <= #t // 2 then left[#left + 1] = x else right[#right + 1] = x end end
  left, right = merge_sort(left, less), merge_sort(right, less)
  local out, i, j = {}, 1, 1
  while i <= #left or j <= #right do
    if j > #right or i <= #left and not less(right[j], left[i]) then out[#out + 1] = left[i]; i = i + 1
    else out[#out + 1] = right[j]; j = j + 1 end
  end
  return out
end
print(table.concat(merge_sort({ 5, 2, 9, 1, 5, 6 }, function(a, b) return a < b end), " "))
