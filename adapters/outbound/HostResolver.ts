// Looks up all addresses of a host name, within a time limit, and tells a name that has none from a resolver that does not
// answer. Which of the addresses may be dialled is judged elsewhere.
import { NODATA, NOTFOUND } from "node:dns"
import { lookup, Resolver } from "node:dns/promises"
import { Cache, Context, Duration, Effect, Exit, Layer, Schema } from "effect"

export interface HostAddress {
  /** Without brackets. */
  readonly address: string
  readonly family: 4 | 6
}

/** Nobody could say whether the name exists: the resolver failed, or took too long. */
export class ResolverSilent extends Schema.TaggedError<ResolverSilent>()("ResolverSilent", {}) {}

const RESOLVE_WITHIN = Duration.seconds(3)

/** Addresses found are good for this long: whoever dials often does not ask every time. Whatever else came is not kept. */
const REMEMBER_FOR = Duration.seconds(5)
const REMEMBERED_HOSTS = 1_000

export class HostResolver extends Context.Service<
  HostResolver,
  {
    /** Every address; none where the name has none. */
    readonly resolve: (host: string) => Effect.Effect<ReadonlyArray<HostAddress>, ResolverSilent>
  }
>()("backlinks/outbound/HostResolver") {}

type Found = ReadonlyArray<{ readonly address: string; readonly family: number }>
type Lookup = (host: string) => Promise<Found>

const hasNone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === NOTFOUND || error.code === NODATA)

const within = (lookupAll: Lookup, host: string): Effect.Effect<ReadonlyArray<HostAddress>, ResolverSilent> =>
  Effect.tryPromise({ try: () => lookupAll(host), catch: (error) => error }).pipe(
    Effect.map((found) => found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }) as const)),
    Effect.catch((error) => (hasNone(error) ? Effect.succeed([]) : new ResolverSilent())),
    Effect.timeoutOrElse({ duration: RESOLVE_WITHIN, orElse: () => new ResolverSilent() })
  )

/** With another way to look names up. Callers that ask for the same name at the same time share one question. */
export const layerWith = (lookupAll: Lookup): Layer.Layer<HostResolver> =>
  Layer.effect(
    HostResolver,
    Effect.gen(function* () {
      const known = yield* Cache.makeWith((host: string) => within(lookupAll, host), {
        capacity: REMEMBERED_HOSTS,
        timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value.length > 0 ? REMEMBER_FOR : Duration.zero)
      })
      return HostResolver.of({ resolve: (host) => Cache.get(known, host) })
    })
  )

/**
 * As the machine's own programs see names, its hosts file included. Two names whose servers do not answer can keep all others
 * waiting, for the system looks up on few threads: for development.
 */
export const layerSystem: Layer.Layer<HostResolver> = layerWith((host) =>
  lookup(host, { all: true, order: "verbatim" })
)

/** Both kinds of address at once; one kind is enough where only the other could not be found out. */
const ask =
  (dns: Resolver): Lookup =>
  async (host) => {
    const [four, six] = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
    const found: Found = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : [])
    ]
    const faults = [four, six].flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []))
    const fault = faults.find((reason) => !hasNone(reason))
    if (found.length === 0 && fault !== undefined) throw fault
    return found
  }

const TRIES = { timeout: 1_000, maxTimeout: 1_000, tries: 2 }

/** By DNS alone. `servers` (`address:port`) are asked instead of the machine's own. */
export const layerDns = (servers?: ReadonlyArray<string>): Layer.Layer<HostResolver> =>
  Layer.unwrap(
    Effect.sync(() => {
      const dns = new Resolver(TRIES)
      if (servers !== undefined) dns.setServers(servers)
      return layerWith(ask(dns))
    })
  )
