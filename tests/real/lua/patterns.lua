-- Pattern matching: find, match, gmatch, gsub with strings, tables and functions.
print(("hello world"):find("wor"), ("hello world"):find("o", 6), ("a.b"):find(".", 1, true), ("abc"):find("x"))
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
print(("2024-02-29"):match("(%d+)-(%d+)-(%d+)"))
for word in ("the quick brown fox"):gmatch("%a+") do io.write(word, ";") end
print()
for k, v in ("a=1, b=22, c=333"):gmatch("(%w+)=(%w+)") do io.write(k, "->", v, " ") end
print()
print(("hello"):gsub("l", "L"), ("hello"):gsub("l", "L", 1), ("abc"):gsub("%w", "%0%0"), ("abc"):gsub("", "-"))
print(("$name is $age"):gsub("%$(%w+)", { name = "Ann", age = 30 }))
print(("1 2 3"):gsub("%d", function(d) return d * 2 end))
print(("f(a(b)c)d"):match("%b()"), ("[[x]]"):match("%[%[(.-)%]%]"))
print(("THE (quick) fox"):find("%((%a+)%)"), ("x"):match("()"), ("xyz"):match("y()"))
print(("  trim  "):match("^%s*(.-)%s*$") .. "|")
print(("hello hello"):match("(%w+) %1"), ("THE END"):gsub("%f[%a]%a", string.lower))
print(("a,b,,c"):gsub(",", ";"), #("a,b,,c"):gsub("[^,]", ""))
print(("%d"):gsub("%%d", "%%"), ("x^2"):gsub("%^", "**"))
print(("abc123def"):match("%a+(%d+)%a+"), ("foo.bar"):match("^(.-)%.(.*)$"))
print(("\0a\0"):find("%z"), ("äb"):match("[\128-\255]+") == "ä")
print(("aaa"):find("a-", 2), ("aaa"):match("a-$"), ("aXb"):match("%u"), ("a_b"):match("[_%a]+"), ("a]b"):match("[]]"))
print(pcall(string.match, "a", "[a"), pcall(string.gsub, "a", "(", ""), pcall(string.rep))
local function split(s, sep)
  local out = {}
  for piece in (s .. sep):gmatch("(.-)" .. sep:gsub("%p", "%%%0")) do out[#out + 1] = piece end
  return out
end
print(table.concat(split("a.b..c", "."), "|"))
local csv = 'one,"two, with comma",three,"with ""quotes"""'
local fields, at = {}, 1
while at <= #csv do
  local quoted, e = csv:match('^"(.-)"(),?', at)
  while quoted and csv:sub(e, e) == '"' do
    local more, e2 = csv:match('^"(.-)"()', e)
    quoted, e = quoted .. '"' .. more, e2
  end
  if quoted then at = e + 1 else quoted, at = csv:match("^([^,]*),?()", at) end
  fields[#fields + 1] = quoted
end
print(#fields, table.concat(fields, " / "))
