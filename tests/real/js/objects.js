// Classes, private fields, getters, proxies, generators, destructuring, exceptions.
class Account {
  #balance = 0;
  constructor(owner) { this.owner = owner; }
  get balance() { return this.#balance; }
  deposit(amount) {
    if (amount <= 0) throw new RangeError(`bad amount ${amount}`);
    this.#balance += amount;
    return this;
  }
  static of(...names) { return names.map((name) => new Account(name)); }
}
class Savings extends Account {
  #rate;
  constructor(owner, rate) { super(owner); this.#rate = rate; }
  grow(years) { return this.balance * (1 + this.#rate) ** years; }
}
const [ann, bob] = Account.of("Ann", "Bob");
print(ann.deposit(5).deposit(7).balance, bob.balance, new Savings("C", 0.05).deposit(100).grow(10));
try { bob.deposit(-1); } catch (error) { print(error.name, error.message, error instanceof RangeError); }

function* walk(tree) {
  if (!tree) return;
  yield* walk(tree.left);
  yield tree.key;
  yield* walk(tree.right);
}
let tree = null;
const insert = (node, key) => !node ? { key } : key < node.key
  ? { ...node, left: insert(node.left, key) } : { ...node, right: insert(node.right, key) };
for (const key of [50, 20, 70, 10, 30, 60, 80]) tree = insert(tree, key);
print([...walk(tree)]);

const log = [];
const watched = new Proxy({}, {
  get: (target, key) => { log.push(`get ${String(key)}`); return target[key]; },
  set: (target, key, value) => { log.push(`set ${String(key)}`); target[key] = value; return true; },
});
watched.a = 1;
watched.b = watched.a + 1;
print(log, Reflect.ownKeys({ z: 1, 2: 0, a: 1 }));
const { a = 5, c: { d = 6 } = {}, ...rest } = { x: 1, y: 2 };
print(a, d, JSON.stringify(rest), rest?.q?.r ?? "none");
label: for (let i = 0; ; i++)
  for (let j = 0; j < 3; j++) {
    if (j === i) continue label;
    if (i === 2) break label;
    print(i, j);
  }
function depth(n) { return n === 0 ? 0 : 1 + depth(n - 1); }
print(depth(100));
try { (function endless() { endless(); })(); } catch (error) { print(error.name); }
try { null.field; } catch (error) { print(error.name, error.message); }
