-- String functions and formatting.
print(("abc"):rep(3, "-"), ("hello"):sub(2, -2), ("hello"):sub(-3), ("x"):rep(0) == "")
print(("hello"):byte(1, -1))
print(string.char(72, 101, 108, 108, 111), #"a\0b", ("a\0b"):byte(2))
print(("Hello World"):upper(), ("Hello World"):lower(), ("abc"):reverse(), ("äöü"):len())
for _, f in ipairs { "%d", "%5d", "%-5d|", "%05d", "%+d", "%x", "%X", "%o", "%c" } do
  io.write(string.format(f, 65), " ")
end
print()
for _, f in ipairs { "%f", "%.3f", "%e", "%.10g", "%g", "%10.2f", "%a" } do
  io.write(string.format(f, 1 / 3), " ", string.format(f, 1e100), " ", string.format(f, -0.5), "\n")
end
print(string.format("%s %s %s %10s|%-10s|%.2s", nil, true, 12, "right", "left", "cut"))
print(string.format("%q", 'a "quoted"\n\\ string\0\1end'), string.format("%q %q", 1 / 3, 255))
print(string.format("%i %u", 3.0, 7), string.format("%%"), string.format("%-20s]", "x"))
print(1, 1.0, -0.0, 1e15, 1e16, 2^53, 2^63, 1e100, 0.1, 1/0, -1/0, 3 // 2, 3.0 // 2)
print(10 == 10.0, "10" == 10, "10" + 5, "0x10" + 0, "1e1" * 1, 10 .. 20)
print(tostring(1e15), tostring(123456789012345678), tostring(2^31 | 0))
print(tonumber("  12  "), tonumber("0x1p4"), tonumber("12a"), tonumber("ff", 16), tonumber("zz", 36), tonumber("8", 8))
print(math.type(1), math.type(1.0), math.type("1"))
print(#string.format("%99.99f", 1e99))
print(pcall(string.format, "%d", 1.5))
print(pcall(string.rep, "x", -1))
print(("x"):rep(10, ","), table.concat({ 1, 2, 3 }, ", "), table.concat({}, "x"), table.concat({ "a", "b", "c" }, "", 2, 3))
print("a" < "b", "a" < "B", "" < "a", "abc" < "abd", "Z" < "a", "a\0b" < "a\0c")
print(utf8.char(228, 8364, 128512), utf8.len("äöü€"), utf8.codepoint("€", 1))
for p, c in utf8.codes("aä€") do io.write(p, ":", c, " ") end
print()
print(("%d items"):format(3), #("\u{10FFFF}"), "\x41\65\z
       continued", 'single\'s', [[long
string]], [==[with ]] inside]==])
local packed = string.pack("<i4 >I2 z s1 d", -2, 65535, "zero", "len", 1.5)
print(#packed, string.unpack("<i4 >I2 z s1 d", packed))
