// The payment links that the person at the keys may still use: those of open quotes, and the last abandoned ones, for payments that
// come too late.

import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import type { BenchEvent } from "../events/BenchEvent.ts"

const MAX_ABANDONED = 50

export class PaymentLinks {
  /** Links by quote, oldest first. */
  readonly #open = new Map<string, string>()
  readonly #abandoned = new BoundedMap<string, string>(MAX_ABANDONED)

  handle(event: BenchEvent): void {
    switch (event._tag) {
      case "PaymentLinkReady":
        this.#open.set(event.quoteId, event.paymentUrl)
        break
      case "QuoteAbandoned": {
        const link = this.#open.get(event.quoteId)
        this.#open.delete(event.quoteId)
        if (link !== undefined) this.#abandoned.set(event.quoteId, link)
        break
      }
      case "QuotePaid":
        this.#open.delete(event.quoteId)
        this.#abandoned.delete(event.quoteId)
        break
    }
  }

  /** `null` stands for the oldest open quote. */
  linkOf(quoteId: QuoteId | null): string | undefined {
    if (quoteId === null) return this.#open.values().next().value
    return this.#open.get(quoteId) ?? this.#abandoned.get(quoteId)
  }
}
