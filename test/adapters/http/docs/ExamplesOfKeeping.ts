// The examples of what follows a purchase: documents, webhooks, events, and the sandbox. Played in this order against the demo.
import { Effect, HashMap, Redacted } from "effect"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { by } from "#test/scenarios/Buyers.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { untilBooks } from "#test/scenarios/RunningService.ts"
import { EXAMPLE_RECEIVER, type ExampleRecorder, keys } from "./ExampleRecorder.ts"
import { type Bought, spring } from "./ExamplesOfBuying.ts"

const SINCE = "2026-11-21"

/** Waits until the order has so many documents, because a job issues them. */
export const untilIssued = Effect.fnUntraced(function* ({ send }: ExampleRecorder, orderId: string, count: number) {
  const { pass } = yield* IssueInvoices
  const found = Effect.map(send("listInvoices", { query: { order_id: orderId } }), ({ text }) => JSON.parse(text).count)
  yield* Effect.repeat(Effect.andThen(pass(true), found), { until: (documents) => documents >= count })
})

export const readDocuments = Effect.fnUntraced(function* (recorder: ExampleRecorder, bought: Bought) {
  const { play } = recorder
  // Its links were cancelled, so that it has a credit note, too.
  yield* untilIssued(recorder, bought.ofProject("order_id"), 2)
  const found = yield* play("listInvoices", "of_an_order", {
    summary: "The documents of an order",
    query: { order_id: bought.order("order_id") }
  })
  yield* play("listInvoices", "of_a_year", {
    summary: "What was issued in some time",
    query: { issued_from: SINCE, issued_to: "2027-11-30", limit: 1 }
  })
  const path = { id: found("invoices", 0, "invoice_id") }
  yield* play("getInvoice", "of_an_order", { summary: "The invoice of an order", path })
  yield* play("getInvoicePdf", "of_an_order", { summary: "The same as PDF", path })
})

export const useWebhooks = Effect.fnUntraced(function* ({ play }: ExampleRecorder) {
  const created = yield* play("createWebhook", "of_this_key", {
    summary: "Be told of the orders of this key",
    description: "Wants a public address of yours that answers a POST.",
    idempotencyKey: "webhook-1",
    body: { url: EXAMPLE_RECEIVER, events: ["order.published", "order.completed"] }
  })
  yield* play("createWebhook", "of_the_account", {
    summary: "Be told of everything that the account buys",
    description: "Wants a public address of yours that answers a POST.",
    body: { url: EXAMPLE_RECEIVER, events: ["*"], scope: "account" }
  })
  const path = { id: created("id") }
  const queued = yield* play("testWebhook", "queued", { summary: "Send a test", path, idempotencyKey: "test-1" })
  yield* untilBooks(({ deliveries }) =>
    HashMap.toValues(deliveries).some(
      ({ deliveryId, attempts }) => deliveryId === queued("delivery_id") && attempts.length > 0
    )
  )
  yield* play("listDeliveries", "newest", { summary: "What was sent last", path, query: { limit: 1 } })
  yield* play("redeliver", "queued", {
    summary: "Send it again",
    path: { ...path, delivery_id: queued("delivery_id") },
    idempotencyKey: "again-1"
  })
  yield* play("changeWebhook", "other_events", {
    summary: "Other events",
    path,
    idempotencyKey: "webhook-2",
    body: { events: ["order.accepted", "order.published"] }
  })
  yield* play("changeWebhook", "enable_again", {
    summary: "Enable it again after it was disabled",
    path,
    body: { active: true }
  })
  yield* play("replayWebhook", "since_a_day", {
    summary: "Deliver what it missed",
    path,
    idempotencyKey: "replay-1",
    body: { from: SINCE }
  })
  yield* play("rotateSecret", "rotated", { summary: "Another secret", path, idempotencyKey: "rotate-1" })
})

/** Awaits the deliveries that were queued, because lists of webhooks show the last one. */
export const endWebhooks = Effect.fnUntraced(function* ({ play, send }: ExampleRecorder) {
  yield* untilBooks(({ deliveries }) => HashMap.toValues(deliveries).every(({ state }) => state !== "pending"))
  const list = yield* play("listWebhooks", "active", { summary: "The active webhooks of this key" })
  const path = { id: list("webhooks", 0, "id") }
  yield* play("getWebhook", "active", { summary: "An active webhook", path })
  yield* play("deleteWebhook", "revoked", { summary: "Nothing is sent any more", path })
  yield* send("deleteWebhook", { path: { id: list("webhooks", 1, "id") } })
})

const inSandbox = { description: "With the demo's test key.", key: keys.test }

/** A quote of the sandbox that nothing has paid. */
const unpaid = ({ send }: ExampleRecorder) =>
  Effect.map(
    send("createOrder", { key: keys.test, body: { items: [spring], sandbox_credit_cents: 0 } }),
    ({ text }): string => JSON.parse(text).quote_id
  )

const decideInSandbox = Effect.fnUntraced(function* (recorder: ExampleRecorder) {
  const { play } = recorder
  const credentials = yield* Credentials
  const key = yield* credentials.withText(Redacted.make(keys.test))
  if (key === null) return yield* Effect.die("the demo has a test key")
  yield* credentials.limit(key.keyId, { approveAboveCents: 0 }, by)
  const asking = yield* play("createOrder", "awaiting_approval", {
    summary: "The user approves orders of this key first",
    description: "With the demo's test key, once its owner asked in the member area to approve its orders.",
    key: keys.test,
    idempotencyKey: "sandbox-2",
    body: { items: [spring], sandbox_credit_cents: 10_000 }
  })
  yield* recorder.keepEvents(keys.test)
  yield* play("approveSandboxQuote", "approved", {
    ...inSandbox,
    summary: "Pretend that the user approved",
    path: { id: asking("quote_id") },
    idempotencyKey: "approve-1"
  })
  yield* play("declineSandboxQuote", "declined", {
    ...inSandbox,
    summary: "Pretend that the user declined, with a word to the agent",
    path: { id: yield* unpaid(recorder) },
    idempotencyKey: "decline-1",
    body: { reason: "Too dear for this month." }
  })
  yield* credentials.limit(key.keyId, { approveAboveCents: null }, by)
})

export const playSandbox = Effect.fnUntraced(function* (recorder: ExampleRecorder) {
  const { play } = recorder
  const placed = yield* play("createOrder", "sandbox", {
    ...inSandbox,
    summary: "Order in the sandbox, as if there were 100 euros of credit",
    idempotencyKey: "sandbox-1",
    body: { items: [spring], sandbox_credit_cents: 10_000 }
  })
  yield* play("paySandboxQuote", "paid", {
    ...inSandbox,
    summary: "Pretend that a human paid",
    path: { id: yield* unpaid(recorder) },
    idempotencyKey: "pay-1"
  })
  yield* play("abandonSandboxQuote", "given_up", {
    ...inSandbox,
    summary: "Pretend that a human gave up",
    path: { id: yield* unpaid(recorder) },
    idempotencyKey: "give-up-1"
  })
  yield* decideInSandbox(recorder)
  const path = { id: placed("order_id") }
  yield* play("advanceSandboxOrder", "written", {
    ...inSandbox,
    summary: "Move the links until they are written",
    path,
    body: { to: "drafted" }
  })
  yield* play("cancelOrder", "what_can_be", {
    summary: "Cancel what can be cancelled, and see why the rest stays",
    description: "With the demo's test key, and an order on which work has begun.",
    key: keys.test,
    path,
    body: { only: "cancellable" }
  })
  yield* play("advanceSandboxOrder", "published", {
    ...inSandbox,
    summary: "Put the links online",
    path,
    idempotencyKey: "advance-1",
    body: { to: "published" }
  })
  return placed
})

export const listEvents = Effect.fnUntraced(function* ({ play, keepEvents }: ExampleRecorder, bought: Bought) {
  yield* play("listEvents", "of_a_type", {
    summary: "Orders of the whole account that came to be",
    query: { scope: "account", type: "order.accepted", created_from: SINCE, limit: 1 }
  })
  yield* play("listEvents", "of_an_order", {
    summary: "What became of an order",
    query: { order_id: bought.order("order_id"), limit: 1 }
  })
  yield* play("listEvents", "of_a_quote", {
    summary: "What became of a quote",
    query: { quote_id: bought.byCard("quote_id"), limit: 1 }
  })
  yield* keepEvents(keys.test)
  yield* keepEvents(keys.live)
})

/** A quote lapses after a day: for the event that tells of it. */
export const letExpire = Effect.fnUntraced(function* (recorder: ExampleRecorder) {
  const { sweep } = yield* SweepQuotes
  const { advance } = yield* MovableClock
  yield* unpaid(recorder)
  yield* advance("25 hours")
  yield* sweep()
  yield* recorder.keepEvents(keys.test)
})
