// Which payment links somebody at the keys may still press a button of: those that are open, and a few that were given up, for a
// payment that comes too late. Learnt from what is told; forgets what is paid.
import type { BenchEvent } from "../events/BenchEvent.ts"

/** So many given up are remembered. */
const REMEMBERED = 50

export class PaymentLinks {
  /** Payment links by quote, oldest first. */
  readonly #open = new Map<string, string>()
  readonly #givenUp = new Map<string, string>()

  hear(event: BenchEvent): void {
    switch (event._tag) {
      case "PaymentLinkReady":
        this.#open.set(event.quoteId, event.paymentUrl)
        break
      case "QuoteAbandoned":
        this.#giveUp(event.quoteId)
        break
      case "QuotePaid":
        this.#open.delete(event.quoteId)
        this.#givenUp.delete(event.quoteId)
        break
    }
  }

  /** Of that quote; without one, of the oldest that is open. */
  linkOf(quoteId: string | null): string | undefined {
    if (quoteId === null) return this.#open.values().next().value
    return this.#open.get(quoteId) ?? this.#givenUp.get(quoteId)
  }

  #giveUp(quoteId: string): void {
    const link = this.#open.get(quoteId)
    this.#open.delete(quoteId)
    if (link === undefined) return
    this.#givenUp.set(quoteId, link)
    const [oldest] = this.#givenUp.keys()
    if (this.#givenUp.size > REMEMBERED && oldest !== undefined) this.#givenUp.delete(oldest)
  }
}
