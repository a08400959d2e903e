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
export const pinnedLookup =
  (addresses: Array.NonEmptyReadonlyArray<HostAddress>): Lookup =>
  (_host, options, answer) => {
    const [{ address, family }] = addresses
    if (options.all) answer(null, [...addresses])
    else answer(null, address, family)
  }

export const pinnedDispatcher = (
  addresses: Array.NonEmptyReadonlyArray<HostAddress>,
  trust: Trust = {}
): Effect.Effect<Agent, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new Agent({
          allowH2: false,
          pipelining: 0,
          connect: { ...trust, lookup: pinnedLookup(addresses), autoSelectFamily: true }
        })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )
