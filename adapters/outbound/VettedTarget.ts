// Turns a caller's URL into a target with addresses that passed the policy. The name is resolved once, and the connection uses
// these addresses, so that DNS rebinding gains nothing.
import { Array, Effect, Result } from "effect"
import { type CallTarget, checkUrl } from "#core/domain/ordering/TargetPolicy.ts"
import { checkAddress, type UrlFault } from "#core/domain/shared/PublicAddress.ts"
import { type HostAddress, HostResolver, type ResolverUnavailable } from "./HostResolver.ts"

export interface VettedTarget {
  readonly target: CallTarget
  /** Each of them passed the policy. */
  readonly addresses: Array.NonEmptyReadonlyArray<HostAddress>
}

export interface Policy {
  /** The development switch: http, any port, loopback and private addresses pass too. */
  readonly insecure: boolean
}

/** `address` is an IP address without brackets. */
export const hostAddress = (address: string): HostAddress => ({ address, family: address.includes(":") ? 6 : 4 })

/** One refused address refuses the name, because the client may connect to any of its addresses. */
export const vet = Effect.fnUntraced(function* (
  url: string,
  { insecure }: Policy
): Effect.fn.Return<VettedTarget, UrlFault | ResolverUnavailable, HostResolver> {
  const resolver = yield* HostResolver
  const target = yield* Effect.fromResult(checkUrl(url, { insecure }))
  const { host, literalAddress } = target
  const addresses = literalAddress === undefined ? yield* resolver.resolve(host) : [hostAddress(literalAddress)]
  if (!insecure) yield* Effect.fromResult(Result.all(addresses.map(({ address }) => checkAddress(address))))
  return Array.isReadonlyArrayNonEmpty(addresses) ? { target, addresses } : yield* Effect.fail("unresolvable" as const)
})
