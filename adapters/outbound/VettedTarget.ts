// Turns a URL somebody gave us into a target with addresses that may be dialled. Resolves once: what was judged is what is
// handed on, so that a name that answers differently the next time gains nothing. Dialling is `PinnedDispatcher`'s.
import { Array, Effect, Result } from "effect"
import { checkAddress } from "#core/domain/PublicAddress.ts"
import type { UrlFault } from "#core/domain/Refusal.ts"
import { type CallTarget, checkUrl } from "#core/domain/TargetPolicy.ts"
import { type HostAddress, HostResolver, type ResolverSilent } from "./HostResolver.ts"

export interface VettedTarget {
  readonly target: CallTarget
  /** Each of them passed the policy. */
  readonly addresses: Array.NonEmptyReadonlyArray<HostAddress>
}

export interface Policy {
  /** The development switch: http, any port, loopback and private addresses pass too. */
  readonly insecure: boolean
}

/** Of an address as text, without brackets. */
export const hostAddress = (address: string): HostAddress => ({ address, family: address.includes(":") ? 6 : 4 })

/** One address that is refused refuses the whole name: which of them gets dialled is not ours to promise. */
export const vet = Effect.fnUntraced(function* (
  url: string,
  { insecure }: Policy
): Effect.fn.Return<VettedTarget, UrlFault | ResolverSilent, HostResolver> {
  const resolver = yield* HostResolver
  const target = yield* Effect.fromResult(checkUrl(url, { insecure }))
  const { host, literalAddress } = target
  const addresses = literalAddress === undefined ? yield* resolver.resolve(host) : [hostAddress(literalAddress)]
  if (!insecure) yield* Effect.fromResult(Result.all(addresses.map(({ address }) => checkAddress(address))))
  return Array.isReadonlyArrayNonEmpty(addresses) ? { target, addresses } : yield* Effect.fail("unresolvable" as const)
})
