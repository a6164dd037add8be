-- Closures: counters, shared upvalues, loops that capture, recursion through locals.
local function counter(step)
  local n = 0
  return function() n = n + step; return n end, function() return n end
end
local up, get = counter(3)
up() up()
print(get(), up(), get())

local functions = {}
for i = 1, 5 do functions[i] = function() i = i + 10; return i end end
for i = 1, 5 do io.write(functions[i](), " ", functions[i](), " ") end
print()

local function compose(...)
  local fs = {...}
  return function(...)
    local r = table.pack(...)
    for i = #fs, 1, -1 do r = table.pack(fs[i](table.unpack(r, 1, r.n))) end
    return table.unpack(r, 1, r.n)
  end
end
print(compose(function(x) return x * 2 end, function(x, y) return x + y end)(3, 4))

local fib
do
  local memo = {}
  function fib(n)
    if n < 2 then return n end
    local known = memo[n]
    if not known then known = fib(n - 1) + fib(n - 2); memo[n] = known end
    return known
  end
end
print(fib(80))

local function Y(f)
  return (function(x) return x(x) end)(function(x) return f(function(...) return x(x)(...) end) end)
end
print(Y(function(self) return function(n) return n == 0 and 1 or n * self(n - 1) end end)(20))

local function curry(f, n)
  if n == 1 then return f end
  return function(a) return curry(function(...) return f(a, ...) end, n - 1) end
end
print(curry(function(a, b, c) return a .. b .. c end, 3)("x")("y")("z"))
