// Bench events of a change of the books. Pure: from one change and the books after it.
import { Struct } from "effect"
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { type Order, orderStatus } from "#core/domain/ordering/Order.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { endpointStatus } from "#core/domain/webhooks/EndpointHealth.ts"
import type { EventPayload, LinkSummary } from "./BenchEvent.ts"

type ChangeOf<Tag extends Change["_tag"]> = Extract<Change, { readonly _tag: Tag }>

const ENTRY = ["accountId", "entryId", "kind", "amountCents", "heldDeltaCents", "quoteId", "orderId", "linkId"] as const

type Entry = Pick<LedgerEntry, (typeof ENTRY)[number] | "balanceAfterCents" | "heldAfterCents">

export const walletMoved = (entry: Entry): EventPayload => {
  const wallet = { balanceCents: entry.balanceAfterCents, heldCents: entry.heldAfterCents }
  return { _tag: "WalletMoved", ...Struct.pick(entry, ENTRY), ...wallet, availableCents: availableCents(wallet) }
}

const QUOTE = [
  "quoteId",
  "accountId",
  "mode",
  "idempotencyKey",
  "grossCents",
  "totalCents",
  "creditCents",
  "cardCents",
  "expiresAtMs"
] as const

const LINE = ["domain", "shelf", "priceCents"] as const

type OpenedQuote = Pick<Quote, (typeof QUOTE)[number]> & {
  readonly lines: ReadonlyArray<Pick<Quote["lines"][number], (typeof LINE)[number]>>
}

interface Opening {
  readonly discountCents: number
  /** Empty where nothing was taken off. */
  readonly discountLabel: string
  readonly awaitsApproval: boolean
}

export const quoteOpened = (quote: OpenedQuote, opening: Opening): EventPayload => ({
  _tag: "QuoteOpened",
  ...Struct.pick(quote, QUOTE),
  ...opening,
  lines: quote.lines.map(Struct.pick(LINE))
})

const opened = (quote: Quote): ReadonlyArray<EventPayload> => {
  const { quoteId, paymentUrl, discount } = quote
  const event = quoteOpened(quote, {
    discountCents: discount.amountCents,
    discountLabel: discount.source === "none" ? "" : discount.label,
    awaitsApproval: awaitsApproval(quote)
  })
  return paymentUrl === null ? [event] : [event, { _tag: "PaymentLinkReady", quoteId, paymentUrl }]
}

interface PlacedOrder {
  readonly order: Pick<Order, "orderId" | "quoteId" | "accountId" | "mode" | "totalCents">
  readonly links: ReadonlyArray<LinkSummary>
}

export const orderPlaced = ({ order, links }: PlacedOrder): EventPayload => ({
  _tag: "OrderPlaced",
  ...Struct.pick(order, ["orderId", "quoteId", "accountId", "mode", "totalCents"]),
  links: links.map(Struct.pick(["linkId", "domain", "shelf", "anchorText", "netCents", "status"]))
})

const linkMoved = ({ move }: ChangeOf<"LinkMoved">, books: Books): ReadonlyArray<EventPayload> => {
  const { linkId, to, reason, publishedUrl } = move
  const link = find(books.links, linkId)
  const order = link && find(books.orders, link.orderId)
  if (link === undefined || order === undefined) return []
  const { orderId } = order
  const statuses = link.history.map(({ status }) => status)
  const from = statuses[statuses.lastIndexOf(to) - 1] ?? to
  const status = orderStatus(linksOf(books, order))
  return [{ _tag: "LinkMoved", orderId, linkId, from, to, reason, publishedUrl, orderStatus: status }]
}

const deliveryQueued = (delivery: Delivery): EventPayload => ({
  _tag: "DeliveryQueued",
  ...Struct.pick(delivery, ["deliveryId", "webhookId", "eventId", "event"]),
  dueAtMs: delivery.nextAttemptAtMs ?? delivery.createdAtMs
})

/** A delivery without an attempt in this run was started again by hand; otherwise an attempt was made. */
const deliveryMoved = (delivery: Delivery): EventPayload => {
  const last = delivery.attempts.at(-1)
  if (delivery.attemptsInRun === 0 || last === undefined) return deliveryQueued(delivery)
  return {
    _tag: "DeliveryAttempted",
    ...Struct.pick(delivery, ["deliveryId", "webhookId", "eventId", "event", "state", "nextAttemptAtMs"]),
    ...Struct.pick(last, ["httpStatus", "fault"]),
    attempt: delivery.attempts.length
  }
}

/** Events for documents of orders. The receipt of a top-up belongs to no order. */
export const documentIssued = ({
  invoiceId,
  kind,
  orderId,
  totalCents,
  facts
}: Invoice): ReadonlyArray<EventPayload> =>
  kind === "receipt" || orderId === null
    ? []
    : [{ _tag: "DocumentIssued", invoiceId, orderId, kind, number: facts.number, totalCents }]

/** `books` are those after the change. Empty for changes that the panes do not show. */
export const toBenchEvents = (change: Change, books: Books): ReadonlyArray<EventPayload> => {
  switch (change._tag) {
    case "AccountOpened":
      return [{ _tag: "WalletOpened", accountId: change.account.accountId, name: change.account.name }]
    case "Credited":
    case "HoldPlaced":
    case "CreditCaptured":
    case "HoldCaptured":
    case "HoldReleased":
      return [walletMoved(change.entry)]
    case "QuoteOpened":
      return opened(change.quote)
    case "SessionStored":
      return [{ _tag: "PaymentLinkReady", quoteId: change.quoteId, paymentUrl: change.paymentUrl }]
    case "QuoteSettled":
      return [{ _tag: "QuotePaid", quoteId: change.quoteId, orderId: change.orderId }]
    case "QuoteApproved": {
      const { quoteId, expiresAtMs, paymentUrl } = change
      const approved = { _tag: "QuoteApproved", quoteId, expiresAtMs } as const
      return paymentUrl === null ? [approved] : [approved, { _tag: "PaymentLinkReady", quoteId, paymentUrl }]
    }
    case "QuoteAbandoned": {
      const { quoteId, by, declinedReason = null } = change
      return [{ _tag: "QuoteAbandoned", quoteId, by, declinedReason }]
    }
    case "QuoteCredited":
      return [{ _tag: "QuoteCredited", quoteId: change.quoteId, cents: change.cents }]
    case "PaymentSetAside":
    case "EmailChanged":
      return []
    case "PaymentRecorded": {
      const { paymentId, quoteId, amountCents } = change.payment
      return [{ _tag: "PaymentArrived", quoteId, paymentId, amountCents }]
    }
    case "OrderPlaced":
      return [orderPlaced(change)]
    case "LinkMoved":
      return linkMoved(change, books)
    case "SubscriptionAdded": {
      const { webhookId, accountId, url, events } = change.subscription
      return [{ _tag: "WebhookAdded", webhookId, accountId, url, events }]
    }
    case "SubscriptionRevoked":
      return [{ _tag: "WebhookRevoked", webhookId: change.webhookId }]
    case "EndpointHealthChanged": {
      const { webhookId, health } = change
      const { consecutiveFailures } = health
      return [{ _tag: "EndpointHealthChanged", webhookId, status: endpointStatus(health), consecutiveFailures }]
    }
    case "DeliveryQueued":
      return [deliveryQueued(change.delivery)]
    case "DeliveryMoved":
      return [deliveryMoved(change.delivery)]
    case "FulfilmentSwitched":
      return [{ _tag: "FulfilmentSwitched", fulfilment: change.fulfilment }]
    default:
      return []
  }
}
