// Rows of holds, the ledger, payments, orders, links and events, and their conversion to and from the domain. Bindings, holds, orders and
// the ledger are read from views; the first three are written with their quotes.
import { Schema } from "effect"
import { AnchorType, Format, Tier2, targetHost } from "#core/domain/Cart.ts"
import { DAY_MS } from "#core/domain/DecisionContext.ts"
import { EventType } from "#core/domain/Event.ts"
import type { Binding } from "#core/domain/Idempotency.ts"
import { isOnline, type Link, LinkStatus } from "#core/domain/Link.ts"
import { Shelf } from "#core/domain/Shelf.ts"
import type { LedgerEntry } from "#core/domain/Wallet.ts"
import type { WelcomeUse } from "#core/domain/WelcomeUse.ts"
import { Integer, integerOrNull, Mode, Text, table, textOrNull } from "./Table.ts"

export const bindings = table({
  keyId: Text,
  idempotencyKey: Text,
  fingerprint: Text,
  quoteId: Text,
  answerStatus: integerOrNull,
  answerBody: textOrNull,
  boundAtMs: Integer,
  answerFreedAtMs: integerOrNull
})

export const bindingOf = ({
  answerStatus,
  answerBody,
  answerFreedAtMs,
  ...binding
}: typeof bindings.schema.Type): Binding => ({
  ...binding,
  ...(answerFreedAtMs === null ? {} : { freedAtMs: answerFreedAtMs }),
  response: answerStatus === null || answerBody === null ? null : { status: answerStatus, body: answerBody }
})

export const bindingColumns = ({ response, ...binding }: Binding) => ({
  ...binding,
  answerStatus: response?.status ?? null,
  answerBody: response?.body ?? null
})

export const welcomeUses = table({ hostPath: Text, accountId: Text, quoteId: Text, untilMs: integerOrNull })

export const welcomeUseOf = ({ hostPath: path, ...use }: typeof welcomeUses.schema.Type): WelcomeUse => ({
  domain: path.slice(0, -1).split(".").reverse().join("."),
  ...use
})

export const welcomeUseColumns = ({ domain, ...use }: WelcomeUse) => ({ hostPath: hostPath(domain), ...use })

export const holds = table({
  holdId: Text,
  accountId: Text,
  quoteId: Text,
  cents: Integer,
  state: Schema.Literals(["open", "captured", "released"]),
  expiresAtMs: Integer
})

const entry = {
  accountId: Text,
  entryId: Text,
  kind: Schema.Literals(["top_up", "late_payment", "recredit", "adjustment", "hold", "release", "capture"]),
  amountCents: Integer,
  balanceDeltaCents: Integer,
  heldDeltaCents: Integer,
  balanceAfterCents: Integer,
  heldAfterCents: Integer,
  quoteId: textOrNull,
  orderId: textOrNull,
  linkId: textOrNull
}

const bookedAt = { atMs: Integer, reference: textOrNull }

export const ledger = table({ ...entry, ...bookedAt })

export const entryOf = ({ reference, ...entry }: typeof ledger.schema.Type): LedgerEntry =>
  reference === null ? entry : { ...entry, reference }

/** An entry with the hold that it begins or ends: unique indexes on it let each happen only once. */
export interface LedgerEntryWithHold extends LedgerEntry {
  readonly holdId: string | null
}

/** Written only. A settlement is the hold and the capture of one decision. */
export const ledgerRows = table({
  ...entry,
  kind: Schema.Literals([...entry.kind.literals, "settlement"]),
  holdId: textOrNull,
  ...bookedAt,
  capturedAs: textOrNull
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
    rows.push(ledgerRows.values(settlement ?? { ...entry }))
    if (settlement !== null) index++
  }
  return rows
}

export const payments = table({ paymentId: Text, quoteId: Text, amountCents: Integer, currency: Text })

/** Payments that do not fit their quote. */
export const setAside = table({
  paymentId: Text,
  quoteId: Text,
  amountCents: Integer,
  currency: Text,
  reason: Schema.Literals(["amount", "currency", "session"]),
  atMs: Integer,
  outcome: Schema.NullOr(Schema.Literals(["refunded", "credited"]))
})

export const reversals = table({
  reversalId: Text,
  quoteId: Text,
  kind: Schema.Literals(["refund", "dispute"]),
  cents: Integer,
  state: Schema.Literals(["open", "final", "won"]),
  takenBackCents: Integer,
  atMs: Integer
})

export const orders = table({
  orderId: Text,
  quoteId: Text,
  accountId: Text,
  keyId: Text,
  mode: Mode,
  linkIds: Schema.Array(Text),
  totalCents: Integer,
  createdAtMs: Integer
})

const link = {
  linkId: Text,
  orderId: Text,
  quoteId: Text,
  accountId: Text,
  mode: Mode,
  index: Integer,
  siteId: Integer,
  domain: Text,
  shelf: Shelf,
  format: Format,
  articleId: integerOrNull,
  targetUrl: Text,
  anchorText: Text,
  anchorType: AnchorType,
  tier2Links: Tier2,
  projectId: textOrNull,
  opportunityId: textOrNull,
  brief: textOrNull,
  priceCents: Integer,
  netCents: Integer,
  status: LinkStatus,
  statusReason: textOrNull,
  publishedUrl: textOrNull,
  publishedAtMs: integerOrNull,
  history: Schema.Array(
    Schema.Struct({
      status: LinkStatus,
      atMs: Integer,
      refunded: Schema.optionalKey(Schema.Boolean),
      creditedCents: Schema.optionalKey(Integer)
    })
  )
}

export const links = table(link)

/** With the columns that other queries search and count by. */
export const indexedLinks = table({ ...link, hostPath: Text, daysToPublish: Schema.NullOr(Schema.Finite) })

/** `shop.example.com` as `com.example.shop.`: a domain's path is a prefix of the paths of its subdomains, and of no others. */
export const hostPath = (host: string): string =>
  host
    .toLowerCase()
    .split(".")
    .reverse()
    .map((label) => `${label}.`)
    .join("")

const daysToPublish = ({ status, history, publishedAtMs }: Link): number | null => {
  const orderedAtMs = history[0]?.atMs ?? 0
  return isOnline(status) ? ((publishedAtMs ?? orderedAtMs) - orderedAtMs) / DAY_MS : null
}

export const linkColumns = (one: Link) => ({
  ...one,
  hostPath: hostPath(targetHost(one)),
  daysToPublish: daysToPublish(one)
})

/** Written only. */
export const events = table({
  eventId: Text,
  type: EventType,
  mode: Mode,
  keyId: Text,
  accountId: Text,
  orderId: textOrNull,
  linkId: textOrNull,
  body: Text,
  atMs: Integer,
  quoteId: textOrNull
})
