// The rows of webhook subscriptions and deliveries that a decision writes.
import { type Books, find } from "#core/decisions/Books.ts"
import type { Delivery } from "#core/domain/Delivery.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { guardedDeliveries, guardedSubscriptions, movedDeliveries } from "./rows/DeliveryRows.ts"
import { filled, on, over, type Part, sorted, stemmed, type Writing } from "./Writing.ts"

const isDisabled = (books: Books, webhookId: string): boolean =>
  find(books.subscriptions, webhookId)?.health.disabledAtMs != null

/** Endpoints that were switched off or on: to those who queue deliveries, other subscriptions than before. */
const switched = ({ loaded, after, touched }: Writing): ReadonlyArray<string> =>
  [...touched.endpoints].filter((id) => isDisabled(loaded.books, id) !== isDisabled(after, id))

/** Subscriptions whose row is written over its version, which nobody then needs to compare. */
export const writtenSubscriptions = (writing: Writing): ReadonlySet<string> =>
  new Set([...writing.touched.subscriptions, ...switched(writing)])

export const webhookRows = (writing: Writing): Part => {
  const { loaded, after, touched, stem } = writing
  const { versions } = loaded
  const subscriptions = sorted(writing, (books) => books.subscriptions, writtenSubscriptions(writing))
  const deliveries = sorted(writing, (books) => books.deliveries, touched.deliveries)
  const subscriptionRow = (one: Subscription) =>
    over(writing, versions.subscriptions, one.webhookId, guardedSubscriptions.row({ ...one, healthVersion: stem }))
  const deliveryRow = (one: Delivery) => {
    const { row } = versions.deliveries.has(one.deliveryId) ? movedDeliveries : guardedDeliveries
    return over(writing, versions.deliveries, one.deliveryId, row(one))
  }
  const rows = filled({
    new_subscriptions: subscriptions.fresh.map(subscriptionRow),
    subscriptions: subscriptions.changed.map(subscriptionRow),
    endpoints: on(after.subscriptions, touched.endpoints).map(({ webhookId, health }) => ({
      webhook_id: webhookId,
      health,
      health_version: stem,
      over: versions.endpoints.get(webhookId) ?? null
    })),
    new_deliveries: deliveries.fresh.map(deliveryRow),
    deliveries: deliveries.changed.map(deliveryRow),
    ended: [...touched.ended, ...switched(writing).filter((id) => isDisabled(after, id))]
  })
  return stemmed(rows, stem)
}
