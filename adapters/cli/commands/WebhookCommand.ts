// `webhook`: subscriptions of a key and their deliveries.
import { Delivery, Webhook } from "#adapters/operator/records/MonitoringRecords.ts"
import { command, group, pages, tableOf } from "../CallCommand.ts"
import { columns, number, text } from "../Columns.ts"

const webhookColumns = columns(Webhook, {
  WEBHOOK: "webhookId",
  STATUS: "status",
  FAILURES: "consecutiveFailures",
  URL: text("url"),
  EVENTS: text("events"),
  MADE: "createdAtMs"
})

/** Result of the last attempt. */
const outcome = ({ attempts }: typeof Delivery.Type): string | number | null => {
  const last = attempts.at(-1)
  return last === undefined ? null : (last.fault ?? last.httpStatus)
}

const deliveryColumns = columns(Delivery, {
  DELIVERY: "deliveryId",
  EVENT: "event",
  STATE: "state",
  ATTEMPTS: number(({ attempts }) => attempts.length),
  LAST: text(outcome),
  NEXT: "nextAttemptAtMs",
  MADE: "createdAtMs"
})

export const webhookCommand = group("webhook", "Webhooks and their deliveries", [
  command("list", "listWebhooks", { about: "List the active webhooks of a key", says: tableOf(webhookColumns) }),
  pages("deliveries", "listDeliveries", {
    about: "List the deliveries of a webhook, newest first",
    columns: deliveryColumns
  })
])
