-- Metatables: operators, index and newindex, calls, comparison, length, inheritance, weak tables.
local V = {}
V.__index = V
local function vec(x, y) return setmetatable({ x = x, y = y }, V) end
V.__add = function(a, b) return vec(a.x + b.x, a.y + b.y) end
V.__sub = function(a, b) return vec(a.x - b.x, a.y - b.y) end
V.__mul = function(a, b) if type(a) == "number" then return vec(a * b.x, a * b.y) elseif type(b) == "number" then return b * a end return a.x * b.x + a.y * b.y end
V.__unm = function(a) return vec(-a.x, -a.y) end
V.__eq = function(a, b) return a.x == b.x and a.y == b.y end
V.__lt = function(a, b) return a.x < b.x end
V.__le = function(a, b) return a.x <= b.x end
V.__tostring = function(a) return "(" .. a.x .. "," .. a.y .. ")" end
V.__len = function() return 2 end
V.__concat = function(a, b) return tostring(a) .. tostring(b) end
V.__call = function(self, k) return self[k] end
V.__div = function(a, b) return vec(a.x / b, a.y / b) end
V.__idiv = function(a, b) return vec(a.x // b, a.y // b) end
V.__mod = function(a, b) return vec(a.x % b, a.y % b) end
V.__pow = function(a, b) return vec(a.x ^ b, a.y ^ b) end
V.__band = function(a, b) return "band" end
V.__shl = function(a, b) return "shl" end
V.__bnot = function(a) return "bnot" end
local a, b = vec(1, 2), vec(3, 4)
print(tostring(a + b), tostring(a - b), a * b, tostring(2 * a), tostring(a * 2), tostring(-a))
print(a == b, a == vec(1, 2), a ~= b, a < b, a <= b, a > b, #a, a .. b, a .. "!", a("x"))
print(tostring(b / 2), tostring(b // 2), tostring(b % 2), tostring(a ^ 2), a & 1, 1 << a, ~a)
local log = {}
local proxy = setmetatable({}, {
  __index = function(_, k) log[#log + 1] = "get " .. tostring(k); return k end,
  __newindex = function(t, k, v) log[#log + 1] = "set " .. tostring(k); rawset(t, k, v) end,
})
local _ = proxy.a, proxy[1]
proxy.b = 2
_ = proxy.b
print(table.concat(log, ", "))
local Animal = {} Animal.__index = Animal
function Animal.new(name) return setmetatable({ name = name }, Animal) end
function Animal:speak() return self.name .. " makes a sound" end
local Dog = setmetatable({}, { __index = Animal }) Dog.__index = Dog
function Dog.new(name) return setmetatable(Animal.new(name), Dog) end
function Dog:speak() return Animal.speak(self) .. ": woof" end
print(Animal.new("cat"):speak(), Dog.new("rex"):speak(), getmetatable(Dog.new("x")) == Dog)
local defaults = setmetatable({}, { __index = function(t, k) local v = k * k; t[k] = v; return v end })
print(defaults[7], rawget(defaults, 7), rawget(defaults, 8))
print(getmetatable(setmetatable({}, { __metatable = "locked" })), pcall(setmetatable, setmetatable({}, { __metatable = 1 }), {}))
for k, v in setmetatable({}, { __pairs = false }) and pairs(setmetatable({}, { __pairs = function() return function(_, k) if not k then return 1, "paired" end end, nil, nil end })) do print(k, v) end
local weak = setmetatable({}, { __mode = "k" })
do local key = {}; weak[key] = 1; key = nil end
collectgarbage()
print(next(weak))
local finalised = 0
for _ = 1, 3 do setmetatable({}, { __gc = function() finalised = finalised + 1 end }) end
collectgarbage() collectgarbage()
print(finalised, getmetatable("").__index == string, ("x"):rep(2))
