// A queue with shares: each source waits for its own turn and has a bounded number of places, so that one that floods it delays no other. The
// sources take turns. Where all places are taken, the last of the source that has most goes, and so does what a source offers that has most.
import type { ShareBounds } from "./Shares.ts"

export class SharedQueue<A> {
  readonly #bounds: ShareBounds
  /** The source whose turn is next comes first. No list is empty. */
  readonly #waiting = new Map<string, Array<A>>()
  #size = 0

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#size
  }

  /** `false`: it does not wait. */
  offer(source: string, item: A): boolean {
    const own = this.#waiting.get(source) ?? []
    if (own.length >= this.#bounds.perSource) return false
    if (this.#size >= this.#bounds.capacity && !this.#makeRoom(own.length)) return false
    own.push(item)
    this.#waiting.set(source, own)
    this.#size++
    return true
  }

  take(): A | undefined {
    const [next] = this.#waiting
    if (next === undefined) return undefined
    const [source, items] = next
    const item = items.shift()
    this.#waiting.delete(source)
    if (items.length > 0) this.#waiting.set(source, items)
    this.#size--
    return item
  }

  /** Only a source with more than one place above `least` gives one up: otherwise two would take it from each other. */
  #makeRoom(least: number): boolean {
    let most: Array<A> | undefined
    for (const items of this.#waiting.values()) if (items.length > (most?.length ?? 0)) most = items
    if (most === undefined || most.length <= least + 1) return false
    most.pop()
    this.#size--
    return true
  }
}
