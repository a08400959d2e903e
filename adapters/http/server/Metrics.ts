// `/metrics`: the metrics registry in the text format of Prometheus. Gauges are read from the store at each scrape.
import { createHash, timingSafeEqual } from "node:crypto"
import { Effect, Metric, Option, Redacted, Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { InvalidMetricsToken, MissingMetricsToken } from "#adapters/contract/errors/AdapterFailure.ts"
import { withErrorResponses } from "./ErrorResponses.ts"
import type { ServedRoute } from "./RouteTable.ts"

const PATH = "/metrics"

export const metricsRoutes: ReadonlyArray<ServedRoute> = [{ method: "GET", path: PATH }]

/** Order requests that got the stored response of an earlier one. */
export const replays = Metric.counter("backlinks_idempotent_replays_total", {
  description: "Order requests replayed by their idempotency key.",
  incremental: true
})

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

type Token = Option.Option<Redacted.Redacted<string>>

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/

/**
 * Metrics show how much money moves. Without a token they are served only where the service's public address is this machine; elsewhere
 * the path does not exist.
 */
export const areServed = (settings: {
  readonly metricsToken: Token
  readonly publicUrl: Option.Option<string>
  readonly host: string
}): boolean =>
  Option.isSome(settings.metricsToken) ||
  LOOPBACK.test(
    Option.match(settings.publicUrl, { onNone: () => settings.host, onSome: (url) => new URL(url).hostname })
  )

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()

/** Compares SHA-256 digests in constant time. */
const tokenCheck = (token: Token) => {
  const expected = Option.map(token, (text) => digest(Redacted.value(text)))
  return ({
    headers
  }: HttpServerRequest.HttpServerRequest): Result.Result<void, MissingMetricsToken | InvalidMetricsToken> => {
    if (Option.isNone(expected)) return Result.void
    const sent = /^bearer +(\S+) *$/i.exec(headers["authorization"] ?? "")?.[1]
    if (sent === undefined) return Result.fail(new MissingMetricsToken())
    return timingSafeEqual(digest(sent), expected.value) ? Result.void : Result.fail(new InvalidMetricsToken())
  }
}

/** `updateGauges` runs before each scrape. */
export const layer = (updateGauges: Effect.Effect<void>, token: Token) => {
  const check = tokenCheck(token)
  return HttpRouter.add(
    "GET",
    PATH,
    withErrorResponses(
      Effect.gen(function* () {
        yield* Effect.fromResult(check(yield* HttpServerRequest.HttpServerRequest))
        yield* updateGauges
        return HttpServerResponse.text(yield* PrometheusMetrics.format(), { contentType: CONTENT_TYPE })
      })
    )
  )
}
