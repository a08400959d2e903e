// Tables that decisions write: new rows in the order of the table's columns, and changed ones by the columns that differ.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { accounts, dailyUsage, keys } from "#adapters/postgres/rows/AccountRows.ts"
import { columnsIn } from "#adapters/postgres/rows/StoredTable.ts"
import { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"

const WRITTEN = `
SELECT substr(proname, 7) AS name, ARRAY(
  SELECT attname::text FROM pg_attribute
  WHERE attrelid = to_regclass(substr(proname, 7)) AND attnum > 0 AND NOT attisdropped AND attidentity = '' ORDER BY attnum
) AS columns
FROM pg_proc WHERE proname LIKE 'write\\_%' AND to_regclass(substr(proname, 7)) IS NOT NULL ORDER BY 1`

describe("a stored table", () => {
  it.live("has the columns of the database, in their order", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.scoped(Layer.build(storeInstance(url)))
      const [written = []] = yield* execute(url, WRITTEN)
      expect(written).toHaveLength(24)
      for (const { name, columns } of written) expect(columnsIn(String(name)), String(name)).toEqual(columns)
    })
  )

  const account = {
    accountId: AccountId.make("acc_a"),
    name: "a",
    email: "a@example.com",
    wallet: { balanceCents: 5, heldCents: 0 },
    welcome: { state: "available" },
    createdAtMs: 1
  }

  it("writes a new row as the values of all columns", () => {
    const values = accounts.values({ ...account, version: "v" })
    expect(values.slice(0, 11)).toEqual(["acc_a", "v", null, "a", "a@example.com", 5, 0, "available", null, null, 1])
    expect(values.slice(11)).toEqual([null, null, null, null, null, null])
  })

  it("writes a changed row as its key and the columns that differ, null where there is nothing any more", () => {
    const reserved = { ...account, note: "n", welcome: { state: "reserved", quoteId: "q", untilMs: 2 } }
    expect(accounts.changes(account, reserved)).toEqual({
      account_id: "acc_a",
      note: "n",
      welcome_state: "reserved",
      welcome_quote_id: "q",
      welcome_until_ms: 2
    })
    expect(accounts.changes(reserved, account)).toEqual({
      account_id: "acc_a",
      note: null,
      welcome_state: "available",
      welcome_quote_id: null,
      welcome_until_ms: null
    })
    expect(accounts.changes(reserved, { ...reserved, wallet: { ...reserved.wallet } })).toBeNull()
  })

  it("names the version that a change is written over", () => {
    expect(accounts.changes({ ...account, version: "v" }, { ...account, version: "w" })).toEqual({
      account_id: "acc_a",
      version: "w",
      over_version: "v"
    })
  })

  it("names all columns of a key, and rows that are the same as none", () => {
    const usage = { keyId: KeyId.make("key_a"), day: 3, quotes: 1, spentCents: 5 }
    expect(dailyUsage.changes(usage, { ...usage, quotes: 2 })).toEqual({ key_id: "key_a", day: 3, quotes: 2 })
    expect(keys.changes({ keyId: "key_a", label: "l" }, { keyId: "key_a", label: "l" })).toBeNull()
  })
})
