// Floats and their texts, big integers, typed arrays, sorting, promises.
print(0.1 + 0.2, 1 / 3, 1e21, 5e-324, 1.7976931348623157e308, -0, 2 ** 53 + 1, 0xff, 1_000);
print((255).toString(2), (0.1).toString(3), (1234.5678).toFixed(2), (1.234e-6).toExponential(2), (123.456).toPrecision(4));
print(parseFloat("3.14abc"), parseInt("zz", 36), Number(""), Number("0b101"), Number("1e1000"), +"x");
print(Math.hypot(3, 4), Math.fround(0.1), Math.clz32(5), Math.imul(0xffffffff, 5), Math.cbrt(27), Math.sign(-3));
print(Math.round(-0.5), Math.round(2.5), Math.trunc(-4.7), 7 % -3, -7 % 3, 5 / 0, (-8) >>> 28, 1 << 31);
let product = 1n;
for (let i = 1n; i <= 40n; i++) product *= i;
print(product, product / 12345678901234567890n, product % 1000007n, -7n / 2n, (2n ** 130n).toString(36), BigInt.asIntN(8, 200n));
const bytes = new Uint8Array(new Float64Array([Math.PI]).buffer);
print(bytes, new Uint8ClampedArray([300, -5, 1.5]), new DataView(bytes.buffer).getInt16(2));
const primes = [];
for (let i = 2; primes.length < 100; i++) if (primes.every((p) => i % p)) primes.push(i);
print(primes.slice(-5), primes.reduce((a, b) => a + b), [3, 20, 100].sort(), [3, 20, 100].sort((a, b) => b - a));
print([1, [2, [3, [4]]]].flat(Infinity), Array.from({ length: 4 }, (_, i) => i * i), [1, 2, 3].includes(NaN));
const later = (value) => new Promise((resolve) => resolve(value));
(async () => {
  let sum = 0;
  for (const part of [later(1), 2, later(3)]) sum += await part;
  print("sum", sum);
  try { await Promise.reject(new Error("no")); } catch (error) { print("caught", error.message); }
  print((await Promise.allSettled([later(1), Promise.reject(2)])).map((r) => r.status));
})();
print("first");
