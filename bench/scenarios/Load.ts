// Many at once: customers that think, order, pay, give up or forget, each for itself and by chance of the seed, while publishers
// work through the queue and a receiver fails now and then. Remembers nothing of an order that is over.
import { Duration, Effect, Random } from "effect"
import type { QuoteResponse } from "#adapters/contract/QuoteResponse.ts"
import { type LinkStatus, STAGES, type Stage, stageOf } from "#core/domain/Link.ts"
import type { Shelf } from "#core/domain/Shelf.ts"
import { type Customer, createCustomer } from "../actors/Customer.ts"
import type { LinkAtWork, Publisher } from "../actors/Publisher.ts"
import { Receiver } from "../service/WebhookReceiver.ts"
import { links, requestFor } from "./OrderRequests.ts"
import type { Basket, Member } from "./Scenario.ts"

const NAMES = ["Amal", "Bela", "Cleo", "Dov", "Elif", "Femi", "Gita", "Hugo", "Ines", "Juri", "Kofi", "Lumi"] as const

/** One in so many speaks MCP, plays in the sandbox, listens to events. */
const EVERY = { mcp: 4, sandbox: 6, webhook: 3 } as const
const MOST_CREDIT_CENTS = 20_000

const memberAt = (index: number, creditCents: number): Member => ({
  name: `${NAMES[index % NAMES.length] ?? "Amal"} ${Math.floor(index / NAMES.length) + 1}`,
  via: index % EVERY.mcp === 3 ? "mcp" : "rest",
  mode: index % EVERY.sandbox === 5 ? "sandbox" : "live",
  creditCents,
  webhook: index % EVERY.webhook === 0,
  dailyOrderCap: 0
})

const chance = (share: number) => Effect.map(Random.next, (draw) => draw < share)

/** Many short pauses, a few long ones. */
const pause = (meanMinutes: number) =>
  Effect.flatMap(Random.next, (draw) => Effect.sleep(Duration.minutes(-Math.log(1 - draw) * meanMinutes)))

const SHELVES: ReadonlyArray<Shelf> = ["Plancton", "Plancton", "Plancton", "Corail", "Corail", "Nautilus"]

const someBasket = Effect.gen(function* () {
  const basket: Partial<Record<Shelf, number>> = {}
  const count = yield* Random.nextIntBetween(1, 3)
  for (let nth = 0; nth < count; nth++) {
    const shelf = SHELVES[yield* Random.nextIntBetween(0, SHELVES.length - 1)] ?? "Plancton"
    basket[shelf] = (basket[shelf] ?? 0) + 1
  }
  const wish: Basket = basket
  return wish
})

const somePromo = Effect.map(Random.next, (draw) => (draw < 0.15 ? "TEN" : draw < 0.2 ? "FIVER" : undefined))

/** What becomes of a payment link: most humans pay, some decide not to, some forget it, some pay a day too late. */
const awaitHuman = Effect.fnUntraced(function* ({ agent, payer, rest }: Customer, placed: QuoteResponse) {
  const { payment_url, quote_id } = placed
  if (payment_url === null || quote_id === null) return
  const fate = yield* Random.next
  yield* pause(10)
  if (fate > 0.9) yield* rest.giveUp(quote_id)
  if (fate > 0.82) return
  const page = yield* payer.open(payment_url)
  if (!page.ok) return
  if (fate > 0.77) yield* Effect.sleep(Duration.hours(25))
  else yield* pause(3)
  yield* payer.press(fate > 0.68 && fate <= 0.77 ? "abandon" : "pay", page.body)
  yield* agent.quote(quote_id)
})

const oneOrder = Effect.fnUntraced(function* (customer: Customer, nth: number) {
  const { agent } = customer
  const request = yield* requestFor(yield* someBasket, yield* somePromo)
  const key = `${customer.accountId}-${nth}`
  const placed = yield* agent.order(request, key, `orders ${links(request.items.length)}`)
  if (yield* chance(0.1)) yield* agent.order(request, key, "sends the very same order again")
  if (yield* chance(0.03)) yield* agent.order(yield* requestFor({ Nautilus: 2 }), key, "takes an old key by mistake")
  if (placed.ok) yield* awaitHuman(customer, placed.body)
})

interface Ahead {
  orders: number
}

/** Orders one after the other for as long as any are left to place. */
const live = Effect.fnUntraced(function* (customer: Customer, publisher: Publisher, ahead: Ahead) {
  const { member, accountId, agent } = customer
  for (let nth = 0; ahead.orders > 0; nth++) {
    yield* pause(30)
    if (ahead.orders <= 0) return
    ahead.orders--
    yield* oneOrder(customer, nth)
    if (member.mode === "live" && (yield* chance(0.05))) {
      yield* publisher.topUp(accountId, 2_500, `deposit ${nth}`)
      yield* agent.balance
    }
  }
})

/** The next stage; a link that can go no further stays where it is. */
const stageAfter = (status: LinkStatus): Stage =>
  status === "cancelled" ? "verified" : (STAGES[stageOf(status) + 1] ?? "verified")

/**
 * Moves what lies in the queue on by one stage or straight online, where now and then an editor declines, and looks at what
 * came online: by the next round, or the one after.
 */
const publish = Effect.fnUntraced(function* (publisher: Publisher, ahead: Ahead) {
  let online: ReadonlyArray<LinkAtWork> = []
  for (;;) {
    yield* pause(15)
    const queue = yield* publisher.queue(25)
    if (!queue.ok) continue
    if (queue.body.length === 0 && online.length === 0 && ahead.orders <= 0) return
    const unseen: Array<LinkAtWork> = []
    for (const link of online) {
      if (yield* chance(0.8)) yield* publisher.move(link, "verified")
      else unseen.push(link)
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
      if (moved.ok && to === "published") unseen.push(moved.body)
    }
    online = unseen
  }
})

/** Fails for an hour now and then. */
const stumble = Effect.gen(function* () {
  const { setWorks } = yield* Receiver
  for (;;) {
    yield* pause(12 * 60)
    yield* setWorks(false)
    yield* Effect.sleep(Duration.hours(1))
    yield* setWorks(true)
  }
})

/** Ends when all orders were placed and everything that came of them is done. */
export const runLoad = Effect.fnUntraced(function* (
  { actors, orders }: { readonly actors: number; readonly orders: number },
  publisher: Publisher
) {
  const ahead: Ahead = { orders }
  const customers: Array<Customer> = []
  for (let index = 0; index < actors; index++) {
    const creditCents = (yield* chance(0.6)) ? yield* Random.nextIntBetween(500, MOST_CREDIT_CENTS) : 0
    customers.push(yield* createCustomer(memberAt(index, creditCents)))
  }
  yield* Effect.forkScoped(stumble)
  const lives = customers.map((customer) => live(customer, publisher, ahead))
  yield* Effect.all([...lives, publish(publisher, ahead)], { concurrency: "unbounded", discard: true })
}, Effect.scoped)
