interface Shape { area(): number; name?: string }
type Pair<T> = { a: T; b: T }
export function sum<T extends Shape>(items: T[], start: { n: number } = { n: 0 }): { n: number } {
  let n = start.n;
  for (const item of items) {
    if (item.area() > 0) n += item.area();
  }
  return { n };
}
export class Box implements Shape {
  constructor(private readonly w: number, private h = 1) { super(); }
  area(): number { return this.w * this.h; }
  get name(): string { return 'box'; }
}
