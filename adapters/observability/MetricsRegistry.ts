// The metrics registry of one service, and the gauges that are read from the store: the delivery backlog, payments set aside, and quotes
// that await approval. Counters start at 0, so that a monitor sees the first increment of each.
import { Clock, Context, Duration, Effect, Layer, Metric } from "effect"
import { refusalCounters } from "#adapters/contract/errors/RefusalCounters.ts"
import { replays } from "#adapters/http/server/Metrics.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { orderBookCounters } from "./OrderBookMetrics.ts"
import { retentionCounters } from "./RetentionMetrics.ts"

/** A separate registry per service: several may run in one process. */
export const layer: Layer.Layer<never> = Layer.suspend(() => {
  const context = Context.make(Metric.MetricRegistry, new Map())
  for (const counter of [...orderBookCounters, ...refusalCounters, ...retentionCounters, replays])
    counter.updateUnsafe(0, context)
  return Layer.succeedContext(context)
})

const dueGauge = Metric.gauge("backlinks_webhook_deliveries_due", {
  description: "Deliveries that are due and not being sent; NaN while the store is unavailable."
})

const oldestDueGauge = Metric.gauge("backlinks_webhook_oldest_due_age_seconds", {
  description: "Age of the oldest delivery that is due and not being sent; NaN while the store is unavailable."
})

const READ_TIMEOUT = Duration.seconds(2)

const unknown = { due: Number.NaN, oldestDueAtMs: Number.NaN }

const makeBacklogGauges = Effect.gen(function* () {
  const { backlog } = yield* Deliveries
  return Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    const found = yield* backlog(nowMs).pipe(
      Effect.timeout(READ_TIMEOUT),
      Effect.orElseSucceed(() => unknown)
    )
    yield* Metric.update(dueGauge, found.due)
    yield* Metric.update(oldestDueGauge, found.oldestDueAtMs === null ? 0 : (nowMs - found.oldestDueAtMs) / 1_000)
  })
})

const setAsideGauge = (currency: string) =>
  Metric.gauge("backlinks_payments_set_aside", {
    description: "Payments set aside that wait for the operator's decision; NaN while the store is unavailable.",
    attributes: { currency }
  })

const setAsideCentsGauge = (currency: string) =>
  Metric.gauge("backlinks_payments_set_aside_cents", {
    description:
      "Sum of the payments set aside that wait for the operator's decision; NaN while the store is unavailable.",
    attributes: { currency }
  })

/** A currency stays exposed once it was: at 0 when the operator has decided on all of its payments. */
const makeSetAsideGauges = Effect.gen(function* () {
  const { setAsideOpen } = yield* Quotes
  const exposed = new Set(["EUR"])
  return Effect.gen(function* () {
    const found = yield* setAsideOpen.pipe(
      Effect.timeout(READ_TIMEOUT),
      Effect.orElseSucceed(() => null)
    )
    const none = found === null ? Number.NaN : 0
    const open = new Map(found?.map((one) => [one.currency, one]))
    for (const currency of open.keys()) exposed.add(currency)
    for (const currency of exposed) {
      const { count, cents } = open.get(currency) ?? { count: none, cents: none }
      yield* Metric.update(setAsideGauge(currency), count)
      yield* Metric.update(setAsideCentsGauge(currency), cents)
    }
  })
})

const approvalsGauge = Metric.gauge("backlinks_quotes_awaiting_approval", {
  description: "Live quotes that wait for a human's approval; NaN while the store is unavailable."
})

const makeApprovalsGauge = Effect.gen(function* () {
  const { awaitingApprovalCount } = yield* Quotes
  return awaitingApprovalCount.pipe(
    Effect.timeout(READ_TIMEOUT),
    Effect.orElseSucceed(() => Number.NaN),
    Effect.flatMap((count) => Metric.update(approvalsGauge, count))
  )
})

/** Builds the update of all gauges from the store. It never fails, so that monitoring continues while the store is away. */
export const makeStoreGauges: Effect.Effect<Effect.Effect<void>, never, Deliveries | Quotes> = Effect.gen(function* () {
  const updates = [yield* makeBacklogGauges, yield* makeSetAsideGauges, yield* makeApprovalsGauge]
  return Effect.all(updates, { concurrency: "unbounded", discard: true })
})
