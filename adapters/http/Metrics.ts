// What the service counts and measures, at `/metrics` in the text format of Prometheus. It is what the registry holds; whoever
// knows a figure puts it there. What has to be asked for is asked for when somebody looks.
import { Effect, Metric } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import type { ServedRoute } from "./RouteTable.ts"

const PATH = "/metrics"

export const metricsRoutes: ReadonlyArray<ServedRoute> = [{ method: "GET", path: PATH }]

/** Order requests that were answered with what was answered before: they made no order. */
export const replays = Metric.counter("backlinks_idempotent_replays_total", {
  description: "Order requests that were answered as before, by their idempotency key.",
  incremental: true
})

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

/** `measure` brings up to date what is not counted as it happens. */
export const layer = (measure: Effect.Effect<void>) =>
  HttpRouter.add(
    "GET",
    PATH,
    measure.pipe(
      Effect.andThen(PrometheusMetrics.format()),
      Effect.map((text) => HttpServerResponse.text(text, { contentType: CONTENT_TYPE }))
    )
  )
