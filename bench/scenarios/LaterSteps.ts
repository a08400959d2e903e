// Executes the steps of the days after a purchase: a new key, lists over the account, changes, cancellation, a replay.
import { Clock, Effect } from "effect"
import { addKey } from "../actors/Customer.ts"
import type { Step, StepOf } from "./Scenario.ts"
import { compare, differences, lookUp, orderIdOf, refusal, type ScenarioContext } from "./ScenarioContext.ts"

const LATER = ["new key", "list orders", "list overdue", "change link", "cancel own", "endpoint", "replay"] as const

type LaterStep = StepOf<(typeof LATER)[number]>

export const isLaterStep = (step: Step): step is LaterStep => LATER.some((does) => does === step.does)

const DAY_MS = 86_400_000

const webhookOf = ({ customers }: ScenarioContext, who: string) => {
  const { webhookId, later } = lookUp(customers, who)
  if (webhookId === null) throw new Error(`${who} has no webhook.`)
  return { webhookId, later }
}

const listOrders = Effect.fnUntraced(function* ({ customers }: ScenarioContext, step: StepOf<"list orders">) {
  const { who, scope, orders, leftOut } = step
  const result = yield* lookUp(customers, who).later.orders(scope)
  return compare(result, { orders, leftOut }, (list) => ({
    orders: list.orders.length,
    leftOut: list.other_credentials?.orders ?? 0
  }))
})

const changeLink = Effect.fnUntraced(function* (context: ScenarioContext, step: StepOf<"change link">) {
  const { later } = lookUp(context.customers, step.who)
  const result = yield* later.changeAnchor(yield* orderIdOf(context, step.as), step.anchor)
  if (step.gets === "changed")
    return compare(result, { changed: "anchor_text" }, ({ changed }) => ({ changed: changed.join(", ") }))
  return differences({ answer: step.gets.refused }, { answer: result.ok ? "changed" : result.code })
})

const cancelOwn = Effect.fnUntraced(function* (context: ScenarioContext, step: StepOf<"cancel own">) {
  const { cancelled, kept, creditedCents } = step
  const { later, agent } = lookUp(context.orders, step.as).customer
  const before = yield* agent.balance
  const result = yield* later.cancel(yield* orderIdOf(context, step.as))
  const after = yield* agent.balance
  if (!before.ok || !after.ok) return refusal(before) + refusal(after)
  return compare(result, { cancelled, kept, creditedCents }, (order) => ({
    cancelled: order.cancelled.length,
    kept: order.kept.length,
    creditedCents: after.body.available_cents - before.body.available_cents
  }))
})

const replay = Effect.fnUntraced(function* (context: ScenarioContext, { who, days, events }: StepOf<"replay">) {
  const { webhookId, later } = webhookOf(context, who)
  const enabled = yield* later.enable(webhookId)
  if (!enabled.ok) return refusal(enabled)
  const from = new Date((yield* Clock.currentTimeMillis) - days * DAY_MS).toISOString()
  return compare(yield* later.replay(webhookId, from), { events }, ({ queued }) => ({ events: queued }))
})

/** Returns how the result differs from the expected one; empty where it does not. */
export const executeLaterStep = Effect.fnUntraced(function* (context: ScenarioContext, step: LaterStep) {
  const { customers } = context
  switch (step.does) {
    case "new key": {
      customers.set(step.who, yield* addKey(lookUp(customers, step.of), step.who))
      return ""
    }
    case "list orders":
      return yield* listOrders(context, step)
    case "list overdue":
      return compare(yield* lookUp(customers, step.who).later.overdue, { links: step.links }, ({ links }) => ({
        links: links.length
      }))
    case "change link":
      return yield* changeLink(context, step)
    case "cancel own":
      return yield* cancelOwn(context, step)
    case "endpoint": {
      const { webhookId, later } = webhookOf(context, step.who)
      return compare(yield* later.webhook(webhookId), { status: step.status }, ({ status }) => ({ status }))
    }
    case "replay":
      return yield* replay(context, step)
  }
})
