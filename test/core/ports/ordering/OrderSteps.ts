// Steps on quotes and links after they were ordered, as decisions given to `transact`.
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { registrableDomain } from "#adapters/contract/schema/TargetUrl.ts"
import { find } from "#core/decisions/Books.ts"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { cancelLink, cancelOrder } from "#core/decisions/ordering/CancelLinks.ts"
import { type ChangeLink, changeLink } from "#core/decisions/ordering/ChangeLink.ts"
import { correctLink } from "#core/decisions/ordering/CorrectLink.ts"
import { moveLink } from "#core/decisions/ordering/MoveLink.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import { storeSession } from "#core/decisions/ordering/StorePaymentSession.ts"
import { subscribe, unsubscribe } from "#core/decisions/webhooks/Subscriptions.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { Link, Stage } from "#core/domain/ordering/Link.ts"
import type { NewText } from "#core/domain/ordering/LinkChange.ts"
import type { AbandonedBy, Payment, Quote } from "#core/domain/ordering/Quote.ts"
import { linkTarget } from "#core/domain/pricing/Cart.ts"
import { CONTEXT_ENTROPY_BYTES, makeId } from "#core/domain/shared/DecisionContext.ts"
import { type LinkId, type OrderId, PaymentId, WebhookId } from "#core/domain/shared/Ids.ts"
import { monotonicContexts } from "#core/domain/shared/MonotonicIds.ts"
import type { SealedKeys, Subscription } from "#core/domain/webhooks/Subscription.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { render } from "#test/core/Given.ts"
import { actor, plainSettings } from "../ShopSetup.ts"

/** Pays the card part, or what is given; a quote always has the same payment id, unless another is given. */
export const pay = Effect.fnUntraced(function* (
  { quoteId, cardCents: amountCents }: Quote,
  over: Partial<Omit<Payment, "quoteId">> = {}
) {
  const book = yield* OrderBook
  const payment = { paymentId: PaymentId.make(`pay_${quoteId}`), quoteId, amountCents, currency: "EUR", ...over }
  const reads = { _tag: "ForQuote" as const, quoteId, paymentId: payment.paymentId }
  return yield* book.transact(reads, settlePayment(payment, { settings: plainSettings, render }))
})

export const abandon = Effect.fnUntraced(function* ({ quoteId }: Quote, by: AbandonedBy) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForQuote", quoteId }, abandonQuote(quoteId, by, { render }))
})

export const storeSessionOf = Effect.fnUntraced(function* ({ quoteId }: Quote, sessionId = `ses_${quoteId}`) {
  const book = yield* OrderBook
  const session = { quoteId, sessionId, paymentUrl: `https://pay.example/${sessionId}` }
  return yield* book.transact({ _tag: "ForQuote", quoteId }, storeSession(session, render))
})

export const moveLinkTo = Effect.fnUntraced(function* (linkId: LinkId, to: Stage) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForLink", linkId }, (books, context) => {
    const publishedUrl = to === "published" ? `https://${find(books.links, linkId)?.domain}/${linkId}` : null
    return moveLink({ linkId, to, publishedUrl, reason: null, actor, render })(books, context)
  })
})

/** What an agent or an owner does. */
export const changeLinkBy = Effect.fnUntraced(function* (by: ChangeLink["by"], link: Link, text: NewText) {
  const book = yield* OrderBook
  const { orderId, linkId, accountId, siteId, targetUrl } = link
  const target = linkTarget({ siteId, targetUrl: text.targetUrl ?? targetUrl })
  const keyId = "caller" in by ? by.caller.keyId : null
  return yield* book.transact(
    { _tag: "ForChange", orderId, accountId, keyId, target },
    changeLink({ orderId, linkId, by, text, registrable: registrableDomain, dryRun: false, render })
  )
})

const reason = "changed our mind"

export const correctLinkTo = Effect.fnUntraced(function* (linkId: LinkId, publishedUrl: string) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForLink", linkId }, correctLink({ linkId, publishedUrl, reason, actor, render }))
})

export const cancelLinkById = Effect.fnUntraced(function* (
  linkId: LinkId,
  how: { readonly published?: boolean; readonly refunded?: boolean } = {}
) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForLink", linkId }, cancelLink(linkId, { ...how, reason, actor, render }))
})

export const cancelOrderById = Effect.fnUntraced(function* (orderId: OrderId) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForOrder", orderId }, cancelOrder(orderId, { reason, actor, render }))
})

const monotonic = monotonicContexts()

/** Ids as the use case chooses them: later ones sort after earlier ones. */
export const nextWebhookId = (): string =>
  makeId("wh_", "live", monotonic(Date.now(), randomBytes(CONTEXT_ENTROPY_BYTES), "").idPrefix, 0)

export const addSubscription = Effect.fnUntraced(function* (
  caller: Caller,
  over: Partial<Pick<Subscription, "webhookId" | "url" | "events" | "scope">> & { readonly keys?: SealedKeys } = {}
) {
  const book = yield* OrderBook
  const usual = {
    url: "https://hooks.example/in",
    events: ["order.accepted" as const],
    keys: { sealedSigningKey: "sealed" }
  }
  const webhookId = over.webhookId ?? nextWebhookId()
  const added = subscribe({ caller, ...usual, ...over, webhookId: WebhookId.make(webhookId) })
  return yield* book.transact({ _tag: "ForAccount", accountId: caller.accountId }, added)
})

export const revokeSubscription = Effect.fnUntraced(function* (caller: Caller, webhookId: WebhookId) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForSubscription", webhookId }, unsubscribe(webhookId, caller))
})
