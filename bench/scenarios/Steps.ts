// Executes the single steps of a scenario and compares each result with what the scenario expects.
import { Effect, Random } from "effect"
import type { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { StepResult } from "../actors/Actors.ts"
import { executeLaterStep, isLaterStep } from "./LaterSteps.ts"
import { requestFor } from "./OrderRequests.ts"
import type { Expected, Step, StepOf } from "./Scenario.ts"
import { compare, differences, lookUp, orderIdOf, quoteIdOf, refusal, type ScenarioContext } from "./ScenarioContext.ts"

const orderDifferences = (result: StepResult<QuoteResponse>, expected: Expected): string => {
  if ("refused" in expected) {
    return differences({ answer: expected.refused }, { answer: result.ok ? result.body.status : result.code })
  }
  if (!result.ok) return `it was refused with ${result.code}`
  const { status, credit_applied_cents: creditCents, card_amount_cents: cardCents, discount } = result.body
  return differences({ ...expected }, { status, creditCents, cardCents, discount: discount.source })
}

type ActorStep = Exclude<Step, StepOf<"wait" | "set receiver" | "set processor" | "load">>

const randomKey = Effect.map(
  Effect.all([Random.nextIntBetween(0, 0xffff_ffff), Random.nextIntBetween(0, 0xffff_ffff)]),
  (halves) => halves.map((half) => half.toString(16).padStart(8, "0")).join("")
)

const order = Effect.fnUntraced(function* (
  { customers, orders }: ScenarioContext,
  { who, as, buys, promo, gets }: StepOf<"order">
) {
  const customer = lookUp(customers, who)
  const request = yield* requestFor(buys, promo)
  const key = yield* randomKey
  const withCode = promo === undefined ? "" : ` with the code ${promo}`
  const result = yield* customer.agent.order(request, key, `orders ${counted(request.items.length, "link")}${withCode}`)
  orders.set(as, { customer, request, key, body: result.ok ? result.body : null, page: null })
  return orderDifferences(result, gets)
})

const repeat = Effect.fnUntraced(function* ({ orders }: ScenarioContext, { as, buys, gets }: StepOf<"repeat">) {
  const first = lookUp(orders, as)
  const other = buys === undefined ? undefined : yield* requestFor(buys)
  const action = other === undefined ? "sends the very same order again" : "orders something else with the same key"
  const result = yield* first.customer.agent.order(other ?? first.request, first.key, action)
  if (gets === "the same") {
    const same = result.ok && JSON.stringify(result.body) === JSON.stringify(first.body)
    return same ? "" : "the answer is another one"
  }
  if (result.ok && other === undefined) orders.set(as, { ...first, body: result.body })
  return orderDifferences(result, gets)
})

const openPage = Effect.fnUntraced(function* ({ orders }: ScenarioContext, as: string) {
  const one = lookUp(orders, as)
  const opened = yield* one.customer.payer.open(one.body?.payment_url ?? "http://127.0.0.1/")
  const page = opened.ok ? opened.body : null
  orders.set(as, { ...one, page })
  return page
})

const press = Effect.fnUntraced(function* (context: ScenarioContext, { as, button }: StepOf<"press">) {
  const { customer, page: opened } = lookUp(context.orders, as)
  const page = opened ?? (yield* openPage(context, as))
  if (page === null) return "the page cannot be opened"
  const result = yield* customer.payer.press(button, page)
  return result.ok ? "" : result.message
})

const decide = Effect.fnUntraced(function* (context: ScenarioContext, { as, button, word }: StepOf<"decide">) {
  const { member } = lookUp(context.orders, as).customer
  const signedIn = yield* member.signIn
  return refusal(signedIn.ok ? yield* member.decide(quoteIdOf(context, as), button, word) : signedIn)
})

const topUp = Effect.fnUntraced(function* (
  { customers }: ScenarioContext,
  { who, cents, button, presses }: StepOf<"top up">
) {
  const { member, payer } = lookUp(customers, who)
  const signedIn = yield* member.signIn
  if (!signedIn.ok) return refusal(signedIn)
  const asked = yield* member.topUp(cents)
  if (!asked.ok) return refusal(asked)
  const opened = yield* payer.open(asked.body.paymentUrl)
  if (!opened.ok) return refusal(opened)
  const pressed = yield* Effect.forEach(Array.from({ length: presses }), () => payer.press(button, opened.body))
  return pressed.map(refusal).find((message) => message !== "") ?? ""
})

const compareBalance = Effect.fnUntraced(function* ({ customers }: ScenarioContext, step: StepOf<"balance">) {
  const { availableCents, heldCents } = step
  const result = yield* lookUp(customers, step.who).agent.balance
  return compare(result, { availableCents, heldCents }, (balance) => {
    const { available_cents: availableCents, held_cents: heldCents } = balance
    return { availableCents, heldCents }
  })
})

const compareQuote = Effect.fnUntraced(function* (context: ScenarioContext, step: StepOf<"quote">) {
  const { status, creditedCents, declinedReason } = step
  const result = yield* lookUp(context.orders, step.as).customer.agent.quote(quoteIdOf(context, step.as))
  return compare(result, { status, creditedCents, declinedReason }, (quote) => {
    const { status, credited_cents: creditedCents, declined_reason: declinedReason } = quote
    return { status, creditedCents, declinedReason }
  })
})

/** Returns how the result differs from the expected one; empty where it does not. */
const execute = Effect.fnUntraced(function* (context: ScenarioContext, step: ActorStep) {
  if (isLaterStep(step)) return yield* executeLaterStep(context, step)
  const { customers, orders, publisher, received } = context
  switch (step.does) {
    case "search":
      return refusal(yield* lookUp(customers, step.who).agent.search({ shelf: step.shelf, limit: 3 }))
    case "order":
      return yield* order(context, step)
    case "repeat":
      return yield* repeat(context, step)
    case "open page":
      return (yield* openPage(context, step.as)) === null ? "the page cannot be opened" : ""
    case "press":
      return yield* press(context, step)
    case "abandon":
      return refusal(yield* lookUp(orders, step.as).customer.rest.abandon(quoteIdOf(context, step.as)))
    case "decide":
      return yield* decide(context, step)
    case "top up":
      return yield* topUp(context, step)
    case "advance sandbox":
      return refusal(yield* lookUp(orders, step.as).customer.rest.advance(yield* orderIdOf(context, step.as), step.to))
    case "fulfil": {
      const move = step.links === "all" ? publisher.moveAll : publisher.moveNext
      return refusal(yield* move(yield* orderIdOf(context, step.as), step.to))
    }
    case "cancel": {
      const cancel = step.links === "all" ? publisher.cancelOrder : publisher.cancelNext
      return refusal(yield* cancel(yield* orderIdOf(context, step.as)))
    }
    case "balance":
      return yield* compareBalance(context, step)
    case "quote":
      return yield* compareQuote(context, step)
    case "order status": {
      const result = yield* lookUp(orders, step.as).customer.agent.readOrder(yield* orderIdOf(context, step.as))
      return compare(result, { status: step.status }, ({ order_status }) => ({ status: order_status }))
    }
    case "received": {
      const times = received(lookUp(customers, step.who).webhookId, step.event)
      return differences({ [step.event]: step.times }, { [step.event]: times })
    }
  }
})

/** Executes a step, and reports how its result differs from the expected one. */
export const executeStep = (context: ScenarioContext, step: ActorStep) =>
  Effect.map(execute(context, step), (difference) => {
    if (difference !== "") context.violate(`at "${step.does}"${"as" in step ? ` ${step.as}` : ""}: ${difference}`)
  })
