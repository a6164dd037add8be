-- Coroutines: generators, passing values both ways, errors inside, wrap, status, close.
local function generate(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i, i * i) end end) end
for i, square in generate(5) do io.write(i, ":", square, " ") end
print()
local co = coroutine.create(function(a, b)
  print("start", a, b)
  local c = coroutine.yield(a + b)
  print("resumed", c)
  local d, e = coroutine.yield(c * 2)
  print("again", d, e)
  return "end", d + e
end)
print(coroutine.status(co), coroutine.resume(co, 1, 2))
print(coroutine.status(co), coroutine.resume(co, 10))
print(coroutine.resume(co, 3, 4))
print(coroutine.status(co), coroutine.resume(co))
local bad = coroutine.create(function() local x = nil; return x.field end)
print(coroutine.resume(bad))
local function permutations(t)
  return coroutine.wrap(function()
    local function go(n)
      if n == 0 then coroutine.yield(table.concat(t)) end
      for i = 1, n do
        t[n], t[i] = t[i], t[n]
        go(n - 1)
        t[n], t[i] = t[i], t[n]
      end
    end
    go(#t)
  end)
end
for p in permutations { "a", "b", "c" } do io.write(p, " ") end
print()
local function producer() return coroutine.create(function() for i = 1, 3 do coroutine.yield("item " .. i) end end) end
local function filter(source) return coroutine.create(function()
  while true do
    local ok, value = coroutine.resume(source)
    if not value then return end
    coroutine.yield(value:upper())
  end
end) end
local f = filter(producer())
while true do
  local ok, value = coroutine.resume(f)
  if not value then break end
  print(value, coroutine.status(f))
end
print(coroutine.isyieldable(), select(2, coroutine.running()))
local inner = coroutine.wrap(function() return pcall(function() coroutine.yield(1); error("inside") end) end)
print(inner(), inner())
local closing = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() print("closed") end }); coroutine.yield() end)
coroutine.resume(closing)
print(coroutine.close(closing), coroutine.status(closing))
local tasks, log = {}, {}
for id = 1, 3 do tasks[id] = coroutine.create(function() for step = 1, id do log[#log + 1] = id .. "." .. step; coroutine.yield() end end) end
while #tasks > 0 do
  for i = #tasks, 1, -1 do
    coroutine.resume(tasks[i])
    if coroutine.status(tasks[i]) == "dead" then table.remove(tasks, i) end
  end
end
print(table.concat(log, " "))
