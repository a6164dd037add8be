-- goto, varargs, multiple assignment, numeric and generic loops, repeat, integer division of work.
for i = 1, 3 do
  for j = 1, 3 do
    if j == 2 then goto continue end
    io.write(i, ",", j, " ")
    ::continue::
  end
end
print()
do local i = 1 ::top:: if i <= 3 then io.write(i, " ") i = i + 1 goto top end print() end
local function count(...) return select("#", ...) end
print(count(), count(nil), count(nil, nil), count(1, nil, 3))
local function tail(_, ...) return ... end
print(tail(1, 2, 3), (tail(1, 2, 3)))
local function sum(...) local s = 0 for _, v in ipairs({ ... }) do s = s + v end return s, ... end
print(sum(1, 2, 3))
print(select(-1, 1, 2, 3), select(2, "a", "b", "c"))
local a, b, c = (function() return 1, 2 end)()
print(a, b, c)
local x, y = 1, 2
x, y = y, x
print(x, y)
local t = { 1, 2 }
local i = 1
i, t[i] = i + 1, 20
print(i, t[1], t[2])
local n = 0
repeat local done = n >= 3; n = n + 1 until done
print(n)
local r = {}
for k, v in next, { 5, 6, 7 } do r[#r + 1] = k .. "=" .. v end
print(table.concat(r, " "))
print(nil == false, not nil, 1 and 2, nil and 1, false or "x", nil or false, 1 == 1 and "yes" or "no")
local function f() return 1, 2, 3 end
print(({ f() })[1] == nil, #{ f() }, #{ f(), f() }, #{ (f()) })
print((f()))
print(type(print), type(nil), type({}), type("x"), type(2), type(f))
local function sieve(limit)
  local composite, out = {}, {}
  for p = 2, limit do
    if not composite[p] then
      out[#out + 1] = p
      for m = p * p, limit, p do composite[m] = true end
    end
  end
  return out
end
print(#sieve(2000), table.concat(sieve(50), ","))
local function queens(size)
  local found, columns = 0, {}
  local function place(row)
    if row > size then found = found + 1 return end
    for c = 1, size do
      local safe = true
      for q = 1, row - 1 do
        if columns[q] == c or math.abs(columns[q] - c) == row - q then safe = false break end
      end
      if safe then columns[row] = c; place(row + 1) end
    end
  end
  place(1)
  return found
end
print(queens(6), queens(7))
print(string.format("%s %s", ...))
