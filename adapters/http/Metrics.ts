// `/metrics`: the metrics registry in the text format of Prometheus. Gauges are read from the store at each scrape.
import { Effect, Metric } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import type { ServedRoute } from "./RouteTable.ts"

const PATH = "/metrics"

export const metricsRoutes: ReadonlyArray<ServedRoute> = [{ method: "GET", path: PATH }]

/** Order requests that got the stored response of an earlier one. */
export const replays = Metric.counter("backlinks_idempotent_replays_total", {
  description: "Order requests replayed by their idempotency key.",
  incremental: true
})

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

/** `updateGauges` runs before each scrape. */
export const layer = (updateGauges: Effect.Effect<void>) =>
  HttpRouter.add(
    "GET",
    PATH,
    updateGauges.pipe(
      Effect.andThen(PrometheusMetrics.format()),
      Effect.map((text) => HttpServerResponse.text(text, { contentType: CONTENT_TYPE }))
    )
  )
