// The pace of a pass: it leaves the database to orders between its steps until documents are late, and no source holds up the others.
import { it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { NOTHING_ISSUED } from "#core/domain/invoicing/InvoiceSeries.ts"
import { issueDue } from "#core/domain/invoicing/InvoicesDue.ts"
import { Invoices, type IssueStep } from "#core/ports/invoicing/Invoices.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { NOON } from "#test/core/Given.ts"
import { orderOver, terms } from "#test/core/InvoiceGiven.ts"
import { givenService } from "../GivenService.ts"

interface Step {
  readonly source: IssueStep["source"]
  readonly after: IssueStep["after"]
  readonly startMs: number
}

/** What is left for a pass. */
interface Given {
  /** Steps of each source. */
  readonly left: Readonly<Record<IssueStep["source"], number>>
  /** Since when the orders wait. Those of the other sources do not. */
  readonly waitedMs: number
  readonly stepMs: number
}

const passOver = Effect.fnUntraced(function* ({ left, waitedMs, stepMs }: Given) {
  const steps: Array<Step> = []
  const issued = issueDue(
    [{ _tag: "OrderPlaced", placed: orderOver([1_000]), buyer: { accountName: "Ada", identity: null } }],
    terms(),
    { series: NOTHING_ISSUED, sellerSinceMs: null, nowMs: NOON + waitedMs }
  )
  const stepsLeft = { ...left }
  const store = Layer.mock(Invoices, {
    issue: ({ source, after }) =>
      Effect.gen(function* () {
        steps.push({ source, after, startMs: yield* Clock.currentTimeMillis })
        yield* Effect.sleep(stepMs)
        stepsLeft[source]--
        return { issued: source === "orders" ? issued : [], next: stepsLeft[source] > 0 ? "next" : null }
      })
  })
  const pass = Effect.flatMap(IssueInvoices, (service) => service.pass(false)).pipe(
    Effect.provide(IssueInvoices.layer.pipe(Layer.provide([store, givenService])))
  )
  const running = yield* Effect.forkChild(pass)
  yield* TestClock.adjust("1 hour")
  return { steps, count: yield* Fiber.join(running) }
})

const startsOf = (steps: ReadonlyArray<Step>) => steps.map(({ startMs }) => startMs)

const mostlyOrders = { orders: 3, ledger: 1, refunds: 1 }

/** Steps of one round. */
const ROUND = ["orders", "ledger", "refunds"]

it.effect("leaves nine tenths of the time to orders while documents are in time", () =>
  Effect.gen(function* () {
    const { steps, count } = yield* passOver({ left: mostlyOrders, waitedMs: 5_000, stepMs: 10 })
    expect(count).toBe(3)
    expect(startsOf(steps)).toEqual([0, 10, 20, 300, 310, 320, 600, 610, 620])
  })
)

it.effect("pauses for no longer than a second, however long the steps took", () =>
  Effect.gen(function* () {
    const { steps } = yield* passOver({ left: { orders: 2, ledger: 1, refunds: 1 }, waitedMs: 5_000, stepMs: 3_000 })
    expect(startsOf(steps)).toEqual([0, 3_000, 6_000, 10_000, 13_000, 16_000])
  })
)

it.effect("goes on almost at once while documents of one source are late, whatever those of the others are", () =>
  Effect.gen(function* () {
    const { steps } = yield* passOver({ left: { orders: 3, ledger: 2, refunds: 1 }, waitedMs: 25_000, stepMs: 10 })
    expect(startsOf(steps)).toEqual([0, 10, 20, 50, 60, 70, 100, 110, 120])
  })
)

it.effect("asks each source again as long as one has more, because credit notes wait for invoices", () =>
  Effect.gen(function* () {
    const { steps } = yield* passOver({ left: mostlyOrders, waitedMs: 5_000, stepMs: 10 })
    expect(steps.map(({ source }) => source)).toEqual([...ROUND, ...ROUND, ...ROUND])
    expect(steps.map(({ after }) => after)).toEqual([null, null, null, "next", null, null, "next", null, null])
  })
)
