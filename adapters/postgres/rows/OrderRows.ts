// Tables of holds, the ledger, payments, orders, links and events. Bindings, holds and orders are written with their quotes, and read
// from views.
import { Schema, SchemaGetter } from "effect"
import { orderedAtMs } from "#core/domain/ordering/DueDate.ts"
import { Binding } from "#core/domain/ordering/Idempotency.ts"
import { isOnline, Link } from "#core/domain/ordering/Link.ts"
import { Order } from "#core/domain/ordering/Order.ts"
import { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { Payment } from "#core/domain/ordering/Quote.ts"
import { Reversal } from "#core/domain/ordering/Reversal.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import { WelcomeUse } from "#core/domain/pricing/WelcomeUse.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Hold } from "#core/domain/wallet/Hold.ts"
import { CREDIT_KINDS, LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { EventType, OrderEvent } from "#core/domain/webhooks/Event.ts"
import { byAccountNo } from "./AccountRows.ts"
import { storedTable } from "./StoredTable.ts"
import { table } from "./Table.ts"

const bindingsWith = (boundScope: (alias: string) => string) =>
  table(Binding.fields, {
    columns: {
      response: { status: "answerStatus", body: "answerBody" },
      boundAtMs: "createdAtMs",
      freedAtMs: "answerFreedAtMs"
    },
    derived: {
      ...byAccountNo,
      boundScope,
      answerBody: (alias) => `stored_text(${alias}.answer_body, ${alias}.quote_id)`
    }
  })

/** Columns of the quote. */
export const bindings = bindingsWith((alias) => `${alias}.bound_scope`)

/** The view of a caller `u`: what another credential bound before step 056 is bound in the account, too. */
export const bindingsSeen = bindingsWith(
  (alias) => `CASE WHEN ${alias}.key_id = u.key_id THEN ${alias}.bound_scope ELSE 'account' END`
)

/** `shop.example.com` as `com.example.shop.`: a domain's path is a prefix of the paths of its subdomains, and of no others. */
export const hostPath = (host: string): string =>
  host
    .toLowerCase()
    .split(".")
    .reverse()
    .map((label) => `${label}.`)
    .join("")

const HostPath = Schema.String.pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((path) => path.slice(0, -1).split(".").reverse().join(".")),
    encode: SchemaGetter.transform(hostPath)
  })
)

export const welcomeUses = storedTable(
  "welcome_uses",
  { ...WelcomeUse.fields, domain: HostPath },
  { columns: { domain: "hostPath" } }
)

export const holds = table(Hold.fields, { derived: byAccountNo })

/** Kinds of entries. */
export const CREDITS = `('${CREDIT_KINDS.join("', '")}')`

/** Written with the hold that an entry begins or ends: unique indexes on it let each happen only once. */
export const ledger = storedTable("ledger", LedgerEntry.fields, { derived: byAccountNo })

export const payments = storedTable("payments", Payment.fields)

/** Payments that do not fit their quote. */
export const setAside = storedTable("payments_set_aside", PaymentSetAside.fields)

export const reversals = storedTable("reversals", Reversal.fields)

export const orders = table(Order.fields, { derived: byAccountNo })

/** Written with the columns that other queries search and count by. */
export const links = storedTable("links", Link.fields, { derived: byAccountNo })

/** SQL for when a link is due, as `dueAtMs` of the core says it; null where its quote promised nothing. */
export const dueAtMs = (alias: string): string =>
  `((${alias}.history -> 0 ->> 'atMs')::bigint + ${alias}.turnaround_days::bigint * ${DAY_MS})`

const daysToPublish = (link: Link): number | null => {
  const began = orderedAtMs(link)
  return isOnline(link.status) ? ((link.publishedAtMs ?? began) - began) / DAY_MS : null
}

export const linkColumns = (one: Link) => ({
  ...one,
  hostPath: hostPath(targetHost(one)),
  daysToPublish: daysToPublish(one)
})

/** Written only. Events of quotes have the same columns. */
export const events = storedTable("events", OrderEvent.fields)

/** Events of orders and of quotes, as they are read. */
export const raisedEvents = table(
  { ...OrderEvent.fields, type: EventType, orderId: Schema.NullOr(OrderId), quoteId: Schema.NullOr(QuoteId) },
  { derived: byAccountNo }
)
