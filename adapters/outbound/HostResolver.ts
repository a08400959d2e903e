// Asks the system for all addresses of a host name, within a time limit. Which of them may be dialled is judged elsewhere.
import { lookup } from "node:dns/promises"
import { Context, Duration, Effect, Layer } from "effect"

export interface HostAddress {
  /** Without brackets. */
  readonly address: string
  readonly family: 4 | 6
}

export const RESOLVE_WITHIN = Duration.seconds(3)

export class HostResolver extends Context.Service<
  HostResolver,
  {
    /** Every address, in the system's order; none where the name does not exist or nobody answered in time. */
    readonly resolve: (host: string) => Effect.Effect<ReadonlyArray<HostAddress>>
  }
>()("backlinks/outbound/HostResolver") {}

type Lookup = (host: string) => Promise<ReadonlyArray<{ readonly address: string; readonly family: number }>>

/** With another way to look names up than the system's. */
export const layerWith = (lookupAll: Lookup): Layer.Layer<HostResolver> =>
  Layer.succeed(HostResolver, {
    resolve: (host) =>
      Effect.tryPromise(() => lookupAll(host)).pipe(
        Effect.map((found) => found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }) as const)),
        Effect.timeout(RESOLVE_WITHIN),
        Effect.orElseSucceed((): ReadonlyArray<HostAddress> => [])
      )
  })

export const layer: Layer.Layer<HostResolver> = layerWith((host) => lookup(host, { all: true, order: "verbatim" }))
