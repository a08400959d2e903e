// The single steps of a scenario, each done by the member it names and compared with what the scenario says must come of it.
import { Effect, Random } from "effect"
import type { OrderRequest } from "#adapters/contract/OrderRequest.ts"
import type { QuoteResponse } from "#adapters/contract/QuoteResponse.ts"
import type { StepResult } from "../actors/Actors.ts"
import type { Customer } from "../actors/Customer.ts"
import type { OpenPage } from "../actors/Payer.ts"
import type { Publisher } from "../actors/Publisher.ts"
import { links, requestFor } from "./OrderRequests.ts"
import type { Gets, Step } from "./Scenario.ts"

interface Ordered {
  readonly customer: Customer
  readonly request: OrderRequest
  readonly key: string
  /** `null` where it was refused. */
  readonly body: QuoteResponse | null
  /** As the human has it open. */
  readonly page: OpenPage | null
}

export interface Stage {
  readonly customers: ReadonlyMap<string, Customer>
  readonly publisher: Publisher
  /** How many events of this kind its receiver took. */
  readonly heard: (webhookId: string | null, event: string) => number
  /** By the name that the scenario gives them. */
  readonly orders: Map<string, Ordered>
  /** Something did not come out as the scenario says. */
  readonly find: (what: string) => void
}

/** Those of the wanted fields that came out otherwise, in words; empty where all is well. */
const differences = (wanted: Readonly<Record<string, unknown>>, got: Readonly<Record<string, unknown>>): string =>
  Object.entries(wanted)
    .filter(([field, value]) => value !== undefined && got[field] !== value)
    .map(([field, value]) => `${field} is ${got[field]} instead of ${value}`)
    .join(", ")

const judged = (answer: StepResult<QuoteResponse>, gets: Gets): string => {
  if ("refused" in gets) {
    const code = answer.ok ? answer.body.status : answer.code
    return differences({ answer: gets.refused }, { answer: code })
  }
  if (!answer.ok) return `it was refused with ${answer.code}`
  const { status, credit_applied_cents: creditCents, card_amount_cents: cardCents, discount } = answer.body
  return differences({ ...gets }, { status, creditCents, cardCents, discount: discount.source })
}

type Of<Does extends Step["does"]> = Extract<Step, { readonly does: Does }>
type Played = Exclude<Step, Of<"wait" | "set receiver" | "set processor" | "crowd">>

const freshKey = Effect.map(
  Effect.all([Random.nextIntBetween(0, 0xffff_ffff), Random.nextIntBetween(0, 0xffff_ffff)]),
  (halves) => halves.map((half) => half.toString(16).padStart(8, "0")).join("")
)

export const makeSteps = (stage: Stage) => {
  const { orders, publisher } = stage
  const expect = (step: Step, difference: string) =>
    Effect.sync(() => {
      if (difference !== "") stage.find(`at "${step.does}"${"as" in step ? ` ${step.as}` : ""}: ${difference}`)
    })

  const customer = (name: string): Effect.Effect<Customer> =>
    Effect.suspend(() => {
      const one = stage.customers.get(name)
      return one === undefined
        ? Effect.die(new Error(`Nobody in this scenario is called ${name}.`))
        : Effect.succeed(one)
    })

  const ordered = (name: string): Effect.Effect<Ordered> =>
    Effect.suspend(() => {
      const one = orders.get(name)
      return one === undefined
        ? Effect.die(new Error(`No order in this scenario is called ${name}.`))
        : Effect.succeed(one)
    })

  const quoteIdOf = ({ body }: Ordered): string => body?.quote_id ?? "none"

  /** By the quote: the order of an answer may have come to be later. */
  const orderIdOf = Effect.fnUntraced(function* (name: string) {
    const { customer, body } = yield* ordered(name)
    if (body?.order_id !== undefined) return body.order_id
    const quote = yield* customer.agent.quote(body?.quote_id ?? "none")
    return quote.ok ? (quote.body.order_id ?? "none") : "none"
  })

  const order = Effect.fnUntraced(function* (step: Of<"order">) {
    const buyer = yield* customer(step.who)
    const request = yield* requestFor(step.buys, step.promo)
    const key = yield* freshKey
    const coded = step.promo === undefined ? "" : ` with the code ${step.promo}`
    const answer = yield* buyer.agent.order(request, key, `orders ${links(request.items.length)}${coded}`)
    orders.set(step.as, { customer: buyer, request, key, body: answer.ok ? answer.body : null, page: null })
    yield* expect(step, judged(answer, step.gets))
  })

  const repeat = Effect.fnUntraced(function* (step: Of<"repeat">) {
    const first = yield* ordered(step.as)
    const { agent } = first.customer
    const other = step.buys === undefined ? undefined : yield* requestFor(step.buys)
    const action = other === undefined ? "sends the very same order again" : "orders something else with the same key"
    const answer = yield* agent.order(other ?? first.request, first.key, action)
    if (step.gets === "the same") {
      const same = answer.ok && JSON.stringify(answer.body) === JSON.stringify(first.body)
      return yield* expect(step, same ? "" : "the answer is another one")
    }
    if (answer.ok && other === undefined) orders.set(step.as, { ...first, body: answer.body })
    yield* expect(step, judged(answer, step.gets))
  })

  const openPage = Effect.fnUntraced(function* (step: Of<"open page" | "press">) {
    const one = yield* ordered(step.as)
    const opened = yield* one.customer.payer.open(one.body?.payment_url ?? "http://127.0.0.1/")
    const page = opened.ok ? opened.body : null
    orders.set(step.as, { ...one, page })
    yield* expect(step, page === null ? "the page cannot be opened" : "")
    return page
  })

  const press = Effect.fnUntraced(function* (step: Of<"press">) {
    const { customer, page } = yield* ordered(step.as)
    const shown = page ?? (yield* openPage(step))
    if (shown === null) return
    const answer = yield* customer.payer.press(step.button, shown)
    yield* expect(step, answer.ok ? "" : answer.message)
  })

  const went = (step: Step, answer: StepResult<unknown>) =>
    expect(step, answer.ok ? "" : `${answer.code}: ${answer.message}`)

  return Effect.fnUntraced(function* (step: Played) {
    switch (step.does) {
      case "search":
        return yield* went(step, yield* (yield* customer(step.who)).agent.search({ shelf: step.shelf, limit: 3 }))
      case "order":
        return yield* order(step)
      case "repeat":
        return yield* repeat(step)
      case "open page":
        return void (yield* openPage(step))
      case "press":
        return yield* press(step)
      case "give up": {
        const one = yield* ordered(step.as)
        return yield* went(step, yield* one.customer.rest.giveUp(quoteIdOf(one)))
      }
      case "advance sandbox": {
        const orderId = yield* orderIdOf(step.as)
        return yield* went(step, yield* (yield* ordered(step.as)).customer.rest.advance(orderId, step.to))
      }
      case "fulfil": {
        const orderId = yield* orderIdOf(step.as)
        const moved = step.links === "all" ? publisher.moveAll(orderId, step.to) : publisher.moveNext(orderId, step.to)
        return yield* went(step, yield* moved)
      }
      case "cancel": {
        const orderId = yield* orderIdOf(step.as)
        if (step.links === "all") return yield* went(step, yield* publisher.cancelOrder(orderId))
        return yield* went(step, yield* publisher.cancelNext(orderId))
      }
      case "top up": {
        const { accountId } = yield* customer(step.who)
        return yield* went(step, yield* publisher.topUp(accountId, step.cents, yield* freshKey))
      }
      case "balance": {
        const answer = yield* (yield* customer(step.who)).agent.balance
        if (!answer.ok) return yield* went(step, answer)
        const { available_cents: availableCents, held_cents: heldCents } = answer.body
        const wanted = { availableCents: step.availableCents, heldCents: step.heldCents }
        return yield* expect(step, differences(wanted, { availableCents, heldCents }))
      }
      case "quote": {
        const one = yield* ordered(step.as)
        const answer = yield* one.customer.agent.quote(quoteIdOf(one))
        if (!answer.ok) return yield* went(step, answer)
        const { status, credited_cents: creditedCents } = answer.body
        const wanted = { status: step.status, creditedCents: step.creditedCents }
        return yield* expect(step, differences(wanted, { status, creditedCents }))
      }
      case "order status": {
        const orderId = yield* orderIdOf(step.as)
        const answer = yield* (yield* ordered(step.as)).customer.agent.follow(orderId)
        if (!answer.ok) return yield* went(step, answer)
        return yield* expect(step, differences({ status: step.status }, { status: answer.body.order_status }))
      }
      case "heard": {
        const { webhookId } = yield* customer(step.who)
        const times = stage.heard(webhookId, step.event)
        return yield* expect(step, differences({ [step.event]: step.times }, { [step.event]: times }))
      }
    }
  })
}
