// Whose entries a list of quotes, orders, links or events shows: those of the calling credential, or of all credentials of its account in
// its mode.
import { Result, Schema } from "effect"
import type { KeyId } from "../shared/Ids.ts"
import { AccountViewRefused } from "./AccessRefusal.ts"
import type { ApiKey, Caller } from "./ApiKey.ts"

export const ListScope = Schema.Literals(["key", "account"])
export type ListScope = typeof ListScope.Type

/** The most entries that a list counts of what it leaves out, and adds up. */
export const MAX_COUNTED = 10_000

/** The credentials of which a list shows the entries, and those of which it counts them, at most `MAX_COUNTED`. */
export interface ListedKeys {
  readonly shown: ReadonlyArray<KeyId>
  readonly leftOut: ReadonlyArray<KeyId>
}

/** Only a caller that may see its account is refused nothing and told of what is left out. `ofAccount`: revoked ones too. */
export const listedKeys = (
  { keyId, mode, scopes, seesAccount = false }: Pick<Caller, "keyId" | "mode" | "scopes" | "seesAccount">,
  scope: ListScope,
  ofAccount: ReadonlyArray<Pick<ApiKey, "keyId" | "mode">>
): Result.Result<ListedKeys, AccountViewRefused> => {
  if (!seesAccount) {
    return scope === "account"
      ? Result.fail(new AccountViewRefused({ held: scopes }))
      : Result.succeed({ shown: [keyId], leftOut: [] })
  }
  const others = ofAccount.flatMap((one) => (one.mode === mode && one.keyId !== keyId ? [one.keyId] : []))
  return Result.succeed(
    scope === "account" ? { shown: [keyId, ...others], leftOut: [] } : { shown: [keyId], leftOut: others }
  )
}
