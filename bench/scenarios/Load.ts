// Random load: many customers at the same time who order, pay, abandon or forget, a publisher who works through the queue, and a
// webhook receiver that fails at times. All randomness comes from the seed.
import { Duration, Effect, Random } from "effect"
import type { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type LinkStatus, STAGES, type Stage, stageOf } from "#core/domain/ordering/Link.ts"
import type { Shelf } from "#core/domain/pricing/Shelf.ts"
import { type Customer, createCustomer } from "../actors/Customer.ts"
import type { Publisher, WorkLink } from "../actors/Publisher.ts"
import { WebhookReceiver } from "../service/WebhookReceiver.ts"
import { randomLinks, requestFor } from "./OrderRequests.ts"
import { type CustomerSpec, customerSpec } from "./Scenario.ts"

const NAMES = ["Amal", "Bela", "Cleo", "Dov", "Elif", "Femi", "Gita", "Hugo", "Ines", "Juri", "Kofi", "Lumi"] as const

/** Every nth customer uses MCP, the sandbox, a webhook. */
const EVERY = { mcp: 4, sandbox: 6, webhook: 3 } as const
const MAX_CREDIT_CENTS = 20_000

const specAt = (index: number, creditCents: number): CustomerSpec =>
  customerSpec(`${NAMES[index % NAMES.length] ?? NAMES[0]} ${Math.floor(index / NAMES.length) + 1}`, {
    via: index % EVERY.mcp === 3 ? "mcp" : "rest",
    mode: index % EVERY.sandbox === 5 ? "sandbox" : "live",
    creditCents,
    webhook: index % EVERY.webhook === 0,
    dailyOrderCap: 0
  })

const chance = (share: number) => Effect.map(Random.next, (draw) => draw < share)

/** Exponentially distributed: many short pauses, a few long ones. */
const pause = (meanMinutes: number) =>
  Effect.flatMap(Random.next, (draw) => Effect.sleep(Duration.minutes(-Math.log(1 - draw) * meanMinutes)))

const SHELVES: ReadonlyArray<Shelf> = ["Plancton", "Plancton", "Plancton", "Corail", "Corail", "Nautilus"]

const randomPromo = Effect.map(Random.next, (draw) => (draw < 0.15 ? "TEN" : draw < 0.2 ? "FIVER" : undefined))

/** Most humans pay; some abandon, forget, or pay a day too late. */
const settle = Effect.fnUntraced(function* (
  { agent, payer, rest }: Customer,
  { payment_url, quote_id }: QuoteResponse
) {
  if (payment_url === null || quote_id === null) return
  const fate = yield* Random.next
  yield* pause(10)
  if (fate > 0.9) yield* rest.abandon(quote_id)
  if (fate > 0.82) return
  const page = yield* payer.open(payment_url)
  if (!page.ok) return
  if (fate > 0.77) yield* Effect.sleep(Duration.hours(25))
  else yield* pause(3)
  yield* payer.press(fate > 0.68 && fate <= 0.77 ? "abandon" : "pay", page.body)
  yield* agent.quote(quote_id)
})

const placeOrder = Effect.fnUntraced(function* (customer: Customer, number: number) {
  const { agent } = customer
  const request = yield* requestFor(yield* randomLinks(SHELVES), yield* randomPromo)
  const key = `${customer.accountId}-${number}`
  const placed = yield* agent.order(request, key, `orders ${counted(request.items.length, "link")}`)
  if (yield* chance(0.1)) yield* agent.order(request, key, "sends the very same order again")
  if (yield* chance(0.03)) yield* agent.order(yield* requestFor({ Nautilus: 2 }), key, "takes an old key by mistake")
  if (placed.ok) yield* settle(customer, placed.body)
})

interface Remaining {
  orders: number
}

/** Places orders one after the other while any remain. */
const placeOrders = Effect.fnUntraced(function* (customer: Customer, publisher: Publisher, remaining: Remaining) {
  const { spec, accountId, agent } = customer
  for (let number = 0; remaining.orders > 0; number++) {
    yield* pause(30)
    if (remaining.orders <= 0) return
    remaining.orders--
    yield* placeOrder(customer, number)
    if (spec.mode === "live" && (yield* chance(0.05))) {
      yield* publisher.topUp(accountId, 2_500, `deposit ${number}`)
      yield* agent.balance
    }
  }
})

const stageAfter = (status: LinkStatus): Stage =>
  status === "cancelled" ? "verified" : (STAGES[stageOf(status) + 1] ?? "verified")

/**
 * Each round moves the links of the queue on by one stage or straight online, cancels some orders, and verifies most of the links
 * that came online in earlier rounds. Ends when no work is left.
 */
const publish = Effect.fnUntraced(function* (publisher: Publisher, remaining: Remaining) {
  let online: ReadonlyArray<WorkLink> = []
  for (;;) {
    yield* pause(15)
    const queue = yield* publisher.queue(25)
    if (!queue.ok) continue
    if (queue.body.length === 0 && online.length === 0 && remaining.orders <= 0) return
    const unverified: Array<WorkLink> = []
    for (const link of online) {
      if (yield* chance(0.8)) yield* publisher.move(link, "verified")
      else unverified.push(link)
    }
    const cancelled = new Set<string>()
    for (const link of queue.body) {
      const fate = yield* Random.next
      if (cancelled.has(link.orderId)) continue
      if (fate < 0.05) {
        cancelled.add(link.orderId)
        yield* publisher.cancelOrder(link.orderId)
        continue
      }
      const to = fate < 0.35 ? stageAfter(link.status) : "published"
      const moved = yield* publisher.move(link, to)
      if (moved.ok && to === "published") unverified.push(moved.body)
    }
    online = unverified
  }
})

/** The receiver fails for an hour, twice a day on average. */
const breakReceiver = Effect.gen(function* () {
  const { setWorks } = yield* WebhookReceiver
  for (;;) {
    yield* pause(12 * 60)
    yield* setWorks(false)
    yield* Effect.sleep(Duration.hours(1))
    yield* setWorks(true)
  }
})

/** Ends when all orders are placed and their links are verified or cancelled. */
export const runLoad = Effect.fnUntraced(function* (
  { actors, orders }: { readonly actors: number; readonly orders: number },
  publisher: Publisher
) {
  const remaining: Remaining = { orders }
  const customers: Array<Customer> = []
  for (let index = 0; index < actors; index++) {
    const creditCents = (yield* chance(0.6)) ? yield* Random.nextIntBetween(500, MAX_CREDIT_CENTS) : 0
    customers.push(yield* createCustomer(specAt(index, creditCents)))
  }
  yield* Effect.forkScoped(breakReceiver)
  const buying = customers.map((customer) => placeOrders(customer, publisher, remaining))
  yield* Effect.all([...buying, publish(publisher, remaining)], { concurrency: "unbounded", discard: true })
}, Effect.scoped)
