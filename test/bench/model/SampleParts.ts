// The ids, links and builders of the sample events.
import type { ActorKind, BenchEvent, LinkSummary } from "#bench/events/BenchEvent.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import {
  AccountId,
  DeliveryId,
  type EntryId,
  EventId,
  LinkId,
  OrderId,
  QuoteId,
  WebhookId
} from "#core/domain/shared/Ids.ts"

/** Noon on a day in May. */
export const NOON = Date.UTC(2026, 4, 4, 12)

export const seconds = (count: number): number => NOON + count * 1_000

export const link = (number: number, domain: string, shelf: LinkSummary["shelf"], netCents: number): LinkSummary => ({
  linkId: LinkId.make(`lnk_01jt9m8x00k3v7q2h5n1c4d6a${number}`),
  domain,
  shelf,
  anchorText: "spring garden tools",
  netCents,
  status: "to_assign"
})

export const garden = link(1, "garden-weekly.example", "Corail", 1_200)
export const rail = link(2, "narrow-gauge.example", "Nautilus", 2_400)
export const bakery = link(3, "sourdough-notes.example", "Plancton", 400)

export const ADA = AccountId.make("acc_ada")
export const WEBHOOK = WebhookId.make("wh_1")
export const FIRST_DELIVERY = DeliveryId.make("dlv_1")
export const FIRST = {
  quoteId: QuoteId.make("q_01jt9m8x00aaaaaaaaaaaa3f7k00"),
  orderId: OrderId.make("ord_01jt9m8x05bbbbbbbbbbb9c2m00")
}
export const SECOND = {
  quoteId: QuoteId.make("q_01jt9m8x09ccccccccccc7t1p00"),
  orderId: OrderId.make("ord_01jt9m8x11ddddddddddd2w8v00")
}
export const THIRD = { quoteId: QuoteId.make("q_test_01jt9m8x20eeeeeeeeeee5h4n00") }

export const ACCEPTED = {
  webhookId: WEBHOOK,
  eventId: EventId.make("evt_01jt9m8x05bbbbbbbbbbb4q6r01"),
  event: "order.accepted"
} as const

export const wallet = (
  at: number,
  entryId: EntryId,
  kind: Extract<BenchEvent, { _tag: "WalletMoved" }>["kind"],
  amountCents: number,
  [balanceCents, heldCents]: readonly [number, number],
  about: { readonly quoteId: QuoteId; readonly orderId?: OrderId; readonly linkId?: LinkId } | null
): BenchEvent => ({
  _tag: "WalletMoved",
  atMs: seconds(at),
  accountId: ADA,
  entryId,
  kind,
  amountCents,
  heldDeltaCents: kind === "hold" ? amountCents : kind === "capture" || kind === "release" ? -amountCents : 0,
  balanceCents,
  heldCents,
  availableCents: balanceCents - heldCents,
  quoteId: about?.quoteId ?? null,
  orderId: about?.orderId ?? null,
  linkId: about?.linkId ?? null
})

export const moves = (
  at: number,
  { linkId }: LinkSummary,
  [from, to]: readonly [LinkSummary["status"], LinkSummary["status"]],
  publishedUrl: string | null = null
): BenchEvent => ({
  _tag: "LinkMoved",
  atMs: seconds(at),
  orderId: FIRST.orderId,
  linkId,
  from,
  to,
  reason: to === "cancelled" ? "the buyer changed their mind" : null,
  publishedUrl,
  orderStatus: "in_progress"
})

export const joins = (actorId: string, kind: ActorKind, name: string, mode: Mode): BenchEvent => ({
  _tag: "ActorJoined",
  atMs: NOON,
  actorId,
  kind,
  name,
  accountId: AccountId.make(`acc_${actorId}`),
  mode
})

export const quote = (
  at: number,
  [quoteId, accountId, mode]: readonly [string, string, Mode],
  idempotencyKey: string | null,
  price: { readonly gross: number; readonly discount: number; readonly credit: number },
  links: ReadonlyArray<LinkSummary>
): BenchEvent => ({
  _tag: "QuoteOpened",
  atMs: seconds(at),
  quoteId: QuoteId.make(quoteId),
  accountId: AccountId.make(accountId),
  mode,
  idempotencyKey,
  grossCents: price.gross,
  discountCents: price.discount,
  discountLabel: price.discount === 0 ? "" : "welcome offer 20 %",
  totalCents: price.gross - price.discount,
  creditCents: price.credit,
  cardCents: price.gross - price.discount - price.credit,
  expiresAtMs: NOON + 86_400_000,
  awaitsApproval: false,
  lines: links.map(({ domain, shelf }) => ({ domain, shelf, priceCents: 1_500 }))
})
