// A map and a set of limited size: when full, a new entry replaces the one that was set longest ago.

const dropOldest = <Key>(entries: { keys(): Iterable<Key>; delete(key: Key): boolean }): void => {
  const [oldest] = entries.keys()
  if (oldest !== undefined) entries.delete(oldest)
}

export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #capacity: number

  constructor(capacity: number) {
    super()
    this.#capacity = capacity
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    if (this.size >= this.#capacity) dropOldest(this)
    return super.set(key, value)
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
