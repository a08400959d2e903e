// A map and a set of limited size: when full, a new entry replaces those that were set longest ago.

const dropOldest = <Key>(entries: { keys(): Iterable<Key>; delete(key: Key): boolean }): void => {
  const [oldest] = entries.keys()
  if (oldest !== undefined) entries.delete(oldest)
}

export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #capacity: number
  readonly #sizeOf: (key: Key, value: Value) => number
  #used = 0

  /** `capacity` bounds the sum of the entries' sizes: by default their number. */
  constructor(capacity: number, sizeOf: (key: Key, value: Value) => number = () => 1) {
    super()
    this.#capacity = capacity
    this.#sizeOf = sizeOf
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    this.#used += this.#sizeOf(key, value)
    super.set(key, value)
    while (this.#used > this.#capacity) dropOldest(this)
    return this
  }

  override delete(key: Key): boolean {
    const value = this.get(key)
    if (value === undefined && !this.has(key)) return false
    // An entry that is there has a value, which may be undefined itself.
    this.#used -= this.#sizeOf(key, value as Value)
    return super.delete(key)
  }

  override clear(): void {
    this.#used = 0
    super.clear()
  }
}

export class BoundedSet<Value> extends Set<Value> {
  readonly #capacity: number

  constructor(capacity: number) {
    super()
    this.#capacity = capacity
  }

  override add(value: Value): this {
    this.delete(value)
    if (this.size >= this.#capacity) dropOldest(this)
    return super.add(value)
  }
}
