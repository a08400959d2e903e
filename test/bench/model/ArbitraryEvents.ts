// Arbitrary events: repeated, late, about unknown ids, in the order of time. The model must take any of them.
import fc from "fast-check"
import type { BenchEvent, LinkSummary } from "#bench/events/BenchEvent.ts"
import { LinkStatus } from "#core/domain/ordering/Link.ts"
import {
  AccountId,
  DeliveryId,
  EntryId,
  EventId,
  InvoiceId,
  LinkId,
  OrderId,
  PaymentId,
  QuoteId,
  WebhookId
} from "#core/domain/shared/Ids.ts"

const oneOf = <const A extends ReadonlyArray<unknown>>(...values: A) => fc.constantFrom<A[number]>(...values)

const few = (prefix: string, max: number) => fc.integer({ min: 1, max: max }).map((number) => `${prefix}${number}`)

const cents = fc.integer({ min: 0, max: 100_000 })
const quoteId = few("q_", 4).map((id) => QuoteId.make(id))
const accountId = few("acc_", 3).map((id) => AccountId.make(id))
const webhookId = few("wh_", 2).map((id) => WebhookId.make(id))
const eventId = few("evt_", 4).map((id) => EventId.make(id))
const status = fc.constantFrom(...LinkStatus.literals)
const mode = oneOf("live", "sandbox")

/** An order's number is its quote's, as in real ids of one purchase. */
const orderOf = (quote: string): string => quote.replace("q_", "ord_")
const linksOf = (quote: string): ReadonlyArray<LinkSummary> =>
  [1, 2].map((number) => ({
    linkId: LinkId.make(`${quote}/${number}`),
    domain: `site-${number}.example`,
    shelf: "Corail",
    anchorText: "tools",
    netCents: 1_500,
    status: "to_assign"
  }))

type Payload = BenchEvent extends infer Event ? (Event extends BenchEvent ? Omit<Event, "atMs"> : never) : never

const quoteOpened = fc.record({ quoteId, accountId, mode, cents, awaitsApproval: fc.boolean() }).map(
  ({ cents, ...ids }): Payload => ({
    _tag: "QuoteOpened",
    ...ids,
    idempotencyKey: null,
    grossCents: cents,
    discountCents: 0,
    discountLabel: "",
    totalCents: cents,
    creditCents: 0,
    cardCents: cents,
    expiresAtMs: 86_400_000,
    lines: [{ domain: "site-1.example", shelf: "Corail", priceCents: cents }]
  })
)

const orderPlaced = fc.record({ quoteId, accountId, mode, totalCents: cents }).map(
  (payload): Payload => ({
    _tag: "OrderPlaced",
    ...payload,
    orderId: OrderId.make(orderOf(payload.quoteId)),
    links: linksOf(payload.quoteId)
  })
)

const linkMoved = fc.record({ quoteId, number: oneOf(1, 2), from: status, to: status }).map(
  ({ quoteId, number, from, to }): Payload => ({
    _tag: "LinkMoved",
    orderId: OrderId.make(orderOf(quoteId)),
    linkId: LinkId.make(`${quoteId}/${number}`),
    from,
    to,
    reason: null,
    publishedUrl: null,
    orderStatus: "paid"
  })
)

const documentIssued = fc.record({ quoteId, number: oneOf(1, 2), isNote: fc.boolean(), totalCents: cents }).map(
  ({ quoteId, number, isNote, totalCents }): Payload => ({
    _tag: "DocumentIssued",
    invoiceId: InvoiceId.make(`${isNote ? "crn" : "inv"}_${quoteId}${number}`),
    orderId: OrderId.make(orderOf(quoteId)),
    kind: isNote ? "credit_note" : "invoice",
    number: `2026-00000${number}`,
    totalCents
  })
)

const walletMoved = fc
  .record({ accountId, quoteId: fc.option(quoteId), entry: fc.nat(30), balanceCents: cents, amountCents: cents })
  .map(
    ({ entry, quoteId, balanceCents, ...payload }): Payload => ({
      _tag: "WalletMoved",
      ...payload,
      entryId: EntryId.make(`led_${entry}`),
      kind: "hold",
      heldDeltaCents: 0,
      balanceCents,
      heldCents: 0,
      availableCents: balanceCents,
      quoteId,
      orderId: null,
      linkId: null
    })
  )

const delivery = fc.record({ webhookId, eventId, event: oneOf("order.accepted", "order.published") })

const attempted = fc.record({ delivery, attempt: fc.integer({ min: 1, max: 14 }), works: fc.boolean() }).map(
  ({ delivery, attempt, works }): Payload => ({
    _tag: "DeliveryAttempted",
    deliveryId: DeliveryId.make(`dlv_${delivery.eventId}`),
    ...delivery,
    attempt,
    httpStatus: works ? 200 : 500,
    fault: works ? null : "http_status",
    state: works ? "delivered" : "pending",
    nextAttemptAtMs: null
  })
)

const payload: fc.Arbitrary<Payload> = fc.oneof(
  quoteOpened,
  orderPlaced,
  linkMoved,
  linkMoved,
  documentIssued,
  walletMoved,
  attempted,
  quoteId.map((id): Payload => ({ _tag: "QuotePaid", quoteId: id, orderId: OrderId.make(orderOf(id)) })),
  fc
    .record({ quoteId, by: oneOf("human", "agent", "expiry"), declinedReason: oneOf(null, "", "no") })
    .map((given): Payload => ({ _tag: "QuoteAbandoned", ...given })),
  quoteId.map((id): Payload => ({ _tag: "QuoteApproved", quoteId: id, expiresAtMs: 172_800_000 })),
  fc
    .record({ quoteId, paymentId: few("pay_", 3).map((id) => PaymentId.make(id)), amountCents: cents })
    .map((paid): Payload => ({ _tag: "PaymentArrived", ...paid })),
  accountId.map((id): Payload => ({ _tag: "WalletOpened", accountId: id, name: id })),
  few("actor_", 3).map(
    (actorId): Payload => ({
      _tag: "ActorJoined",
      actorId,
      kind: "agent",
      name: actorId,
      accountId: null,
      mode: null
    })
  ),
  few("actor_", 3).map((actorId): Payload => ({ _tag: "ActionBegan", actorId, action: "orders" })),
  webhookId.map(
    (id): Payload => ({
      _tag: "WebhookAdded",
      webhookId: WebhookId.make(id),
      accountId: AccountId.make("acc_1"),
      url: "https://a.example",
      events: []
    })
  ),
  delivery.map(
    (payload): Payload => ({
      _tag: "DeliveryQueued",
      deliveryId: DeliveryId.make(`dlv_${payload.eventId}`),
      ...payload,
      dueAtMs: 0
    })
  ),
  fc.boolean().map((up): Payload => ({ _tag: "ProcessorChanged", up }))
)

/** Up to `max` events, a second or less apart. */
export const anyEvents = (max: number): fc.Arbitrary<ReadonlyArray<BenchEvent>> =>
  fc.array(fc.record({ payload, later: fc.nat(1_000) }), { maxLength: max, size: "max" }).map((list) => {
    let atMs = 0
    return list.map(({ payload, later }): BenchEvent => {
      atMs += later
      return { ...payload, atMs }
    })
  })
