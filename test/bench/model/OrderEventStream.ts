// The events of one order after another: half of them paid and published, half of them abandoned.
import type { BenchEvent } from "#bench/events/BenchEvent.ts"
import {
  AccountId,
  DeliveryId,
  EntryId,
  EventId,
  LinkId,
  OrderId,
  QuoteId,
  WebhookId
} from "#core/domain/shared/Ids.ts"
import { NOON } from "./SampleParts.ts"

const ACCOUNTS = 200

/** Ids are as long as real ones. */
const idsOf = (number: number) => {
  const suffix = String(number).padStart(28, "0")
  const account = String(number % ACCOUNTS).padStart(4, "0")
  return {
    suffix,
    quoteId: QuoteId.make(`q_${suffix}`),
    orderId: OrderId.make(`ord_${suffix}`),
    linkId: LinkId.make(`lnk_${suffix}`),
    accountId: AccountId.make(`acc_${account}`),
    actorId: `agent_${account}`
  }
}

const openedBy = (number: number, atMs: number): ReadonlyArray<BenchEvent> => {
  const { suffix, quoteId, accountId, actorId } = idsOf(number)
  return [
    { _tag: "ActorJoined", atMs, actorId, kind: "agent", name: actorId, accountId, mode: "live" },
    { _tag: "ActionBegan", atMs, actorId, action: "orders 1 link" },
    {
      _tag: "QuoteOpened",
      atMs,
      quoteId,
      accountId,
      mode: "live",
      idempotencyKey: suffix,
      grossCents: 500,
      discountCents: 0,
      discountLabel: "",
      totalCents: 500,
      creditCents: 500,
      cardCents: 0,
      expiresAtMs: atMs + 86_400_000,
      awaitsApproval: false,
      lines: [{ domain: "garden-weekly.example", shelf: "Plancton", priceCents: 500 }]
    },
    {
      _tag: "WalletMoved",
      atMs,
      accountId,
      entryId: EntryId.make(`led_${suffix}`),
      kind: "hold",
      amountCents: 500,
      heldDeltaCents: 500,
      balanceCents: 10_000,
      heldCents: 500,
      availableCents: 9_500,
      quoteId,
      orderId: null,
      linkId: null
    },
    { _tag: "ActionEnded", atMs, actorId, action: "orders 1 link", ok: number % 10 !== 0, answer: `link ${suffix}` }
  ]
}

const settledBy = (number: number, atMs: number): ReadonlyArray<BenchEvent> => {
  const { suffix, quoteId, orderId, linkId, accountId } = idsOf(number)
  const link = {
    linkId,
    domain: "garden-weekly.example",
    shelf: "Plancton",
    anchorText: "spring garden tools",
    netCents: 500,
    status: "to_assign"
  } as const
  const moved = { _tag: "LinkMoved", atMs, orderId, linkId, reason: null, publishedUrl: null } as const
  const sent = {
    webhookId: WebhookId.make("wh_1"),
    eventId: EventId.make(`evt_${suffix}`),
    event: "order.accepted"
  } as const
  return [
    { _tag: "QuotePaid", atMs, quoteId, orderId },
    { _tag: "OrderPlaced", atMs, orderId, quoteId, accountId, mode: "live", totalCents: 500, links: [link] },
    { ...moved, from: "to_assign", to: "assigned", orderStatus: "paid" },
    { ...moved, from: "assigned", to: "published", orderStatus: "completed" },
    { _tag: "DeliveryReceived", atMs, ...sent, verified: true, repeated: false, answeredStatus: 200, body: null },
    {
      _tag: "DeliveryAttempted",
      atMs,
      deliveryId: DeliveryId.make(`dlv_${suffix}`),
      ...sent,
      attempt: 1,
      httpStatus: 200,
      fault: null,
      state: "delivered",
      nextAttemptAtMs: null
    }
  ]
}

/** The events of the `number`-th order, from 0. */
export const orderEvents = (number: number): ReadonlyArray<BenchEvent> => {
  const atMs = NOON + number * 40
  const opened = openedBy(number, atMs)
  if (number % 2 === 0) return [...opened, ...settledBy(number, atMs)]
  const { quoteId } = idsOf(number)
  return [...opened, { _tag: "QuoteAbandoned", atMs, quoteId, by: "expiry", declinedReason: null }]
}
