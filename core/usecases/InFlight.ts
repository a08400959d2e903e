// The attempts that one engine has under way: how much room is left for more, and when one that ends is worth another claim.
// Mutable, and belongs to one run of the engine; it sends nothing itself.
import { Duration } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { maxConcurrentAttempts } from "#core/domain/Delivery.ts"
import type { Subscription } from "#core/domain/Subscription.ts"

/** Attempts that may be young at once. One that takes longer gives its place to another and is waited for on the side. */
const MAX_FAST = 128

/** And in all. Those on the side cost a connection each and nothing else. */
const MAX_TOTAL = 1_024

/** How much room is worth a claim while there is none at all: each looks at every endpoint in waiting. */
const BATCH = 48

export class InFlight {
  static readonly SLOW_AFTER = Duration.millis(250)

  /** Whether the last claim took all the room there was, so that more may be due. */
  isFull = false
  /** Whether something due may be waiting for a place at its endpoint. */
  isBlocked = false

  readonly #perEndpoint: number
  /** When each began, in that order. */
  readonly #beganAtMs = new Map<symbol, Millis>()
  readonly #ofEndpoint = new Map<string, number>()
  #endedSinceFull = 0

  constructor(perEndpoint: number) {
    this.#perEndpoint = perEndpoint
  }

  capacityAt(nowMs: Millis): number {
    const sinceMs = nowMs - Duration.toMillis(InFlight.SLOW_AFTER)
    let young = 0
    for (const beganAtMs of this.#beganAtMs.values()) if (beganAtMs > sinceMs) young++
    return Math.max(0, Math.min(MAX_FAST - young, MAX_TOTAL - this.#beganAtMs.size))
  }

  recordClaim({ isFull }: { readonly isFull: boolean }): void {
    this.isFull = isFull
    this.#endedSinceFull = 0
  }

  /** The way out, to be called once: tells whether to claim again now. */
  acquire({ webhookId, health }: Subscription, nowMs: Millis): () => boolean {
    const place = Symbol()
    this.#beganAtMs.set(place, nowMs)
    if (this.#count(webhookId, 1) >= maxConcurrentAttempts(health, this.#perEndpoint)) this.isBlocked = true
    return () => {
      this.#beganAtMs.delete(place)
      this.#count(webhookId, -1)
      this.#endedSinceFull++
      return this.isBlocked || (this.isFull && this.#endedSinceFull >= BATCH)
    }
  }

  #count(webhookId: string, change: 1 | -1): number {
    const there = (this.#ofEndpoint.get(webhookId) ?? 0) + change
    if (there > 0) this.#ofEndpoint.set(webhookId, there)
    else this.#ofEndpoint.delete(webhookId)
    return there
  }
}
