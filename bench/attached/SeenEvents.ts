// Remembers which events of an attached deployment were published, so that reading a record twice publishes nothing twice. Bounded:
// forgets what it has not met for longest.

import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"
import type { BenchEvent } from "../events/BenchEvent.ts"

/** Subjects are quotes, orders, wallets, webhooks and actors. */
const MAX_SUBJECTS = 600
const MAX_FACTS_PER_SUBJECT = 500

interface Fact {
  readonly subject: string
  readonly name: string
  /** A fact with another value is new again. */
  readonly value?: string
}

/** `null` for events that are always new. */
const factOf = (event: BenchEvent): Fact | null => {
  switch (event._tag) {
    case "QuoteOpened":
    case "QuoteApproved":
    case "QuotePaid":
    case "QuoteAbandoned":
    case "QuoteCredited":
    case "OrderPlaced":
      return { subject: event.quoteId, name: event._tag }
    case "LinkMoved":
      return { subject: event.orderId, name: `${event.linkId} ${event.to}` }
    case "WalletOpened":
      return { subject: event.accountId, name: event._tag }
    case "WalletMoved":
      return { subject: event.accountId, name: event.entryId }
    case "ActorJoined":
      return { subject: event.actorId, name: event._tag }
    case "WebhookAdded":
      return { subject: event.webhookId, name: event._tag }
    case "EndpointHealthChanged":
      return { subject: event.webhookId, name: event._tag, value: `${event.status} ${event.consecutiveFailures}` }
    case "DeliveryQueued":
      return { subject: event.webhookId, name: event.deliveryId }
    case "DeliveryAttempted":
      return { subject: event.webhookId, name: `${event.deliveryId} ${event.attempt}` }
    case "FulfilmentSwitched":
      return { subject: event._tag, name: event._tag, value: event.fulfilment }
    default:
      return null
  }
}

export class SeenEvents {
  readonly #seen = new BoundedMap<string, BoundedMap<string, string>>(MAX_SUBJECTS)

  /** True the first time. */
  isNew(event: BenchEvent): boolean {
    const fact = factOf(event)
    if (fact === null) return true
    const { subject, name, value = "" } = fact
    const facts = this.#seen.get(subject) ?? new BoundedMap<string, string>(MAX_FACTS_PER_SUBJECT)
    const isNew = facts.get(name) !== value
    this.#seen.set(subject, facts.set(name, value))
    return isNew
  }
}
