import { it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { describe, expect } from "vitest"
import { ALL_SCOPES } from "#core/domain/access/ApiKey.ts"
import { type ListScope, listedKeys } from "#core/domain/access/ListScope.ts"
import { Mode } from "#core/domain/shared/DecisionContext.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"

const keyId = (nth: number) => KeyId.make(`${nth % 2 === 0 ? "key" : "con"}_${nth}`)

/** The caller is the first credential of its account. */
const Account = Schema.Struct({
  modes: Schema.NonEmptyArray(Mode),
  seesAccount: Schema.Boolean,
  scope: Schema.Literals(["key", "account"])
})

const accountOf = ({ modes, seesAccount }: typeof Account.Type) => {
  const all = modes.map((mode, nth) => ({ keyId: keyId(nth), mode }))
  const [mode] = modes
  return { all, caller: { keyId: keyId(0), mode, scopes: ALL_SCOPES, seesAccount } }
}

describe("the credentials of a list", () => {
  it.prop("are of the caller's mode, each once, and its own among them", [Account], ([given]) => {
    const { all, caller } = accountOf(given)
    const listed = listedKeys(caller, given.scope, all)
    if (Result.isFailure(listed)) return
    const { shown, leftOut } = listed.success
    expect(shown[0]).toBe(caller.keyId)
    expect(new Set([...shown, ...leftOut]).size).toBe(shown.length + leftOut.length)
    const inMode = all.filter(({ mode }) => mode === caller.mode).map((one) => one.keyId)
    expect([...shown, ...leftOut]).toEqual(given.seesAccount ? inMode : [caller.keyId])
    expect(given.scope === "account" ? leftOut : shown.slice(1)).toEqual([])
  })

  it.prop("of the account are refused exactly to a caller that may not see it", [Account], ([given]) => {
    const { all, caller } = accountOf(given)
    const refused = Result.isFailure(listedKeys(caller, given.scope, all))
    expect(refused).toBe(given.scope === "account" && !given.seesAccount)
  })

  it("are the caller's own alone where nothing says what it may see", () => {
    const caller = { keyId: keyId(0), mode: "live" as const, scopes: ALL_SCOPES }
    const all = [0, 1].map((nth) => ({ keyId: keyId(nth), mode: "live" as const }))
    const of = (scope: ListScope) => listedKeys(caller, scope, all)
    expect(of("key")).toEqual(Result.succeed({ shown: [keyId(0)], leftOut: [] }))
    expect(Result.isFailure(of("account"))).toBe(true)
  })
})
