// Rows of webhook subscriptions and deliveries that a decision writes.
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

/** Endpoints that were disabled or enabled, which changes what decisions queue for them. */
const switchedEndpoints = ({ loaded, after, changed }: WriteContext): ReadonlyArray<string> =>
  [...changed.endpoints].filter((id) => isDisabled(loaded.books, id) !== isDisabled(after, id))

/** Subscriptions whose row is written over its version, so that it need not be compared, too. */
export const writtenSubscriptions = (write: WriteContext): ReadonlySet<string> =>
  new Set([...write.changed.subscriptions, ...switchedEndpoints(write)])

export const webhookRows = (write: WriteContext): RowSet => {
  const { loaded, after, changed, version } = write
  const { versions } = loaded
  const subscriptions = splitNewAndChanged(write, (books) => books.subscriptions, writtenSubscriptions(write))
  const deliveries = splitNewAndChanged(write, (books) => books.deliveries, changed.deliveries)
  const subscriptionRow = (one: Subscription) =>
    versioned(
      write,
      versions.subscriptions,
      one.webhookId,
      versionedSubscriptions.row({ ...one, healthVersion: version })
    )
  const deliveryRow = (one: Delivery) => {
    const { row } = versions.deliveries.has(one.deliveryId) ? deliveryProgress : versionedDeliveries
    return versioned(write, versions.deliveries, one.deliveryId, row(one))
  }
  const rows = omitEmpty({
    new_subscriptions: subscriptions.fresh.map(subscriptionRow),
    subscriptions: subscriptions.changed.map(subscriptionRow),
    endpoints: rowsFor(after.subscriptions, changed.endpoints).map(({ webhookId, health }) => ({
      webhook_id: webhookId,
      health,
      health_version: version,
      over: versions.endpoints.get(webhookId) ?? null
    })),
    new_deliveries: deliveries.fresh.map(deliveryRow),
    deliveries: deliveries.changed.map(deliveryRow),
    ended: [...changed.endedSubscriptions, ...switchedEndpoints(write).filter((id) => isDisabled(after, id))]
  })
  return withVersion(rows, version)
}
