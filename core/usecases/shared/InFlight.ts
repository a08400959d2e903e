// The attempts in flight of one run: the capacity for more, and when a finished one makes another claim worthwhile. Mutable.
import { Duration } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"

export interface Bounds {
  /** Concurrent attempts that are younger than `SLOW_AFTER`. A slow attempt no longer counts, so that it does not block others. */
  readonly fast: number
  /** Concurrent attempts in total. */
  readonly total: number
  /** The ended attempts that start another claim after one that took all capacity. */
  readonly minClaim: number
}

/** Who receives an item, and how many concurrent attempts this receiver may have. */
export interface Receiver {
  readonly id: string
  readonly max: number
}

export class InFlight {
  static readonly SLOW_AFTER = Duration.millis(250)

  /** Whether the last claim took all the capacity, so that more items may be due. */
  isFull = false
  /** Whether a due item may be waiting for the bound of its receiver. */
  isBlocked = false

  readonly #bounds: Bounds
  /** In the order of their start. */
  readonly #startedAtMs = new Map<symbol, Millis>()
  readonly #countByReceiver = new Map<string, number>()
  #endedSinceClaim = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  capacityAt(nowMs: Millis): number {
    const sinceMs = nowMs - Duration.toMillis(InFlight.SLOW_AFTER)
    let fast = 0
    for (const startedAtMs of this.#startedAtMs.values()) if (startedAtMs > sinceMs) fast++
    return Math.max(0, Math.min(this.#bounds.fast - fast, this.#bounds.total - this.#startedAtMs.size))
  }

  recordClaim({ isFull }: { readonly isFull: boolean }): void {
    this.isFull = isFull
    this.#endedSinceClaim = 0
  }

  /** Returns a release to call once when the attempt ends; the release returns whether to claim again now. */
  acquire({ id, max }: Receiver, nowMs: Millis): () => boolean {
    const attempt = Symbol()
    this.#startedAtMs.set(attempt, nowMs)
    if (this.#count(id, 1) >= max) this.isBlocked = true
    return () => {
      this.#startedAtMs.delete(attempt)
      this.#count(id, -1)
      this.#endedSinceClaim++
      return this.isBlocked || (this.isFull && this.#endedSinceClaim >= this.#bounds.minClaim)
    }
  }

  #count(id: string, change: 1 | -1): number {
    const count = (this.#countByReceiver.get(id) ?? 0) + change
    if (count > 0) this.#countByReceiver.set(id, count)
    else this.#countByReceiver.delete(id)
    return count
  }
}
