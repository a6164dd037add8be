-- Small programs: a JSON writer, a lexer and calculator, word counts, game of life, big numbers, string buffers.
local function json(v, indent)
  indent = indent or ""
  if type(v) == "table" then
    local inner, parts = indent .. "  ", {}
    if #v > 0 then
      for _, x in ipairs(v) do parts[#parts + 1] = inner .. json(x, inner) end
      return "[\n" .. table.concat(parts, ",\n") .. "\n" .. indent .. "]"
    end
    local keys = {}
    for k in pairs(v) do keys[#keys + 1] = k end
    table.sort(keys)
    for _, k in ipairs(keys) do parts[#parts + 1] = ("%s%q: %s"):format(inner, k, json(v[k], inner)) end
    return "{\n" .. table.concat(parts, ",\n") .. "\n" .. indent .. "}"
  end
  return type(v) == "string" and ("%q"):format(v) or tostring(v)
end
print(json { name = "test", list = { 1, 2.5, "three", { deep = true } }, empty = {} })

local function evaluate(text)
  local at = 1
  local expression
  local function skip() at = text:match("^%s*()", at) end
  local function atom()
    skip()
    local number, e = text:match("^(%d+%.?%d*)()", at)
    if number then at = e return tonumber(number) end
    if text:sub(at, at) == "(" then
      at = at + 1
      local v = expression()
      skip()
      assert(text:sub(at, at) == ")", "missing )")
      at = at + 1
      return v
    elseif text:sub(at, at) == "-" then at = at + 1 return -atom() end
    error("unexpected '" .. text:sub(at, at) .. "' at " .. at, 0)
  end
  local function binary(next, ops)
    return function()
      local left = next()
      while true do
        skip()
        local op = ops[text:sub(at, at)]
        if not op then return left end
        at = at + 1
        left = op(left, next())
      end
    end
  end
  local term = binary(atom, { ["*"] = function(a, b) return a * b end, ["/"] = function(a, b) return a / b end })
  expression = binary(term, { ["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end })
  return expression()
end
for _, e in ipairs { "1 + 2 * 3", "(1 + 2) * 3", "-(4 - 10) / 4", "2 * (3 + (4 - 1)) * 5", "1 +", "(1" } do print(e, pcall(evaluate, e)) end

local counts = {}
for w in ([[the cat and the dog and the bird]]):gmatch("%a+") do counts[w] = (counts[w] or 0) + 1 end
local order = {}
for w in pairs(counts) do order[#order + 1] = w end
table.sort(order, function(a, b) return counts[a] > counts[b] or counts[a] == counts[b] and a < b end)
for _, w in ipairs(order) do io.write(w, "=", counts[w], " ") end
print()

local grid, size = {}, 10
for y = 0, size - 1 do grid[y] = {} for x = 0, size - 1 do grid[y][x] = 0 end end
for _, p in ipairs { { 1, 0 }, { 2, 1 }, { 0, 2 }, { 1, 2 }, { 2, 2 } } do grid[p[2]][p[1]] = 1 end
for _ = 1, 8 do
  local new = {}
  for y = 0, size - 1 do
    new[y] = {}
    for x = 0, size - 1 do
      local n = -grid[y][x]
      for dy = -1, 1 do for dx = -1, 1 do n = n + grid[(y + dy) % size][(x + dx) % size] end end
      new[y][x] = (n == 3 or n == 2 and grid[y][x] == 1) and 1 or 0
    end
  end
  grid = new
end
for y = 0, size - 1 do
  local row = {}
  for x = 0, size - 1 do row[#row + 1] = grid[y][x] == 1 and "#" or "." end
  print(table.concat(row))
end

local digits = { 1 }
for n = 2, 60 do
  local carry = 0
  for i = 1, #digits do
    local v = digits[i] * n + carry
    digits[i], carry = v % 10, v // 10
  end
  while carry > 0 do digits[#digits + 1] = carry % 10; carry = carry // 10 end
end
print(string.reverse(table.concat(digits)))
local buffer = {}
for i = 1, 2000 do buffer[#buffer + 1] = i end
print(#table.concat(buffer, " "), #load("return '" .. ("x"):rep(10000) .. "'")())
collectgarbage("step") print(collectgarbage("isrunning"), collectgarbage("count") > 0)
