// The person at the keys as a customer: an account with some credit, an agent that orders at a key press, and a human who can press
// the buttons of any payment page.
import { Effect } from "effect"
import type { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import type { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { refused, type StepResult } from "../actors/Actors.ts"
import type { OpenPage } from "../actors/Browser.ts"
import { createCustomer } from "../actors/Customer.ts"
import type { Button } from "../actors/Payer.ts"
import { randomLinks, requestFor } from "../scenarios/OrderRequests.ts"
import { customerSpec } from "../scenarios/Scenario.ts"

/** The last orders can be sent again. */
const MAX_ORDERS = 50

const YOU = customerSpec("You", { creditCents: 5_000, webhook: true, dailyOrderCap: 0 })

interface SentOrder {
  readonly request: OrderRequest
  readonly key: string
}

export const makeInteractiveCustomer = Effect.gen(function* () {
  const { accountId, agent, payer } = yield* createCustomer(YOU)
  /** Orders by quote, oldest first. */
  const sent = new BoundedMap<string, SentOrder>(MAX_ORDERS)
  let orders = 0

  const placeOrder = Effect.gen(function* () {
    const request = yield* requestFor(yield* randomLinks(["Plancton", "Corail", "Nautilus"]))
    const key = `key-press-${++orders}`
    const result = yield* agent.order(request, key, `orders ${counted(request.items.length, "link")}`)
    const quoteId = result.ok ? result.body.quote_id : null
    if (quoteId !== null) sent.set(quoteId, { request, key })
    return result
  })

  const replay = (quoteId: QuoteId | null): Effect.Effect<StepResult<QuoteResponse>> => {
    const order = quoteId === null ? [...sent.values()].at(-1) : sent.get(quoteId)
    return order === undefined
      ? Effect.succeed(refused("nothing_to_replay", "Only an order placed at a key press can be sent again."))
      : agent.order(order.request, order.key, "sends the very same order again")
  }

  const press = (button: Button, url: string): Effect.Effect<StepResult<OpenPage>> =>
    Effect.flatMap(payer.open(url), (page) => (page.ok ? payer.press(button, page.body) : Effect.succeed(page)))

  return { accountId, placeOrder, replay, press }
})
