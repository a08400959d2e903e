// What every store promises of idempotency keys that several credentials of an account use.
import { Effect } from "effect"
import { expect } from "vitest"
import { openWebCredential } from "#core/decisions/members/AccountState.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { unkeyedKey } from "#core/domain/ordering/Idempotency.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { buyer, issueKeyTo, linksOn, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"

export const accountBindingsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Idempotency keys of an account in ${name}`, store, (it) => {
    it.effect("finds the quote that an idempotency key is bound to, for each credential of the account and mode", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer(500)
        const { accountId } = caller
        const other = { ...caller, keyId: (yield* issueKeyTo({ accountId })).keyId }
        const { keyId } = yield* issueKeyTo({ accountId, mode: "sandbox" })
        const sandbox: Caller = { ...caller, keyId, mode: "sandbox" }
        const wish = { items: linksOn(yield* listSite()), idempotency: { key: "same", fingerprint: "f" } }
        const { quote } = yield* order(caller, wish)
        const found = yield* quotes.byId(quote.quoteId)
        expect(found?.quoteId).toBe(quote.quoteId)
        for (const one of [caller, other]) expect(yield* quotes.byIdempotencyKey(one, "same")).toEqual(found)
        for (const one of [sandbox, (yield* buyer(500)).caller]) {
          expect(yield* quotes.byIdempotencyKey(one, "same")).toBeNull()
          const { quote: independent } = yield* order(one, wish)
          expect(yield* quotes.byIdempotencyKey(one, "same")).toEqual(independent)
        }
        expect(yield* quotes.byIdempotencyKey(caller, "same")).toEqual(found)
      })
    )

    it.effect("keeps what the service binds itself, and carts of the Shop, with the credential", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer(2_000)
        const { accountId } = caller
        const other = { ...caller, keyId: (yield* issueKeyTo({ accountId })).keyId }
        const book = yield* OrderBook
        const decide = openWebCredential(accountId, { operator: "boss" })
        const web = { ...caller, keyId: yield* book.transact({ _tag: "ForAccount", accountId }, decide) }
        const items = linksOn(yield* listSite())
        const own = { items, idempotency: { key: unkeyedKey("f", 1), fingerprint: "f" } }
        const cart = { items, idempotency: { key: "cart", fingerprint: "f" } }
        const made = [
          yield* order(caller, own),
          yield* order(other, own),
          yield* order(web, cart),
          yield* order(caller, cart)
        ]
        expect(new Set(made.map(({ quote }) => quote.quoteId)).size).toBe(4)
        expect(yield* quotes.byIdempotencyKey(web, "cart")).toEqual(made[2]?.quote)
        for (const one of [caller, other]) expect(yield* quotes.byIdempotencyKey(one, "cart")).toEqual(made[3]?.quote)
        expect(yield* quotes.byIdempotencyKey(other, own.idempotency.key)).toEqual(made[1]?.quote)
      })
    )
  })
