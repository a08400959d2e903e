// The pace of a pass: it leaves the database to orders between its steps until documents are late, and no source holds up the others.
import { it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { NOTHING_ISSUED } from "#core/domain/InvoiceSeries.ts"
import { issueDue } from "#core/domain/InvoicesDue.ts"
import { Invoices, type IssueStep } from "#core/ports/Invoices.ts"
import { ServiceContext } from "#core/ports/ServiceContext.ts"
import { IssueInvoices } from "#core/usecases/IssueInvoices.ts"
import { NOON, rules } from "#test/core/Given.ts"
import { orderOver, terms } from "#test/core/InvoiceGiven.ts"

const STEP_MS = 50

interface Step {
  readonly source: IssueStep["source"]
  readonly startMs: number
}

/** Runs a pass over a store that has this many steps of orders left, whose order was placed that long ago, and one of each other source. */
const passOver = Effect.fnUntraced(function* (orderSteps: number, waitedMs: number) {
  const steps: Array<Step> = []
  const issued = issueDue(
    [{ _tag: "OrderPlaced", placed: orderOver([1_000]), buyer: { accountName: "Ada", identity: null } }],
    terms(),
    { series: NOTHING_ISSUED, sellerSinceMs: null, nowMs: NOON + waitedMs }
  )
  let left = orderSteps
  const store = Layer.mock(Invoices, {
    issue: ({ source }) =>
      Effect.gen(function* () {
        steps.push({ source, startMs: yield* Clock.currentTimeMillis })
        yield* Effect.sleep(STEP_MS)
        if (source !== "orders") return { issued: [], next: null }
        left--
        return { issued, next: left === 0 ? null : "ord_next" }
      })
  })
  const page = (id: string) => `https://shop.example/${id}`
  const context = Layer.succeed(ServiceContext, { ...rules, seller: terms(), paymentPage: page, approvalPage: page })
  const pass = Effect.flatMap(IssueInvoices, (service) => service.pass(false)).pipe(
    Effect.provide(IssueInvoices.layer.pipe(Layer.provide([store, context])))
  )
  const running = yield* Effect.forkChild(pass)
  yield* TestClock.adjust("1 hour")
  return { steps, count: yield* Fiber.join(running) }
})

const startsOf = (steps: ReadonlyArray<Step>) => steps.map(({ startMs }) => startMs)

it.effect("leaves nine tenths of the time to orders while documents are in time", () =>
  Effect.gen(function* () {
    const { steps, count } = yield* passOver(3, 5_000)
    expect(count).toBe(3)
    expect(startsOf(steps)).toEqual([0, 500, 550, 600, 1_100])
  })
)

it.effect("goes on almost at once while documents are late", () =>
  Effect.gen(function* () {
    const { steps } = yield* passOver(3, 25_000)
    expect(startsOf(steps)).toEqual([0, 70, 120, 170, 240])
  })
)

it.effect("takes a step of each source in turn", () =>
  Effect.gen(function* () {
    const { steps } = yield* passOver(3, 5_000)
    expect(steps.map(({ source }) => source)).toEqual(["orders", "ledger", "refunds", "orders", "orders"])
  })
)
