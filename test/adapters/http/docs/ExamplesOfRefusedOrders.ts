// The examples of orders, quotes and changes that are refused, each provoked in the demo after the examples of what succeeds.
import { Effect, Redacted } from "effect"
import { demoCatalogue } from "#adapters/demo/DemoCatalogue.ts"
import { noLimits, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import { QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import { AmountBelowMinimum } from "#core/domain/pricing/PriceRefusal.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { UpdateCatalogue } from "#core/usecases/catalogue/UpdateCatalogue.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { by, issueKey } from "#test/scenarios/Buyers.ts"
import { press } from "#test/scenarios/HttpCalls.ts"
import { type At, type ExampleRecorder, keys } from "./ExampleRecorder.ts"
import { type Bought, spring } from "./ExamplesOfBuying.ts"

/** The demo's live key, as the account's owner sees it. */
export const liveKey = Effect.gen(function* () {
  const key = yield* (yield* Credentials).withText(Redacted.make(keys.live))
  return key ?? (yield* Effect.die("the demo has a live key"))
})

const withLimits = <A, E, R>(limits: Partial<SpendLimits>, use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const credentials = yield* Credentials
    const { keyId } = yield* liveKey
    yield* credentials.limit(keyId, limits, by)
    yield* use
    yield* credentials.limit(keyId, noLimits, by)
  })

const insertion = (nth: number, host: string) => ({
  site_id: 1 + 4 * Math.floor(nth / 3),
  target_url: `https://${host}/`,
  anchor_text: `robots ${nth}`,
  anchor_type: "partial",
  format: "insertion",
  article_id: 1_001 + nth
})

const closed = <A, E, R>(siteId: number, use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { update } = yield* UpdateCatalogue
    const { accountId } = yield* liveKey
    const sites = demoCatalogue(accountId).sites.filter((site) => site.siteId === siteId)
    yield* update({ sites: sites.map((site) => ({ ...site, open: false })) }, by)
    yield* use
    yield* update({ sites }, by)
  })

export const refuseOrders = Effect.fnUntraced(function* ({ refuse, send, word }: ExampleRecorder) {
  const order = (code: string, summary: string, body: object, more: { name?: string; key?: string } = {}) =>
    refuse("createOrder", code, { summary, body: { items: [spring], ...body }, ...more })
  yield* closed(90, order("site_unavailable", "The site takes no orders now", { items: [{ ...spring, site_id: 90 }] }))
  yield* order("article_unavailable", "The article has its link already", {
    items: [insertion(3, "willow-and-spade.example")]
  })
  yield* order("article_site_mismatch", "The article is on another site", {
    items: [{ ...insertion(4, "willow-and-spade.example"), site_id: 9 }]
  })
  yield* order("price_above_limit", "More than `max_total_eur`", { max_total_eur: 10 })
  yield* order("promo_code_invalid", "No such promo code", { promo_code: "SUMMER" })
  const many = { items: times(21, (nth) => insertion(nth, "cardboard-robots.example")).filter((_, at) => at !== 3) }
  const reserving = yield* send("createOrder", { key: keys.noCredit, body: many })
  yield* order(
    "too_many_reservations",
    "Unpaid quotes reserve as many articles as they may",
    { items: [insertion(30, "cardboard-robots.example")] },
    { key: keys.noCredit }
  )
  const { quote_id: id } = JSON.parse(reserving.text)
  yield* send("abandonQuote", { key: keys.noCredit, path: { id } })
  yield* withLimits({ maxOrderCents: 1_000 }, order("spend_policy_refused", "More than the key may spend an order", {}))
  yield* withLimits(
    { allowedDomains: ["willow-and-spade.example"] },
    order(
      "spend_policy_refused",
      "A target that the key may not link to",
      { items: [{ ...spring, target_url: "https://elsewhere.example/" }] },
      { name: "spend_policy_refused_domain" }
    )
  )
  const { pause } = yield* Credentials
  const { keyId } = yield* liveKey
  yield* pause(keyId, true, by)
  yield* order("spend_policy_refused", "The user has paused the key", {}, { name: "spend_policy_refused_paused" })
  yield* pause(keyId, false, by)
  const { used } = JSON.parse((yield* send("getBalance", {})).text).orders_today
  yield* withLimits({ dailyOrderCap: used }, order("daily_order_cap_reached", "No more orders today", {}))
  word("createOrder", new AmountBelowMinimum({ totalCents: 30, availableCents: 0, minimumCents: 50 }), {
    summary: "Less than a card payment needs, such as after a great discount"
  })
  word("createOrder", new QuoteNotOpen({ quoteId: QuoteId.make(id), status: "abandoned" }), {
    summary: "A replay of an order that was given up before it had a payment link"
  })
})

/** The no-credit key's order, for which a human has paid. */
const paidByHuman = Effect.fnUntraced(function* ({ send }: ExampleRecorder) {
  const query = { idempotency_key: "robots-1" }
  const find = Effect.map(send("findQuote", { key: keys.noCredit, query }), ({ text }) => JSON.parse(text))
  const { payment_url } = yield* find
  yield* press("pay", new URL(payment_url).pathname)
  const { order_id: id } = yield* find
  const { items } = JSON.parse((yield* send("getOrder", { key: keys.noCredit, path: { id } })).text)
  return { id, link_id: items[0].link_id }
})

export const refuseChanges = Effect.fnUntraced(function* (recorder: ExampleRecorder, bought: Bought) {
  const { refuse, send } = recorder
  const { accountId } = yield* liveKey
  const paid = yield* paidByHuman(recorder)
  yield* refuse("cancelOrder", "not_cancellable", {
    summary: "An order that a human paid",
    key: keys.noCredit,
    path: { id: paid.id },
    body: {}
  })
  yield* refuse("changeLink", "not_changeable", {
    summary: "An order that a human paid",
    key: keys.noCredit,
    path: paid,
    body: { anchor_text: "other words" }
  })
  const other = yield* issueKey(accountId)
  const items = [6, 9, 12].map((site_id) => ({ ...spring, site_id, anchor_text: `tools ${site_id}` }))
  const { quote_id: id } = JSON.parse((yield* send("createOrder", { body: { items } })).text)
  yield* refuse("abandonQuote", "not_cancellable", { summary: "A quote of another key", key: other.key, path: { id } })
  yield* send("abandonQuote", { path: { id } })
  yield* refuse("abandonQuote", "quote_not_open", {
    summary: "A quote that is paid",
    path: { id: bought.order("quote_id") }
  })
  const mine = JSON.parse((yield* send("getOrder", { path: { id: bought.order("order_id") } })).text)
  yield* withLimits(
    { approveAboveCents: 0 },
    refuse("changeLink", "spend_policy_refused", {
      summary: "Another host, for a key whose orders the user approves",
      path: { id: mine.order_id, link_id: mine.items[0].link_id },
      body: { target_url: "https://elsewhere.example/" }
    })
  )
})

/** `placed`: an order whose links are online. */
export const refuseInSandbox = Effect.fnUntraced(function* ({ refuse, send }: ExampleRecorder, placed: At) {
  const order = { id: placed("order_id") }
  const decisions = ["paySandboxQuote", "abandonSandboxQuote", "approveSandboxQuote", "declineSandboxQuote"] as const
  for (const decision of decisions) {
    yield* refuse(decision, "quote_not_open", {
      summary: "A quote that is paid",
      key: keys.test,
      path: { id: placed("quote_id") }
    })
  }
  const { items: links } = JSON.parse((yield* send("getOrder", { key: keys.test, path: order })).text)
  yield* refuse("changeLink", "invalid_transition", {
    summary: "A link that is online",
    key: keys.test,
    path: { ...order, link_id: links[0].link_id },
    body: { anchor_text: "other words" }
  })
  yield* refuse("advanceSandboxOrder", "invalid_transition", {
    summary: "Links move forward only",
    key: keys.test,
    path: order,
    body: { to: "assigned" }
  })
  yield* refuse("cancelOrder", "not_cancellable", {
    ...{ summary: "Links on which work has begun", name: "not_cancellable_links" },
    key: keys.test,
    path: order,
    body: {}
  })
})
