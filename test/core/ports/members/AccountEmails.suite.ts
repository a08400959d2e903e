// What every store promises of e-mail addresses: under concurrent decisions, too, each belongs to one account.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { changeEmail, openAccount } from "#core/decisions/members/Accounts.ts"
import { endMembers } from "#core/decisions/members/Members.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { actor, buyer } from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

const open = Effect.fnUntraced(function* (email: string) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForEmail", email }, openAccount({ name: "Ada", email, actor }))
})

const changeAddress = Effect.fnUntraced(function* (wish: { readonly accountId: AccountId; readonly email: string }) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForEmail", ...wish }, changeEmail({ ...wish, actor }))
})

export const accountEmailsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Accounts' addresses of ${name}: races`, store, (it) => {
    it.effect("20 accounts opened with one address, in two spellings: one is opened, the others name it", () =>
      Effect.gen(function* () {
        const spellings = ["Race@brand.example", " race@brand.example"]
        const results = yield* concurrently(times(20, (n) => Effect.result(open(spellings[n % 2] ?? ""))))
        expect(countOutcomes(results, () => "opened")).toEqual({ opened: 1, EmailTaken: 19 })
        const { accounts } = yield* (yield* Wallets).accounts({ limit: 100, beforeId: null })
        const [holder, ...others] = accounts.filter(({ email }) => email.toLowerCase() === "race@brand.example")
        expect(others).toEqual([])
        const refusals = results.filter(Result.isFailure).map(({ failure }) => failure)
        expect(refusals).toMatchObject(times(19, () => ({ accountId: holder?.accountId })))
      })
    )

    it.effect("an account whose members were all removed gets its first owner back with a new address", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { accountId } = (yield* buyer()).account
        const ended = yield* book.transact({ _tag: "ForAccount", accountId }, endMembers(accountId, actor))
        expect(ended).toHaveLength(1)
        yield* changeAddress({ accountId, email: "back@brand.example" })
        const found = yield* (yield* Members).byEmail("back@brand.example")
        expect(found?.member).toMatchObject({ memberId: ended[0]?.memberId, role: "owner", removedAtMs: null })
      })
    )

    it.effect("20 accounts change to one free address: one gets it, the others keep theirs", () =>
      Effect.gen(function* () {
        const rivals = yield* Effect.all(times(20, () => buyer()))
        const changes = rivals.map(({ account: { accountId } }) =>
          changeAddress({ accountId, email: "free@brand.example" })
        )
        const results = yield* concurrently(changes.map(Effect.result))
        expect(countOutcomes(results, () => "changed")).toEqual({ changed: 1, EmailTaken: 19 })
        const { accounts } = yield* (yield* Wallets).accounts({ limit: 100, beforeId: null })
        const now = new Map(accounts.map(({ accountId, email }) => [accountId, email]))
        const expected = rivals.map(({ account }, n) =>
          results[n] !== undefined && Result.isSuccess(results[n]) ? "free@brand.example" : account.email
        )
        expect(rivals.map(({ account }) => now.get(account.accountId))).toEqual(expected)
      })
    )
  })
