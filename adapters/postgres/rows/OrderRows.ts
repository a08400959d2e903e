// Rows from quote to published link, and of the money on its way. Where a row is flatter than what it is in the domain, both ways
// between them are here.
import { Schema } from "effect"
import { AnchorType, Format, Tier2, targetHost } from "#core/domain/Cart.ts"
import { EventType } from "#core/domain/Event.ts"
import type { Binding } from "#core/domain/Idempotency.ts"
import { isOnline, type Link, LinkStatus } from "#core/domain/Link.ts"
import { DAY_MS } from "#core/domain/DecisionContext.ts"
import { OrderStatus } from "#core/domain/Order.ts"
import { Shelf } from "#core/domain/Shelf.ts"
import type { LedgerEntry } from "#core/domain/Wallet.ts"
import { Mode, Text, table, textOrNull, Whole, wholeOrNull } from "./Table.ts"

const Item = Schema.Struct({
  siteId: Whole,
  targetUrl: Text,
  anchorText: Text,
  anchorType: AnchorType,
  format: Format,
  articleId: Schema.optionalKey(Whole),
  tier2Links: Tier2,
  projectId: Schema.optionalKey(Text),
  opportunityId: Schema.optionalKey(Text),
  brief: Schema.optionalKey(Text)
})

const Discount = Schema.Struct({
  source: Schema.Literals(["promo", "welcome", "none"]),
  label: Text,
  amountCents: Whole,
  code: Schema.optionalKey(Text),
  considered: Schema.Array(
    Schema.Struct({
      source: Schema.Literals(["promo", "welcome"]),
      code: Schema.optionalKey(Text),
      amountCents: Whole,
      applied: Schema.Boolean
    })
  )
})

const Warning = Schema.Struct({
  code: Schema.Literals(["similar_recent_order", "duplicate_target", "too_many_exact_anchors", "site_already_links"]),
  message: Text
})

export const quotes = table({
  quoteId: Text,
  accountId: Text,
  keyId: Text,
  mode: Mode,
  lines: Schema.Array(Schema.Struct({ item: Item, domain: Text, shelf: Shelf, priceCents: Whole, netCents: Whole })),
  itemsDigest: Text,
  grossCents: Whole,
  discount: Discount,
  totalCents: Whole,
  creditCents: Whole,
  cardCents: Whole,
  holdId: textOrNull,
  warnings: Schema.Array(Warning),
  status: Schema.Literals(["awaiting_payment", "paid", "abandoned"]),
  abandonedBy: Schema.NullOr(Schema.Literals(["human", "agent", "expiry"])),
  orderId: textOrNull,
  creditedCents: Whole,
  idempotencyKey: textOrNull,
  paymentToken: Text,
  paymentUrl: textOrNull,
  sessionId: textOrNull,
  createdAtMs: Whole,
  expiresAtMs: Whole
})

export const bindings = table({
  keyId: Text,
  idempotencyKey: Text,
  fingerprint: Text,
  quoteId: Text,
  answerStatus: wholeOrNull,
  answerBody: textOrNull,
  boundAtMs: Whole
})

export const bindingOf = ({ answerStatus, answerBody, ...binding }: typeof bindings.schema.Type): Binding => ({
  ...binding,
  answer: answerStatus === null || answerBody === null ? null : { status: answerStatus, body: answerBody }
})

export const flatBinding = ({ answer, ...binding }: Binding) => ({
  ...binding,
  answerStatus: answer?.status ?? null,
  answerBody: answer?.body ?? null
})

export const promoUses = table({ code: Text, quoteId: Text, accountId: Text, untilMs: wholeOrNull })

export const holds = table({
  holdId: Text,
  accountId: Text,
  quoteId: Text,
  cents: Whole,
  state: Schema.Literals(["open", "captured", "released"]),
  expiresAtMs: Whole
})

const entry = {
  accountId: Text,
  entryId: Text,
  kind: Schema.Literals(["top_up", "late_payment", "recredit", "hold", "release", "capture"]),
  amountCents: Whole,
  balanceDeltaCents: Whole,
  heldDeltaCents: Whole,
  balanceAfterCents: Whole,
  heldAfterCents: Whole,
  quoteId: textOrNull,
  orderId: textOrNull,
  linkId: textOrNull
}

const bookedAt = { atMs: Whole, reference: textOrNull }

export const ledger = table({ ...entry, ...bookedAt })

export const entryOf = ({ reference, ...entry }: typeof ledger.schema.Type): LedgerEntry =>
  reference === null ? entry : { ...entry, reference }

/** An entry with the hold that it begins or ends, which is what makes each of that happen once. */
export const bookedEntries = table({ ...entry, holdId: textOrNull, ...bookedAt })

export const payments = table({ paymentId: Text, quoteId: Text, amountCents: Whole, currency: Text })

const order = {
  orderId: Text,
  quoteId: Text,
  accountId: Text,
  keyId: Text,
  mode: Mode,
  linkIds: Schema.Array(Text),
  totalCents: Whole,
  createdAtMs: Whole
}

export const orders = table(order)

export const ordersWithStatus = table({
  ...order,
  status: OrderStatus
})

const link = {
  linkId: Text,
  orderId: Text,
  quoteId: Text,
  accountId: Text,
  mode: Mode,
  index: Whole,
  siteId: Whole,
  domain: Text,
  shelf: Shelf,
  format: Format,
  articleId: wholeOrNull,
  targetUrl: Text,
  anchorText: Text,
  anchorType: AnchorType,
  tier2Links: Tier2,
  projectId: textOrNull,
  opportunityId: textOrNull,
  brief: textOrNull,
  priceCents: Whole,
  netCents: Whole,
  status: LinkStatus,
  statusReason: textOrNull,
  publishedUrl: textOrNull,
  publishedAtMs: wholeOrNull,
  history: Schema.Array(Schema.Struct({ status: LinkStatus, atMs: Whole }))
}

export const links = table(link)

/** With what others look them up and count by. */
export const listedLinks = table({ ...link, hostPath: Text, daysToPublish: Schema.NullOr(Schema.Finite) })

/** `shop.example.com` as `com.example.shop.`: the path of a domain begins the path of every name below it, and of no other. */
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

export const flatLink = (one: Link) => ({
  ...one,
  hostPath: hostPath(targetHost(one)),
  daysToPublish: daysToPublish(one)
})

/** Only written. */
export const events = table({
  eventId: Text,
  type: EventType,
  mode: Mode,
  keyId: Text,
  accountId: Text,
  orderId: Text,
  linkId: textOrNull,
  body: Text,
  atMs: Whole
})
