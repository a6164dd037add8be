-- What Lua's interpreter loop does most: arithmetic, tables, calls, strings.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local t = {}
for i = 1, 20000 do t[i] = (i * 7919) % 10007 end
local sum = 0
for round = 1, 10 do
  for i = 1, #t do sum = (sum + t[i] * round) % 1000003 end
end
local words = {}
for i = 1, 2000 do words[#words + 1] = string.format("%d:%s", i, ("x"):rep(i % 7)) end
print(fib(22), sum, #table.concat(words, ","))
