// The metrics registry of one service, and the gauges of the delivery backlog. Counters start at 0, so that a monitor sees the first
// increment of each.
import { Clock, Context, Duration, Effect, Layer, Metric } from "effect"
import { refusalCounters } from "#adapters/contract/errors/RefusalCounters.ts"
import { replays } from "#adapters/http/Metrics.ts"
import { Deliveries } from "#core/ports/Deliveries.ts"
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

/** Builds the update of both gauges from the store. It never fails, so that monitoring continues while the store is away. */
export const makeBacklogGauges: Effect.Effect<Effect.Effect<void>, never, Deliveries> = Effect.gen(function* () {
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
