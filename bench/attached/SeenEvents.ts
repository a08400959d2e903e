// What somebody who came later has told already, so that looking twice tells nothing twice. Bounded: what was longest not looked
// at is forgotten first.
import type { BenchEvent } from "../events/BenchEvent.ts"

/** So many quotes, wallets and webhooks, and of each so many things that were told of it. */
const SUBJECTS = 600
const ASPECTS = 500

interface Place {
  readonly subject: string
  /** Which of the things that can be told of it. */
  readonly aspect: string
  /** Worth store again once it is another one. */
  readonly value: string
}

/** `null` for what is always news. */
const placeOf = (event: BenchEvent): Place | null => {
  const once = (subject: string, aspect: string): Place => ({ subject, aspect, value: "" })
  switch (event._tag) {
    case "QuoteOpened":
    case "QuotePaid":
    case "QuoteAbandoned":
    case "QuoteCredited":
    case "OrderPlaced":
      return once(event.quoteId, event._tag)
    case "LinkMoved":
      return once(event.orderId, `${event.linkId} ${event.to}`)
    case "WalletOpened":
      return once(event.accountId, event._tag)
    case "WalletMoved":
      return once(event.accountId, event.entryId)
    case "ActorJoined":
      return once(event.actorId, event._tag)
    case "WebhookAdded":
      return once(event.webhookId, event._tag)
    case "EndpointHealthChanged":
      return { subject: event.webhookId, aspect: event._tag, value: `${event.status} ${event.consecutiveFailures}` }
    case "DeliveryQueued":
      return once(event.webhookId, event.deliveryId)
    case "DeliveryAttempted":
      return once(event.webhookId, `${event.deliveryId} ${event.attempt}`)
    case "FulfilmentSwitched":
      return { subject: event._tag, aspect: event._tag, value: event.fulfilment }
    default:
      return null
  }
}

/** Sets at the end, and drops the oldest of more than `most`. */
const refresh = <A>(map: Map<string, A>, key: string, value: A, most: number): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

export class SeenEvents {
  readonly #told = new Map<string, Map<string, string>>()

  /** Whether it is news; from now on it is not. */
  isNews(event: BenchEvent): boolean {
    const place = placeOf(event)
    if (place === null) return true
    const { subject, aspect, value } = place
    const told = this.#told.get(subject) ?? new Map<string, string>()
    const isNew = told.get(aspect) !== value
    refresh(told, aspect, value, ASPECTS)
    refresh(this.#told, subject, told, SUBJECTS)
    return isNew
  }
}
