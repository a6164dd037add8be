-- Errors: pcall, error values of all kinds, levels, xpcall with tracebacks, assert, nested, to-be-closed.
print(pcall(error, "plain"))
print(pcall(error, { code = 7 }) , select(2, pcall(error, { code = 7 })).code)
print(pcall(error), pcall(error, nil), pcall(error, 42))
local function level(n) error("at level " .. n, n) end
print(pcall(level, 1)) print(pcall(level, 0)) print(pcall(function() level(2) end))
print(pcall(function() return 1 + nil end))
print(pcall(function() return {} .. "x" end))
print(pcall(function() return 1 < "x" end))
print(pcall(function() return ("x")() end))
print(pcall(function() local t = {}; t.a.b = 1 end))
print(pcall(function() undefined_function() end))
print(pcall(function() return 1 // 0 end), pcall(function() return 1 % 0 end), 1.0 // 0)
print(pcall(function() return 2^53 | 0.5 end))
print(pcall(function() return math.tointeger("x") end))
print(pcall(string.rep), pcall(setmetatable, 1, {}), pcall(ipairs))
print(select("#", pcall(function() return 1, 2, 3 end)))
print(xpcall(function() error("traced") end, function(m) return "handled " .. m end))
print((xpcall(function(...) return select("#", ...) end, print, 1, 2, 3)))
local ok, message = pcall(assert, false, "assertion") print(ok, message)
print(pcall(assert, nil)) print(pcall(assert, 1, 2))
local function nested()
  local ok, e = pcall(function()
    local ok2, e2 = pcall(error, "inner")
    error("outer after " .. e2, 0)
  end)
  return ok, e
end
print(nested())
do
  local log = {}
  local function closer(name) return setmetatable({}, { __close = function(_, e) log[#log + 1] = name .. ":" .. tostring(e) end }) end
  pcall(function() local a <close> = closer("a"); local b <close> = closer("b"); error("boom", 0) end)
  print(table.concat(log, " "))
end
print(load("x = = 1")) print(load("for")) print(load("return 1 +")) print(load("x = 'unfinished"))
print(load("goto nowhere")) print(load("break")) print(load("local x <const> = 1; x = 2"))
print(pcall(load, nil))
local depth = 0
local function overflow() depth = depth + 1; return 1 + overflow() end
local ok, e = pcall(overflow)
print(ok, e:match("stack overflow"), depth > 1000)
local E = setmetatable({}, { __tostring = function() return "custom error" end })
print(select(2, pcall(error, E)) == E, tostring(E))
warn("@on") warn("a warning")
