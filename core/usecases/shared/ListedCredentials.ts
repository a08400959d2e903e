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
  readonly placerOf: (
    caller: Caller,
    placed: Placed & { readonly accountId: AccountId }
  ) => Effect.Effect<PlacedBy, StoreUnavailable>
}

const ownLabel = (caller: Caller, keyId: KeyId): string | undefined =>
  caller.keyId === keyId ? caller.label : undefined

const labelIn = (keys: ReadonlyArray<ApiKey>, keyId: KeyId): string =>
  keys.find((one) => one.keyId === keyId)?.label ?? ""

export const listedCredentials: Effect.Effect<ListedCredentials, never, ApiKeys> = Effect.map(ApiKeys, (port) => {
  const keysOf = (accountId: AccountId) => Effect.map(port.ofAccount(accountId), (all) => all.map(({ key }) => key))
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
    placerOf: Effect.fnUntraced(function* (caller, placed) {
      const known = ownLabel(caller, placed.keyId)
      if (known !== undefined || credentialKind(placed.keyId) === "web") return placedBy(placed, known ?? "")
      return placedBy(placed, labelIn(yield* keysOf(placed.accountId), placed.keyId))
    })
  }
})
