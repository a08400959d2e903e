// The delivery attempts in flight of one run: the capacity for more, and when a finished one makes another claim worthwhile. Mutable.
import { Duration } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import { maxConcurrentAttempts } from "#core/domain/webhooks/Delivery.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"

/** Concurrent attempts that are younger than `SLOW_AFTER`. A slow attempt no longer counts, so that it does not block others. */
const MAX_FAST = 256

/** Concurrent attempts in total. A slow attempt costs a connection and nothing else. */
const MAX_TOTAL = 1_024

/** The ended attempts that start another claim after one that took all capacity: each claim scans every waiting endpoint. */
const MIN_CLAIM = 96

export class InFlight {
  static readonly SLOW_AFTER = Duration.millis(250)

  /** Whether the last claim took all the capacity, so that more deliveries may be due. */
  isFull = false
  /** Whether a due delivery may be waiting for the concurrency limit of its endpoint. */
  isBlocked = false

  readonly #perEndpoint: number
  /** In the order of their start. */
  readonly #startedAtMs = new Map<symbol, Millis>()
  readonly #countByEndpoint = new Map<WebhookId, number>()
  #endedSinceClaim = 0

  constructor(perEndpoint: number) {
    this.#perEndpoint = perEndpoint
  }

  capacityAt(nowMs: Millis): number {
    const sinceMs = nowMs - Duration.toMillis(InFlight.SLOW_AFTER)
    let fast = 0
    for (const startedAtMs of this.#startedAtMs.values()) if (startedAtMs > sinceMs) fast++
    return Math.max(0, Math.min(MAX_FAST - fast, MAX_TOTAL - this.#startedAtMs.size))
  }

  recordClaim({ isFull }: { readonly isFull: boolean }): void {
    this.isFull = isFull
    this.#endedSinceClaim = 0
  }

  /** Returns a release to call once when the attempt ends; the release returns whether to claim again now. */
  acquire({ webhookId, health }: Subscription, nowMs: Millis): () => boolean {
    const attempt = Symbol()
    this.#startedAtMs.set(attempt, nowMs)
    if (this.#count(webhookId, 1) >= maxConcurrentAttempts(health, this.#perEndpoint)) this.isBlocked = true
    return () => {
      this.#startedAtMs.delete(attempt)
      this.#count(webhookId, -1)
      this.#endedSinceClaim++
      return this.isBlocked || (this.isFull && this.#endedSinceClaim >= MIN_CLAIM)
    }
  }

  #count(webhookId: WebhookId, change: 1 | -1): number {
    const count = (this.#countByEndpoint.get(webhookId) ?? 0) + change
    if (count > 0) this.#countByEndpoint.set(webhookId, count)
    else this.#countByEndpoint.delete(webhookId)
    return count
  }
}
