import { get } from "./net.js"
const limit = 5
export const load = async (url) => {
  for (let i = 0; i < limit; i++) {
    try {
      return await get(url)
    } catch { continue }
  }
  return undefined
}
class Cache {
  #items = new Map()
  find(key) {
    const found = this.#items.get(key)
    if (found === undefined) { return load(`item/${key}`).then(x => { this.add(key, x, 1); return x }) }
    return found
  }
  add(key, x) { this.#items.set(key, x) }
}
setup()
