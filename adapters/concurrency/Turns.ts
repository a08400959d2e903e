// Items that wait, taken in turns of their owners: one of each, in order of arrival among those of one owner.
import { ListNode } from "./ListNode.ts"

/**
 * An item that waits. Linked nodes instead of the entries of a `Set` or `Map`: when those resize, the old table keeps a reference to its
 * successor, and once one of them is in the old generation, minor garbage collections retain every item that was ever in any of them.
 */
export class Waiting<Item> extends ListNode {
  readonly item: Item
  /** Set by the turns while the item is in them. */
  line: Line<Item> | null = null

  constructor(item: Item) {
    super()
    this.item = item
  }
}

/** What waits of one owner. */
class Line<Item> extends ListNode {
  readonly owner: string
  /** The oldest; the newest is before it. `null` once nothing waits: the line itself may be retained as an entry of a `Map`. */
  first: Waiting<Item> | null
  count = 1

  constructor(owner: string, first: Waiting<Item>) {
    super()
    this.owner = owner
    this.first = first
  }
}

export class Turns<Item> {
  readonly #lines = new Map<string, Line<Item>>()
  /** The line whose turn is next. */
  #next: Line<Item> | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The first item of an owner gives it the last of the turns. */
  add(owner: string, item: Item): Waiting<Item> {
    const waiting = new Waiting(item)
    const line = this.#lines.get(owner)
    if (line?.first == null) this.#addLine(owner, waiting)
    else {
      waiting.line = line
      waiting.insertBefore(line.first)
      line.count++
    }
    this.#size++
    return waiting
  }

  /** Takes the oldest item of the owner whose turn it is. */
  take(): Item | undefined {
    const line = this.#next
    const first = line?.first
    if (line === null || first == null) return undefined
    this.#next = line.next
    this.remove(first)
    return first.item
  }

  /** Whether it was still waiting. */
  remove(waiting: Waiting<Item>): boolean {
    const { line } = waiting
    if (line === null) return false
    if (line.count === 1) this.#removeLine(line)
    else if (line.first === waiting) line.first = waiting.next
    line.count--
    waiting.unlink()
    waiting.line = null
    this.#size--
    return true
  }

  #addLine(owner: string, first: Waiting<Item>): void {
    const line = new Line(owner, first)
    first.line = line
    this.#lines.set(owner, line)
    if (this.#next === null) this.#next = line
    else line.insertBefore(this.#next)
  }

  #removeLine(line: Line<Item>): void {
    this.#lines.delete(line.owner)
    if (this.#next === line) this.#next = line.next === line ? null : line.next
    line.unlink()
    line.first = null
  }
}
