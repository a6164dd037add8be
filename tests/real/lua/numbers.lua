-- Integer and float arithmetic: division, modulo, overflow, bit operations, conversion, math.
print(7 // 2, -7 // 2, 7 // -2, 7 % 3, -7 % 3, 7 % -3, 7.5 // 2, -7.5 % 2, 5.3 % -2)
print(7 / 2, 6 / 2, 2 ^ 10, 2 ^ 0.5, 10 // 0.0, -10 % math.huge, 0/0 ~= 0/0)
print(math.maxinteger + 1 == math.mininteger, math.mininteger // -1, math.maxinteger * 2)
print(1 << 62, 1 << 63, 1 << 64, -1 >> 1, -1 >> 63, 5 & 3, 5 | 3, 5 ~ 3, ~5, 3.0 | 0)
print(0x7fffffffffffffff, 0xffffffffffffffff, 9223372036854775807, 9223372036854775808, 1e308 * 10)
print(math.tointeger(3.0), math.tointeger(3.5), math.tointeger("8"), 3 | 0, 2^31 | 0)
print(math.floor(3.7), math.floor(-3.7), math.ceil(3.2), math.ceil(-3.2), math.floor(1e20))
print(math.max(1, 5, 3), math.min(2.5, 1), math.abs(-5), math.abs(math.mininteger), math.fmod(-7, 3), math.fmod(7, -3.5))
print(math.modf(3.7), math.modf(-3.7), math.modf(5), math.modf(1/0))
print(math.sqrt(2), math.pi, math.exp(1), math.log(10), math.log(8, 2), math.log(1000, 10))
print(math.sin(1), math.cos(1), math.tan(1), math.asin(0.5), math.acos(0.5), math.atan(1, 2))
print(math.ult(1, -1), 1 < 1.5, 2^53 == 2^53 + 1, math.maxinteger + 0.0 == math.maxinteger, math.maxinteger < math.huge)
print(1 == 1.0, math.type(2^53), 1e15 // 1, 3 % math.mininteger, 0x.8p1, 0xA.8, 1e-5, .5)
print(string.format("%.14g %.17g", 0.1, 0.1), 100000000000000, 1e14, 123456.789e3)
for i = 3, 1, -1 do io.write(i, " ") end
for x = 0, 1, 0.25 do io.write(x, " ") end
for i = math.maxinteger - 1, math.maxinteger do io.write(i, " ") end
for i = 1, 0 do io.write("never") end
print()
print(pcall(function() for i = 1, 10, 0 do end end))
local function gcd(a, b) return b == 0 and a or gcd(b, a % b) end
print(gcd(1071, 462), gcd(2^40 | 0, 6^10 | 0))
local primes, n = {}, 2
while #primes < 25 do
  local prime = true
  for _, p in ipairs(primes) do if p * p > n then break elseif n % p == 0 then prime = false break end end
  if prime then primes[#primes + 1] = n end
  n = n + 1
end
print(table.concat(primes, " "))
local x = 1.0
for _ = 1, 20 do x = (x + 2 / x) / 2 end
print(string.format("%.15f", x))
print(tostring(-0.0), 0.0 == -0.0, 1 / -0.0, 5 // -0.0, "10" / 2, "3" * "4", 10 .. "")
print(#tostring(math.random(100)) > 0, pcall(math.random, 0, -1))
math.randomseed(42) local r1 = math.random(1000000) math.randomseed(42) print(r1 == math.random(1000000), r1)
