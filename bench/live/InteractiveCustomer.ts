// Whoever sits at the keys, as a customer: an account with some credit, an agent that orders at a key press, and a hand that can
// press the buttons of anybody's payment page.
import { Effect, Random } from "effect"
import type { OrderRequest } from "#adapters/contract/OrderRequest.ts"
import type { QuoteResponse } from "#adapters/contract/QuoteResponse.ts"
import { refused, type StepResult } from "../actors/Actors.ts"
import { createCustomer } from "../actors/Customer.ts"
import type { Button } from "../actors/Payer.ts"
import { itemOn, links } from "../scenarios/OrderRequests.ts"

const CREDIT_CENTS = 5_000

/** So many orders can be sent again. */
const REMEMBERED = 50

const MEMBER = {
  name: "You",
  via: "rest",
  mode: "live",
  creditCents: CREDIT_CENTS,
  webhook: true,
  dailyOrderCap: 0
} as const

interface Sent {
  readonly request: OrderRequest
  readonly key: string
}

const someShelf = Effect.map(
  Random.nextIntBetween(0, 2),
  (index) => (["Plancton", "Corail", "Nautilus"] as const)[index]
)

const someRequest = Effect.gen(function* () {
  const count = yield* Random.nextIntBetween(1, 3)
  const items = yield* Effect.forEach(Array.from({ length: count }), () =>
    Effect.flatMap(someShelf, (shelf) => itemOn(shelf ?? "Plancton"))
  )
  const request: OrderRequest = { items, dry_run: false }
  return request
})

export const makeInteractiveCustomer = Effect.gen(function* () {
  const { accountId, agent, payer } = yield* createCustomer(MEMBER)
  /** By quote, oldest first. */
  const sent = new Map<string, Sent>()
  let ordered = 0

  const remember = (answer: StepResult<QuoteResponse>, one: Sent) => {
    if (!answer.ok || answer.body.quote_id === null) return
    sent.set(answer.body.quote_id, one)
    const [oldest] = sent.keys()
    if (sent.size > REMEMBERED && oldest !== undefined) sent.delete(oldest)
  }

  return {
    accountId,
    order: Effect.gen(function* () {
      const request = yield* someRequest
      const key = `key-press-${++ordered}`
      const answer = yield* agent.order(request, key, `orders ${links(request.items.length)}`)
      remember(answer, { request, key })
      return answer
    }),
    replay: (quoteId: string | null): Effect.Effect<StepResult<QuoteResponse>> => {
      const one = quoteId === null ? [...sent.values()].at(-1) : sent.get(quoteId)
      return one === undefined
        ? Effect.succeed(refused("nothing_to_replay", "Only an order placed at a key press can be sent again."))
        : agent.order(one.request, one.key, "sends the very same order again")
    },
    press: (button: Button, url: string): Effect.Effect<StepResult<string>> =>
      Effect.flatMap(payer.open(url), (page) => (page.ok ? payer.press(button, page.body) : Effect.succeed(page)))
  }
})

export type InteractiveCustomer = Effect.Success<typeof makeInteractiveCustomer>
