// `webhook`: where a key has its events sent, and what became of them.
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { Delivery as DeliveryRecord, Webhook } from "../../records/WatchRecords.ts"
import { openDesk } from "../Desk.ts"
import { answer } from "../Output.ts"
import { pages } from "../Pages.ts"
import { table } from "../Table.ts"
import { count, time, timeOrNone, whole, words } from "../Words.ts"
import { accountArgument, keyArgument, limitFlag, webhookArgument } from "./Parameters.ts"

type Delivery = typeof DeliveryRecord.Type

const webhookColumns = [
  whole<Webhook>("WEBHOOK", ({ webhookId }) => webhookId),
  whole<Webhook>("STATUS", ({ status }) => status),
  count<Webhook>("FAILURES", ({ consecutiveFailures }) => consecutiveFailures),
  words<Webhook>("URL", ({ url }) => url),
  words<Webhook>("EVENTS", ({ events }) => events.join(" ")),
  whole<Webhook>("MADE", ({ createdAtMs }) => time(createdAtMs))
]

const list = Command.make(
  "list",
  { account: accountArgument, key: keyArgument },
  Effect.fnUntraced(function* ({ account: accountId, key: keyId }) {
    const desk = yield* openDesk
    yield* answer(yield* desk.listWebhooks({ accountId, keyId }), (rows, width) => table(webhookColumns, rows, width))
  })
).pipe(Command.withDescription("List the active webhooks that a key made"))

/** What the last attempt met. */
const outcome = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1)
  return last === undefined ? "" : (last.fault ?? String(last.httpStatus ?? ""))
}

const deliveryColumns = [
  whole<Delivery>("DELIVERY", ({ deliveryId }) => deliveryId),
  whole<Delivery>("EVENT", ({ event }) => event),
  whole<Delivery>("STATE", ({ state }) => state),
  count<Delivery>("ATTEMPTS", ({ attempts }) => attempts.length),
  words<Delivery>("LAST", outcome),
  whole<Delivery>("NEXT", ({ nextAttemptAtMs }) => timeOrNone(nextAttemptAtMs)),
  whole<Delivery>("MADE", ({ createdAtMs }) => time(createdAtMs))
]

const deliveries = Command.make(
  "deliveries",
  { account: accountArgument, key: keyArgument, webhook: webhookArgument, limit: limitFlag },
  Effect.fnUntraced(function* ({ account: accountId, key: keyId, webhook: webhookId, limit }) {
    const desk = yield* openDesk
    const rows = yield* pages(limit, (size, beforeId) =>
      desk
        .listDeliveries({ accountId, keyId, webhookId, limit: size, ...(beforeId === null ? {} : { beforeId }) })
        .pipe(Effect.map(({ deliveries, nextBeforeId }) => ({ rows: deliveries, next: nextBeforeId })))
    )
    yield* answer(rows, (found, width) => table(deliveryColumns, found, width))
  })
).pipe(Command.withDescription("List what was sent to a webhook, newest first"))

export const webhookCommand = Command.make("webhook").pipe(
  Command.withDescription("Look at webhooks and what was sent to them"),
  Command.withSubcommands([list, deliveries])
)
