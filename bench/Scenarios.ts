// The scenarios as data: what each is called, what to watch, and how it is played.
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { ApiClient } from "#adapters/http/api/Client.ts"
import { Stage } from "./Stage.ts"

export interface Scenario {
  readonly name: string
  /** What to look at while it plays. */
  readonly watch: string
  readonly play: Effect.Effect<void, unknown, Stage>
}

const item = (siteId: number) => ({
  site_id: siteId,
  target_url: "https://willow-and-spade.example/spring",
  anchor_text: "spring garden tools",
  anchor_type: "partial" as const,
  format: "new_article" as const,
  tier2_links: 0 as const
})

const cart = (...siteIds: ReadonlyArray<number>) => ({ items: siteIds.map(item), dry_run: false })

const buy = Effect.fnUntraced(function* (agent: ApiClient, siteIds: ReadonlyArray<number>, key: string = randomUUID()) {
  const { say } = yield* Stage
  yield* say("agent", `orders ${siteIds.length} links with Idempotency-Key ${key.slice(0, 8)}…`)
  const answer = yield* agent.orders.createOrder({ payload: cart(...siteIds), headers: { "idempotency-key": key } })
  yield* say("shop", answer.summary)
  yield* say("agent", `tells its user: ${answer.next_action.tell_user}`)
  return answer
})

const creditCovers = Effect.gen(function* () {
  const { withCredit, say } = yield* Stage
  const found = yield* withCredit.catalog.searchSites({ query: { shelf: "Corail", limit: 2 } })
  yield* say("agent", `searches the catalogue: ${found.total} sites on the Corail shelf`)
  const order = yield* buy(
    withCredit,
    found.sites.map(({ id }) => id)
  )
  const { items = [] } =
    order.order_id === undefined ? {} : yield* withCredit.orders.getOrder({ params: { id: order.order_id } })
  for (const { domain, status } of items) yield* say("shop", `${domain}: ${status}`)
})

const humanAnswers = (button: "pay" | "abandon") =>
  Effect.gen(function* () {
    const { withoutCredit, press, say } = yield* Stage
    const { quote_id, payment_url } = yield* buy(withoutCredit, [1, 2, 3])
    if (quote_id === null || payment_url === null)
      return yield* Effect.die("this order was expected to wait for payment")
    yield* say("human", `opens ${payment_url} and presses ${button}`)
    yield* press(payment_url, button)
    const quote = yield* withoutCredit.quotes.getQuote({ params: { id: quote_id } })
    yield* say("agent", `reads the quote: ${quote.status}, order ${quote.order_id ?? "none"}`)
  })

const replay = Effect.gen(function* () {
  const { withCredit, say } = yield* Stage
  const key = randomUUID()
  const first = yield* buy(withCredit, [4], key)
  yield* say("agent", "never got that answer, and sends the very same order again")
  const second = yield* buy(withCredit, [4], key)
  yield* say("shop", `same order both times: ${first.order_id === second.order_id}`)
})

const sandbox = Effect.gen(function* () {
  const { sandbox, say } = yield* Stage
  const { quote_id } = yield* buy(sandbox, [1, 3])
  const { order_id, status } = yield* sandbox.quotes.getQuote({ params: { id: quote_id ?? "" } })
  yield* say("shop", `the sandbox quote is ${status}`)
  for (const to of ["drafted", "approved", "published", "verified"] as const) {
    const order = yield* sandbox.sandbox.advanceSandboxOrder({ params: { id: order_id ?? "" }, payload: { to } })
    yield* say("shop", `links are ${to}; the order is ${order.order_status}, ${order.published_count} online`)
  }
})

export const scenarios: ReadonlyArray<Scenario> = [
  { name: "credit-covers", watch: "Prepaid credit pays for everything: the order exists at once.", play: creditCovers },
  { name: "no-credit", watch: "A human pays at a link; only then does the order exist.", play: humanAnswers("pay") },
  { name: "abandoned", watch: "A human decides not to buy; nothing is left behind.", play: humanAnswers("abandon") },
  { name: "replay", watch: "The same order twice with one key is one order.", play: replay },
  { name: "sandbox", watch: "A sandbox order lives its whole life, and no money moves.", play: sandbox }
]
