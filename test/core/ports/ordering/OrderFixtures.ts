// Fixtures made by decisions: a paid order, an open quote, every outcome of either, and an order without its event.
import { Effect } from "effect"
import { EventId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import type { Event } from "#core/domain/webhooks/Event.ts"
import { corruptQuote } from "../operations/CorruptBooks.ts"
import {
  buyer,
  definePromo,
  expiredQuoteSettings,
  insertionInto,
  linksOn,
  listArticle,
  listSite,
  order,
  plainSettings
} from "../ShopSetup.ts"
import {
  abandon,
  addSubscription,
  cancelLinkById,
  cancelOrderById,
  moveLinkTo,
  pay,
  storeSessionOf
} from "./OrderSteps.ts"

export const welcomeOfferSettings = { ...plainSettings, welcomeBasisPoints: 2_000 }

/** Paid by credit: an insertion and a plain link, with an idempotency key and a subscription. */
export const paidOrder = Effect.gen(function* () {
  const { caller } = yield* buyer(5_000)
  yield* addSubscription(caller)
  const site = yield* listSite()
  const article = yield* listArticle(site.siteId)
  const items = [insertionInto(article), ...linksOn(site)]
  const placed = yield* order(caller, { items, idempotency: { key: "key", fingerprint: "f" } })
  const [inArticle = LinkId.make(""), plain = LinkId.make("")] = placed.links.map(({ linkId }) => linkId)
  return { ...placed, ...caller, caller, article, inArticle, plain, orderId: placed.order?.orderId ?? OrderId.make("") }
})

/** 2.00 of 5.00 EUR held, an article and a code reserved, the rest due by card. */
export const openQuote = Effect.gen(function* () {
  const { caller } = yield* buyer(200)
  const { code } = yield* definePromo({ maxRedemptions: 5, reduction: { kind: "fixed", cents: 50 } })
  const article = yield* listArticle((yield* listSite()).siteId)
  const { quote } = yield* order(caller, { items: [insertionInto(article)], promoCode: code })
  return { quote, ...quote, code, article }
})

/** Every outcome of quotes, orders and links. */
export const everyOutcome = Effect.gen(function* () {
  const first = yield* paidOrder
  yield* moveLinkTo(first.inArticle, "published")
  yield* cancelLinkById(first.plain)
  const second = yield* paidOrder
  yield* cancelOrderById(second.orderId)
  const settled = yield* openQuote
  yield* storeSessionOf(settled.quote)
  yield* pay(settled.quote)
  const givenUp = yield* openQuote
  yield* abandon(givenUp.quote, "agent")
  yield* pay(givenUp.quote)
  yield* openQuote
  const { caller } = yield* buyer(1_000)
  const article = yield* listArticle((yield* listSite()).siteId)
  yield* order(caller, { items: [insertionInto(article)], settings: expiredQuoteSettings })
  const late = yield* buyer(100)
  const { quote } = yield* order(late.caller, { items: linksOn(yield* listSite()), settings: expiredQuoteSettings })
  yield* abandon(quote, "expiry")
  yield* pay(quote)
  const sandbox = yield* buyer(0, { mode: "sandbox" })
  yield* order(sandbox.caller, { items: linksOn(yield* listSite()), sandboxCreditCents: 9_000 })
  const simulated = yield* order(sandbox.caller, { items: linksOn(yield* listSite()) })
  yield* pay(simulated.quote)
  const newBuyer = yield* buyer(400)
  yield* order(newBuyer.caller, { items: linksOn(yield* listSite()), settings: welcomeOfferSettings })
  const waiting = yield* buyer()
  yield* order(waiting.caller, { items: linksOn(yield* listSite()), settings: welcomeOfferSettings })
})

/** A corrupt order: its quote is settled, without links and event. */
export const orderWithoutEvent = Effect.gen(function* () {
  const { caller } = yield* buyer()
  yield* addSubscription(caller)
  const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
  const { quoteId, accountId, keyId, mode, totalCents } = quote
  const orderId = OrderId.make(`ord_${quoteId}`)
  yield* corruptQuote(quoteId, (_, { nowMs }) => [
    {
      _tag: "OrderPlaced",
      order: {
        orderId,
        quoteId,
        accountId,
        keyId,
        mode,
        linkIds: [],
        totalCents,
        createdAtMs: nowMs + 60_000,
        reference: null
      },
      links: []
    },
    { _tag: "QuoteSettled", quoteId, orderId, holdId: null }
  ])
  return { quote, orderId, caller }
})

/** The event that the order lacks, dated later than everything before. */
export const missingEventOf = ({ quote, orderId }: Effect.Success<typeof orderWithoutEvent>): Event => {
  const { accountId, keyId, mode, createdAtMs } = quote
  const about = { keyId, accountId, orderId, linkId: null, quoteId: null, mode, body: "{}", atMs: createdAtMs + 60_000 }
  return { eventId: EventId.make(`evt_${orderId}`), type: "order.accepted", ...about }
}
