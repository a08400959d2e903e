// The rows of webhook subscriptions and deliveries that a decision writes.
import { type Books, find } from "#core/decisions/Books.ts"
import type { Delivery } from "#core/domain/Delivery.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { deliveryProgress, versionedDeliveries, versionedSubscriptions } from "../rows/DeliveryRows.ts"
import {
  omitEmpty,
  type RowSet,
  rowsFor,
  splitNewAndChanged,
  versioned,
  type WriteContext,
  withVersion
} from "./WriteContext.ts"

const isDisabled = (books: Books, webhookId: string): boolean =>
  find(books.subscriptions, webhookId)?.health.disabledAtMs != null

/** Endpoints that were switched off or on: to those who queue deliveries, other subscriptions than before. */
const switched = ({ loaded, after, changed: touched }: WriteContext): ReadonlyArray<string> =>
  [...touched.endpoints].filter((id) => isDisabled(loaded.books, id) !== isDisabled(after, id))

/** Subscriptions whose row is written over its version, which nobody then needs to compare. */
export const writtenSubscriptions = (writing: WriteContext): ReadonlySet<string> =>
  new Set([...writing.changed.subscriptions, ...switched(writing)])

export const webhookRows = (writing: WriteContext): RowSet => {
  const { loaded, after, changed: touched, version: stem } = writing
  const { versions } = loaded
  const subscriptions = splitNewAndChanged(writing, (books) => books.subscriptions, writtenSubscriptions(writing))
  const deliveries = splitNewAndChanged(writing, (books) => books.deliveries, touched.deliveries)
  const subscriptionRow = (one: Subscription) =>
    versioned(
      writing,
      versions.subscriptions,
      one.webhookId,
      versionedSubscriptions.row({ ...one, healthVersion: stem })
    )
  const deliveryRow = (one: Delivery) => {
    const { row } = versions.deliveries.has(one.deliveryId) ? deliveryProgress : versionedDeliveries
    return versioned(writing, versions.deliveries, one.deliveryId, row(one))
  }
  const rows = omitEmpty({
    new_subscriptions: subscriptions.fresh.map(subscriptionRow),
    subscriptions: subscriptions.changed.map(subscriptionRow),
    endpoints: rowsFor(after.subscriptions, touched.endpoints).map(({ webhookId, health }) => ({
      webhook_id: webhookId,
      health,
      health_version: stem,
      over: versions.endpoints.get(webhookId) ?? null
    })),
    new_deliveries: deliveries.fresh.map(deliveryRow),
    deliveries: deliveries.changed.map(deliveryRow),
    ended: [...touched.endedSubscriptions, ...switched(writing).filter((id) => isDisabled(after, id))]
  })
  return withVersion(rows, stem)
}
