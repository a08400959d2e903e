// `webhook`: subscriptions of a key and their deliveries.
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { Delivery as DeliveryRecord, Webhook } from "#adapters/operator/records/MonitoringRecords.ts"
import type { DeliveryId } from "#core/domain/shared/Ids.ts"
import { idColumn, numberColumn, textColumn, timeText, timeTextOrNone } from "../Columns.ts"
import { withClient } from "../Connect.ts"
import { printResult } from "../Output.ts"
import { printPages } from "../Pages.ts"
import { table } from "../Table.ts"
import { accountArgument, keyArgument, limitFlag, webhookArgument } from "./Parameters.ts"

type Delivery = typeof DeliveryRecord.Type

const webhookColumns = [
  idColumn<Webhook>("WEBHOOK", ({ webhookId }) => webhookId),
  idColumn<Webhook>("STATUS", ({ status }) => status),
  numberColumn<Webhook>("FAILURES", ({ consecutiveFailures }) => consecutiveFailures),
  textColumn<Webhook>("URL", ({ url }) => url),
  textColumn<Webhook>("EVENTS", ({ events }) => events.join(" ")),
  idColumn<Webhook>("MADE", ({ createdAtMs }) => timeText(createdAtMs))
]

const list = Command.make(
  "list",
  { account: accountArgument, key: keyArgument },
  withClient((client, { account: accountId, key: keyId }) =>
    printResult(client.listWebhooks({ accountId, keyId }), (rows, width) => table(webhookColumns, rows, width))
  )
).pipe(Command.withDescription("List the active webhooks of a key"))

/** Result of the last attempt. */
const outcome = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1)
  return last === undefined ? "" : (last.fault ?? String(last.httpStatus ?? ""))
}

const deliveryColumns = [
  idColumn<Delivery>("DELIVERY", ({ deliveryId }) => deliveryId),
  idColumn<Delivery>("EVENT", ({ event }) => event),
  idColumn<Delivery>("STATE", ({ state }) => state),
  numberColumn<Delivery>("ATTEMPTS", ({ attempts }) => attempts.length),
  textColumn<Delivery>("LAST", outcome),
  idColumn<Delivery>("NEXT", ({ nextAttemptAtMs }) => timeTextOrNone(nextAttemptAtMs)),
  idColumn<Delivery>("MADE", ({ createdAtMs }) => timeText(createdAtMs))
]

const deliveries = Command.make(
  "deliveries",
  { account: accountArgument, key: keyArgument, webhook: webhookArgument, limit: limitFlag },
  withClient((client, { account: accountId, key: keyId, webhook: webhookId, limit }) =>
    printPages(deliveryColumns, limit, (size, beforeId: DeliveryId | null) =>
      client
        .listDeliveries({ accountId, keyId, webhookId, limit: size, ...(beforeId === null ? {} : { beforeId }) })
        .pipe(Effect.map(({ deliveries, nextBeforeId }) => ({ rows: deliveries, next: nextBeforeId })))
    )
  )
).pipe(Command.withDescription("List the deliveries of a webhook, newest first"))

export const webhookCommand = Command.make("webhook").pipe(
  Command.withDescription("Webhooks and their deliveries"),
  Command.withSubcommands([list, deliveries])
)
