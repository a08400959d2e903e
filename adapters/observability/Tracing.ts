// Where traces go: to the collector that is configured, by OTLP over HTTP; without one nothing is traced, which costs nothing.
// What a span tells is decided where it is made.
import { Duration, Layer, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import type { Settings } from "#adapters/config/Settings.ts"
import { VERSION } from "#adapters/contract/HouseRules.ts"

const SERVICE_NAME = "backlinks"

/** What is not sent by then is lost: the service is to stop in time. */
const SHUTDOWN_TIMEOUT = Duration.seconds(1)

const collectedAt = (endpoint: string) =>
  OtlpTracer.layer({
    url: `${endpoint}/v1/traces`,
    resource: { serviceName: SERVICE_NAME, serviceVersion: VERSION },
    shutdownTimeout: SHUTDOWN_TIMEOUT
  }).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(FetchHttpClient.layer))

const nowhere = Layer.succeed(References.TracerEnabled, false)

/** A collector that is away is tried again later, and nobody waits for it. */
export const layer = ({ otlpEndpoint }: Pick<Settings, "otlpEndpoint">) =>
  Option.match(otlpEndpoint, { onNone: () => nowhere, onSome: collectedAt })
