// Strings, Unicode, regular expressions, JSON, dates.
print("2024-01-31 and 1999-12-25".replace(/(\d{4})-(\d\d)-(?<day>\d\d)/g, "$<day>.$2.$1"));
print(/(?<=a)b+?/.exec("aabbb").index, [..."k=v; x=yy".matchAll(/(\w)=(\w+)/g)].map((m) => m[2]));
print(/^\p{Lu}\p{Ll}*$/u.test("Étude"), "aBc".replace(/[a-z]/gi, (c) => c + c), "a1b22".split(/\d+/));
print([..."a😀é"].length, "a😀".length, "ß".toUpperCase(), "\u0041\u030a".normalize("NFC").length);
print("abc".padStart(6, "*"), " x ".trim() + "|", "abc".at(-1), "xyz".codePointAt(1), "na".repeat(3));
print(encodeURIComponent("é & €"), decodeURIComponent("%E2%82%AC"), escape("ü"));
const text = JSON.stringify({ list: [1, -0, 1e300, null, "q\"\n\u2028"], nested: { t: true } }, null, 1);
print(text, JSON.stringify(JSON.parse(text, (key, value) => typeof value === "number" ? value + 1 : value)));
try { JSON.parse('{"a": [1, }'); } catch (error) { print(error.name); }
print(new Date(0).toISOString(), new Date(Date.UTC(2024, 1, 29, 12, 30)).toUTCString());
print(Date.parse("2020-01-01T00:00:00Z"), new Date(2e12).getUTCDay());
const counts = new Map();
for (const word of "the cat and the dog and the bird".split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
print([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([w, n]) => `${w}:${n}`));
