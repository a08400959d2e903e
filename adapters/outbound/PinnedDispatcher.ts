// An HTTP client pinned to the given addresses, even if the URL's host resolves to others by then. The host still determines the
// certificate and the `Host` header. Without redirects and proxies; destroyed with its scope.
import { Agent } from "@effect/platform-node/Undici"
import { type Array, Effect, type Scope } from "effect"
import type { HostAddress } from "./HostResolver.ts"

/** PEM certificates to trust instead of the system's; for tests. */
export interface Trust {
  readonly ca?: string
}

type Lookup = NonNullable<import("node:net").TcpNetConnectOpts["lookup"]>

/** Resolves every host to these addresses. */
const pinnedLookup =
  (addresses: Array.NonEmptyReadonlyArray<HostAddress>): Lookup =>
  (_host, options, callback) => {
    const [{ address, family }] = addresses
    if (options.all) callback(null, [...addresses])
    else callback(null, address, family)
  }

/** Time for one address to connect before the next one is tried as well. */
const NEXT_ADDRESS_AFTER_MS = 1_000

/**
 * Keep-alive times: short, because receivers close idle connections without notice, and not much longer where they announce
 * their own time.
 */
const REUSE = { pipelining: 1, keepAliveTimeout: 4_000, keepAliveMaxTimeout: 15_000 }
const ONCE = { pipelining: 0 }

export const pinnedDispatcher = (
  addresses: Array.NonEmptyReadonlyArray<HostAddress>,
  trust: Trust = {},
  { reuse = false } = {}
): Effect.Effect<Agent, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new Agent({
          allowH2: false,
          ...(reuse ? REUSE : ONCE),
          connect: {
            ...trust,
            lookup: pinnedLookup(addresses),
            autoSelectFamily: true,
            autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS
          }
        })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )
