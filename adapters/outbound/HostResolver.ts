// Looks up all addresses of a host name within a time limit. A name without addresses is a result, a resolver that fails or
// does not answer is an error.
import { NODATA, NOTFOUND } from "node:dns"
import { lookup, Resolver } from "node:dns/promises"
import { Cache, Context, Duration, Effect, Exit, Layer, Schema } from "effect"

export interface HostAddress {
  /** An IPv6 address has no brackets. */
  readonly address: string
  readonly family: 4 | 6
}

/** The resolver failed or took too long, so that it is unknown whether the name exists. */
export class ResolverUnavailable extends Schema.TaggedError<ResolverUnavailable>()("ResolverUnavailable", {}) {}

const RESOLVE_TIMEOUT = Duration.seconds(3)

/** Found addresses only; failures and empty results are not cached. */
const CACHE_TTL = Duration.seconds(5)
const CACHE_CAPACITY = 1_000

export class HostResolver extends Context.Service<
  HostResolver,
  {
    /** Every address; an empty array where the name has none. */
    readonly resolve: (host: string) => Effect.Effect<ReadonlyArray<HostAddress>, ResolverUnavailable>
  }
>()("backlinks/outbound/HostResolver") {}

type LookedUpAddresses = ReadonlyArray<{ readonly address: string; readonly family: number }>
type Lookup = (host: string) => Promise<LookedUpAddresses>

const isNoAddress = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === NOTFOUND || error.code === NODATA)

const resolveWith = (lookupAll: Lookup, host: string): Effect.Effect<ReadonlyArray<HostAddress>, ResolverUnavailable> =>
  Effect.tryPromise({ try: () => lookupAll(host), catch: (error) => error }).pipe(
    Effect.map((found) => found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }) as const)),
    Effect.catch((error) => (isNoAddress(error) ? Effect.succeed([]) : new ResolverUnavailable())),
    Effect.timeoutOrElse({ duration: RESOLVE_TIMEOUT, orElse: () => new ResolverUnavailable() })
  )

/** Takes the lookup function. Concurrent calls for the same name share one lookup. */
export const layerWith = (lookupAll: Lookup): Layer.Layer<HostResolver> =>
  Layer.effect(
    HostResolver,
    Effect.gen(function* () {
      const cache = yield* Cache.makeWith((host: string) => resolveWith(lookupAll, host), {
        capacity: CACHE_CAPACITY,
        timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value.length > 0 ? CACHE_TTL : Duration.zero)
      })
      return HostResolver.of({ resolve: (host) => Cache.get(cache, host) })
    })
  )

/**
 * The system's resolver, with its hosts file. For development: the system resolves on few threads, so that two names whose
 * servers do not answer can block all others.
 */
export const layerSystem: Layer.Layer<HostResolver> = layerWith((host) =>
  lookup(host, { all: true, order: "verbatim" })
)

/** IPv4 and IPv6 at once. Succeeds where one of the two fails and the other has addresses. */
const dnsLookup =
  (dns: Resolver): Lookup =>
  async (host) => {
    const [four, six] = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
    const found: LookedUpAddresses = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : [])
    ]
    const faults = [four, six].flatMap((result) => (result.status === "rejected" ? [result.reason] : []))
    const fault = faults.find((reason) => !isNoAddress(reason))
    if (found.length === 0 && fault !== undefined) throw fault
    return found
  }

const DNS_RETRIES = { timeout: 1_000, maxTimeout: 1_000, tries: 2 }

/** DNS alone. `servers` (`address:port`) replace the machine's configured ones. */
export const layerDns = (servers?: ReadonlyArray<string>): Layer.Layer<HostResolver> =>
  Layer.unwrap(
    Effect.sync(() => {
      const dns = new Resolver(DNS_RETRIES)
      if (servers !== undefined) dns.setServers(servers)
      return layerWith(dnsLookup(dns))
    })
  )
