// Orders whose idempotency keys were bound in their credential, before step 056 or by an older instance, beside those bound in the account.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { openWebCredential } from "#core/decisions/members/AccountState.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { buyer, issueKeyTo, linksOn, listSite, order, submitOrder } from "#test/core/ports/ShopSetup.ts"
import { otherSession, sharedDatabase } from "./OtherSession.ts"

const idempotency = { key: "same", fingerprint: "f" }

/** What an older instance writes. */
const ALONE = "UPDATE quotes SET idempotency_key = $2, bound_scope = NULL WHERE quote_id = $1"

/** The search of an older instance. */
const SOUGHT_BEFORE =
  "SELECT b.quote_id, b.fingerprint, b.answer_status FROM bindings b WHERE b.key_id = $1 AND b.idempotency_key = $2"

layer(sharedDatabase, { excludeTestServices: true })("idempotency keys from before step 056", (it) => {
  it.effect("are found by their credential first, and by any other as the account's oldest", () =>
    Effect.gen(function* () {
      const { query } = yield* otherSession
      yield* query("UPDATE shop SET bound_before = true", [])
      const quotes = yield* Quotes
      const { caller: first } = yield* buyer(10_000)
      const { accountId } = first
      const another = (mode: Caller["mode"] = "live") =>
        Effect.map(issueKeyTo({ accountId, mode }), ({ keyId }): Caller => ({ ...first, keyId, mode }))
      const [second, third, sandbox] = [yield* another(), yield* another(), yield* another("sandbox")]
      const decide = openWebCredential(accountId, { operator: "boss" })
      const web = { ...first, keyId: yield* (yield* OrderBook).transact({ _tag: "ForAccount", accountId }, decide) }
      const items = linksOn(yield* listSite())
      /** The order as an older instance writes it. */
      const before = Effect.fnUntraced(function* (caller: Caller) {
        const { quote } = yield* order(caller, {
          items,
          idempotency: { key: `${caller.keyId} alone`, fingerprint: "f" }
        })
        yield* query(ALONE, [quote.quoteId, idempotency.key])
        return quote.quoteId
      })
      const ofWeb = yield* before(web)
      const ids = [yield* before(first), yield* before(second)]
      const repeated = (caller: Caller, fingerprint = "f") =>
        submitOrder(caller, { items, idempotency: { ...idempotency, fingerprint } })
      const replay = (quoteId: string | undefined) => ({ kind: "replay", quoteId })
      expect(yield* repeated(first)).toMatchObject(replay(ids[0]))
      expect(yield* repeated(second)).toMatchObject(replay(ids[1]))
      expect(yield* repeated(second)).not.toHaveProperty("placedBy")
      expect(yield* repeated(third)).toMatchObject({ ...replay(ids[0]), placedBy: first.keyId })
      expect(yield* Effect.flip(repeated(third, "another body"))).toMatchObject({
        _tag: "IdempotencyKeyReused",
        placedBy: first.keyId
      })
      expect(yield* repeated(web)).toMatchObject(replay(ofWeb))
      expect((yield* quotes.byIdempotencyKey(third, "same"))?.quoteId).toBe(ids[0])
      expect((yield* quotes.byIdempotencyKey(second, "same"))?.quoteId).toBe(ids[1])
      expect(yield* quotes.byIdempotencyKey(sandbox, "same")).toBeNull()
      expect(yield* repeated(sandbox)).toMatchObject({ kind: "placed" })
    }).pipe(Effect.scoped)
  )

  it.effect("and those of the account are found by an older instance under the key that ordered", () =>
    Effect.gen(function* () {
      const { query } = yield* otherSession
      const { caller } = yield* buyer(10_000)
      const { quote } = yield* order(caller, { items: linksOn(yield* listSite()), idempotency })
      const found = yield* query(SOUGHT_BEFORE, [caller.keyId, idempotency.key])
      expect(found.rows).toEqual([{ quote_id: quote.quoteId, fingerprint: "f", answer_status: 201 }])
    }).pipe(Effect.scoped)
  )
})
