// Trace export to the configured collector by OTLP over HTTP. Without a collector, tracing is off and costs nothing.
import { Duration, Layer, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import type { Settings } from "#adapters/config/Settings.ts"
import { VERSION } from "#adapters/contract/shared/ServiceDescription.ts"

const SERVICE_NAME = "backlinks"

/** Spans not sent by then are lost, so that the service stops in time. */
const SHUTDOWN_TIMEOUT = Duration.seconds(1)

const exportTo = (endpoint: string) =>
  OtlpTracer.layer({
    url: `${endpoint}/v1/traces`,
    resource: { serviceName: SERVICE_NAME, serviceVersion: VERSION },
    shutdownTimeout: SHUTDOWN_TIMEOUT
  }).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(FetchHttpClient.layer))

const disabled = Layer.succeed(References.TracerEnabled, false)

/** A collector that is away is retried later; no request waits for it. */
export const layer = ({ otlpEndpoint }: Pick<Settings, "otlpEndpoint">) =>
  Option.match(otlpEndpoint, { onNone: () => disabled, onSome: exportTo })
