// Items that wait, taken in turns of their owners: one of each, in order of arrival among those of one owner.
import { ListNode } from "./ListNode.ts"

/**
 * An item that waits. Linked nodes instead of the entries of a `Set` or `Map`: when those resize, the old table keeps a reference to its
 * successor, and once one of them is in the old generation, minor garbage collections retain every item that was ever in any of them.
 */
export class Waiting<Item> extends ListNode {
  readonly item: Item
  /** Set by the turns while the item is in them. */
  queue: OwnerQueue<Item> | null = null

  constructor(item: Item) {
    super()
    this.item = item
  }
}

/** What waits of one owner. */
class OwnerQueue<Item> extends ListNode {
  readonly owner: string
  /** The oldest; the newest is before it. `null` once nothing waits: the queue itself may be retained as an entry of a `Map`. */
  first: Waiting<Item> | null
  count = 1

  constructor(owner: string, first: Waiting<Item>) {
    super()
    this.owner = owner
    this.first = first
  }
}

export class Turns<Item> {
  readonly #queues = new Map<string, OwnerQueue<Item>>()
  /** The queue whose turn is next. */
  #next: OwnerQueue<Item> | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The first item of an owner gives it the last of the turns. */
  add(owner: string, item: Item): Waiting<Item> {
    const waiting = new Waiting(item)
    const queue = this.#queues.get(owner)
    if (queue?.first == null) this.#addQueue(owner, waiting)
    else {
      waiting.queue = queue
      waiting.insertBefore(queue.first)
      queue.count++
    }
    this.#size++
    return waiting
  }

  /** Takes the oldest item of the owner whose turn it is. */
  take(): Item | undefined {
    const queue = this.#next
    const first = queue?.first
    if (queue === null || first == null) return undefined
    this.#next = queue.next
    this.remove(first)
    return first.item
  }

  /** Whether it was still waiting. */
  remove(waiting: Waiting<Item>): boolean {
    const { queue } = waiting
    if (queue === null) return false
    if (queue.count === 1) this.#removeQueue(queue)
    else if (queue.first === waiting) queue.first = waiting.next
    queue.count--
    waiting.unlink()
    waiting.queue = null
    this.#size--
    return true
  }

  #addQueue(owner: string, first: Waiting<Item>): void {
    const queue = new OwnerQueue(owner, first)
    first.queue = queue
    this.#queues.set(owner, queue)
    if (this.#next === null) this.#next = queue
    else queue.insertBefore(this.#next)
  }

  #removeQueue(queue: OwnerQueue<Item>): void {
    this.#queues.delete(queue.owner)
    if (this.#next === queue) this.#next = queue.next === queue ? null : queue.next
    queue.unlink()
    queue.first = null
  }
}
