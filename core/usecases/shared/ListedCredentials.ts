// The credentials whose entries a list shows to its caller, and those whose entries it leaves out; and who placed what is shown. Lists of
// quotes, orders, links and events all ask here.
import { Effect } from "effect"
import type { AccountViewRefused } from "#core/domain/access/AccessRefusal.ts"
import type { ApiKey, Caller } from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import { type ListedKeys, type ListScope, listedKeys } from "#core/domain/access/ListScope.ts"
import { type Placed, type PlacedBy, placedBy } from "#core/domain/access/PlacedBy.ts"
import type { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

export interface Listed {
  readonly keys: ListedKeys
  /** Who placed an entry of the list. */
  readonly placedBy: (placed: Placed) => PlacedBy
}

export interface ListedCredentials {
  readonly listed: (caller: Caller, scope: ListScope) => Effect.Effect<Listed, AccountViewRefused | StoreUnavailable>
  /** Who placed something of the caller's account. What the caller placed itself is known without a look-up. */
  readonly placerOf: (caller: Caller, placed: Placed) => Effect.Effect<PlacedBy, StoreUnavailable>
  /** The same for several things, by one look-up at most. */
  readonly placedByEach: <Thing extends Placed>(
    caller: Caller,
    things: ReadonlyArray<Thing>
  ) => Effect.Effect<ReadonlyArray<Thing & { readonly placedBy: PlacedBy }>, StoreUnavailable>
}

const ownLabel = (caller: Caller, keyId: KeyId): string | undefined =>
  caller.keyId === keyId ? caller.label : undefined

const labelIn = (keys: ReadonlyArray<ApiKey>, keyId: KeyId): string =>
  keys.find((one) => one.keyId === keyId)?.label ?? ""

export const listedCredentials: Effect.Effect<ListedCredentials, never, ApiKeys> = Effect.map(ApiKeys, (port) => {
  const keysOf = (accountId: AccountId) => Effect.map(port.ofAccount(accountId), (all) => all.map(({ key }) => key))

  const placers = Effect.fnUntraced(function* (caller: Caller, things: ReadonlyArray<Placed>) {
    const isKnown = ({ keyId }: Placed) => ownLabel(caller, keyId) !== undefined || credentialKind(keyId) === "web"
    const keys = things.every(isKnown) ? [] : yield* keysOf(caller.accountId)
    return (thing: Placed) => placedBy(thing, ownLabel(caller, thing.keyId) ?? labelIn(keys, thing.keyId))
  })

  return {
    listed: Effect.fnUntraced(function* (caller, scope) {
      // Nothing of others is read for a caller that may not see it.
      const all = caller.seesAccount === true ? yield* keysOf(caller.accountId) : []
      const keys = yield* Effect.fromResult(listedKeys(caller, scope, all))
      return {
        keys,
        placedBy: (placed) => placedBy(placed, ownLabel(caller, placed.keyId) ?? labelIn(all, placed.keyId))
      }
    }),
    placerOf: (caller, placed) => Effect.map(placers(caller, [placed]), (placerOf) => placerOf(placed)),
    placedByEach: (caller, things) =>
      Effect.map(placers(caller, things), (placerOf) =>
        things.map((thing) => ({ ...thing, placedBy: placerOf(thing) }))
      )
  }
})
