// What a webhook missed: the events that a replay delivers.
import { HashMap } from "effect"
import { type Books, find, pick } from "#core/decisions/Books.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Event } from "#core/domain/webhooks/Event.ts"
import { isFor, names, type Subscription } from "#core/domain/webhooks/Subscription.ts"
import { forAccount } from "./AccountSlice.ts"
import { rowsWhere, sorted } from "./Rows.ts"

type ForReplay = Extract<Reads, { readonly _tag: "ForReplay" }>

/** The events that a webhook missed since then, with the deliveries of them that were given up. */
const missedBy = (
  { events, deliveries, freed }: Books,
  subscription: Subscription,
  { fromMs, limit }: ForReplay
): Pick<Books, "events" | "deliveries"> => {
  const { webhookId } = subscription
  const own = new Map(rowsWhere(deliveries, (one) => one.webhookId === webhookId).map((one) => [one.eventId, one]))
  const sinceMs = Math.max(fromMs, subscription.createdAtMs, freed.deliveriesBeforeMs)
  const isMissed = (event: Event): boolean => {
    const { body, atMs, type } = event
    const state = own.get(event.eventId)?.state
    const isLeft = state === undefined || state === "failed" || state === "dropped"
    return isLeft && isFor(subscription, event) && body !== null && atMs >= sinceMs && names(subscription, type)
  }
  const missed = sorted(rowsWhere(events, isMissed), { by: ({ eventId }) => [eventId], limit })
  return {
    events: HashMap.fromIterable(missed.map((event) => [event.eventId, event] as const)),
    deliveries: pick(
      deliveries,
      missed.map(({ eventId }) => own.get(eventId)?.deliveryId)
    )
  }
}

export const forReplay = (books: Books, reads: ForReplay): Partial<Books> => {
  const subscription = find(books.subscriptions, reads.webhookId)
  if (subscription === undefined) return {}
  return { ...forAccount(books, subscription.accountId), ...missedBy(books, subscription, reads) }
}
