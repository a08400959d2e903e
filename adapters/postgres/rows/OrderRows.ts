// Tables of holds, the ledger, payments, orders, links and events. Bindings, holds, orders and the ledger are read from views; the first
// three are written with their quotes.
import { Schema, SchemaGetter } from "effect"
import { Binding } from "#core/domain/ordering/Idempotency.ts"
import { isOnline, Link } from "#core/domain/ordering/Link.ts"
import { Order } from "#core/domain/ordering/Order.ts"
import { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { Payment } from "#core/domain/ordering/Quote.ts"
import { Reversal } from "#core/domain/ordering/Reversal.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import { WelcomeUse } from "#core/domain/pricing/WelcomeUse.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { CREDIT_KINDS, Hold, LedgerEntry } from "#core/domain/wallet/Wallet.ts"
import { OrderEvent } from "#core/domain/webhooks/Event.ts"
import { byAccountNo } from "./AccountRows.ts"
import { Digest } from "./QuoteRows.ts"
import { table } from "./Table.ts"

export const bindings = table(
  { ...Binding.fields, fingerprint: Digest },
  {
    columns: { response: { status: "answerStatus", body: "answerBody" }, freedAtMs: "answerFreedAtMs" }
  }
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

export const welcomeUses = table({ ...WelcomeUse.fields, domain: HostPath }, { columns: { domain: "hostPath" } })

export const holds = table(Hold.fields, { derived: byAccountNo })

/** Kinds of entries. */
export const CREDITS = `('${CREDIT_KINDS.join("', '")}')`

export const ledger = table(LedgerEntry.fields, { derived: byAccountNo })

/** An entry with the hold that it begins or ends: unique indexes on it let each happen only once. */
export type LedgerEntryWithHold = LedgerEntry & { readonly holdId: string | null }

/** As entries are written. A settlement is the hold and the capture of one decision. */
export const ledgerRows = table(LedgerEntry.fields, {
  listed: [
    ...["accountId", "entryId", "kind", "amountCents", "balanceDeltaCents", "heldDeltaCents", "balanceAfterCents"],
    ...["heldAfterCents", "quoteId", "orderId", "linkId", "holdId", "atMs", "reference", "capturedAs"]
  ]
})

/** The row from which the view `ledger` derives the two entries, or `null` if it would derive others. */
const settlementOf = (hold: LedgerEntryWithHold, capture: LedgerEntryWithHold | undefined) => {
  if (hold.kind !== "hold" || capture?.kind !== "capture") return null
  const idPrefix = hold.entryId.slice("led_".length, -2)
  const isDerived =
    hold.entryId === `led_${idPrefix}02` &&
    capture.entryId.slice(0, -2) === `led_${idPrefix}` &&
    hold.holdId === `hld_${idPrefix}01` &&
    capture.holdId === hold.holdId &&
    hold.quoteId === `q_${idPrefix}00` &&
    capture.quoteId === hold.quoteId &&
    capture.orderId === `ord_${idPrefix}03` &&
    capture.accountId === hold.accountId &&
    capture.amountCents === hold.amountCents &&
    capture.balanceAfterCents === hold.balanceAfterCents - hold.amountCents &&
    capture.heldAfterCents === hold.heldAfterCents - hold.amountCents &&
    capture.atMs === hold.atMs
  if (!isDerived) return null
  const { accountId, amountCents, balanceDeltaCents, balanceAfterCents, heldAfterCents, atMs } = capture
  const { entryId } = hold
  const amounts = { amountCents, balanceDeltaCents, heldDeltaCents: 0, balanceAfterCents, heldAfterCents }
  return { accountId, entryId, kind: "settlement", ...amounts, atMs, capturedAs: capture.entryId.slice(-2) }
}

/** New entries in their order, as lists for writing. */
export const ledgerRowsOf = (entries: ReadonlyArray<LedgerEntryWithHold>) => {
  const rows: Array<ReturnType<typeof ledgerRows.values>> = []
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]
    if (entry === undefined) continue
    const settlement = settlementOf(entry, entries[index + 1])
    rows.push(ledgerRows.values(settlement ?? entry))
    if (settlement !== null) index++
  }
  return rows
}

export const payments = table(Payment.fields)

/** Payments that do not fit their quote. */
export const setAside = table(PaymentSetAside.fields)

export const reversals = table(Reversal.fields)

export const orders = table(Order.fields, { derived: byAccountNo })

/** SQL for the history of a link, which is not stored until the link moves. */
export const historyOf = (alias: string): string =>
  `history_of(${alias}.history, ${alias}.status, ${alias}.ordered_at_ms)`

/** Written with the columns that other queries search and count by. */
export const links = table(Link.fields, {
  derived: { ...byAccountNo, history: historyOf },
  listed: [...Object.keys(Link.fields), "hostPath", "daysToPublish", "orderedAtMs"]
})

const daysToPublish = ({ status, history, publishedAtMs }: Link): number | null => {
  const orderedAtMs = history[0]?.atMs ?? 0
  return isOnline(status) ? ((publishedAtMs ?? orderedAtMs) - orderedAtMs) / DAY_MS : null
}

export const linkColumns = (one: Link) => ({
  ...one,
  hostPath: hostPath(targetHost(one)),
  daysToPublish: daysToPublish(one)
})

/** When the order was placed, if the history follows from it and the status as the SQL function `history_of` says; otherwise `null`. */
const orderedAtMs = ({ status, history }: Link): number | null => {
  const [ordered] = history
  if (ordered === undefined || (status !== "to_assign" && status !== "assigned")) return null
  const stages = status === "to_assign" ? ["to_assign"] : ["to_assign", "assigned"]
  const follows =
    history.length === stages.length &&
    history.every(
      (step, index) => step.status === stages[index] && step.atMs === ordered.atMs && step.refunded !== true
    )
  return follows ? ordered.atMs : null
}

/** The row of a new link, without the history if it follows from the rest. */
export const newLinkColumns = (one: Link) => {
  const atMs = orderedAtMs(one)
  return { ...linkColumns(one), orderedAtMs: atMs, history: atMs === null ? one.history : null }
}

/** Written only. Events of quotes have the same columns. */
export const events = table(OrderEvent.fields, {
  listed: ["eventId", "type", "mode", "keyId", "accountId", "orderId", "linkId", "body", "atMs", "quoteId"]
})
