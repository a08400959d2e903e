// An HTTP client that reaches only the addresses it is given, whatever the URL's host resolves to by then. The host still names
// the certificate and the `Host` header. It follows no redirects, uses no proxy, and is gone with its scope.
import { Agent } from "@effect/platform-node/Undici"
import { type Array, Effect, type Scope } from "effect"
import type { HostAddress } from "./HostResolver.ts"

/** PEM certificates to trust instead of the system's; only tests have their own. */
export interface Trust {
  readonly ca?: string
}

type Lookup = NonNullable<import("node:net").TcpNetConnectOpts["lookup"]>

/** Answers every question for addresses with these ones. */
const pinnedLookup =
  (addresses: Array.NonEmptyReadonlyArray<HostAddress>): Lookup =>
  (_host, options, answer) => {
    const [{ address, family }] = addresses
    if (options.all) answer(null, [...addresses])
    else answer(null, address, family)
  }

/** How long an address may take before the next one is tried as well. */
const NEXT_ADDRESS_AFTER_MS = 1_000

/**
 * How long a connection stays open for the next request: short, as receivers close theirs without a word, and not much longer
 * where they promise to wait.
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
