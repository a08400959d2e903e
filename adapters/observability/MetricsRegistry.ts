// The registry of what one service counts and measures, and what of it has to be looked up. What is counted stands at zero from
// the start, so that whoever watches sees the first of everything.
import { Clock, Context, Duration, Effect, Layer, Metric } from "effect"
import { refusalCounters } from "#adapters/contract/RefusalCounters.ts"
import { replays } from "#adapters/http/Metrics.ts"
import { Deliveries } from "#core/ports/Deliveries.ts"
import { orderBookCounters } from "./OrderBookMetrics.ts"

/** A registry of its own: several services may run in one process. */
export const layer: Layer.Layer<never> = Layer.suspend(() => {
  const context = Context.make(Metric.MetricRegistry, new Map())
  for (const counter of [...orderBookCounters, ...refusalCounters, replays]) counter.updateUnsafe(0, context)
  return Layer.succeedContext(context)
})

const dueGauge = Metric.gauge("backlinks_webhook_deliveries_due", {
  description: "Deliveries that are due and with no sender; NaN while the store does not answer."
})

const oldestDueGauge = Metric.gauge("backlinks_webhook_oldest_due_age_seconds", {
  description: "How long the oldest of them has been due; NaN while the store does not answer."
})

const READ_TIMEOUT = Duration.seconds(2)

const unknown = { due: Number.NaN, oldestDueAtMs: Number.NaN }

/** Looks how many deliveries wait, and for how long. Never fails: watching goes on when the store is away. */
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
