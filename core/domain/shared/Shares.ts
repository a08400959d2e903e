// Places that are shared out: so many in all, and so many for each source, so that one that floods takes none from the others.

export interface ShareBounds {
  readonly capacity: number
  readonly perSource: number
}

export class Shares {
  readonly #bounds: ShareBounds
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds
  }

  /** `false` where all places, or those of this source, are taken. */
  take(source: string): boolean {
    const own = this.#taken.get(source) ?? 0
    if (own >= this.#bounds.perSource || this.#total >= this.#bounds.capacity) return false
    this.#taken.set(source, own + 1)
    this.#total++
    return true
  }

  giveBack(source: string): void {
    const own = this.#taken.get(source) ?? 0
    if (own === 0) return
    if (own === 1) this.#taken.delete(source)
    else this.#taken.set(source, own - 1)
    this.#total--
  }
}
