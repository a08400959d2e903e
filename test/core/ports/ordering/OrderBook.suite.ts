// What every store promises of `transact` for one decision at a time: atomic writes, and a new context for every run.
import { Effect, Exit, Result } from "effect"
import { expect } from "vitest"
import { type Decide, Draft, unchanged } from "#core/decisions/Draft.ts"
import { topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { type DecisionContext, utcDay } from "#core/domain/shared/DecisionContext.ts"
import { type AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { actor, buyer, linksOn, listSite, order, submitOrder, topUpAccount } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { expectConsistentWallet, movements } from "../wallet/LedgerChecks.ts"
import { emptyListingReads } from "./VisibleBooks.ts"

/** Credits ten cents, and then refuses. */
const changesMind = (
  accountId: AccountId,
  end: () => Result.Result<never, QuoteNotFound>
): Decide<never, QuoteNotFound> => {
  const decide = topUp({ accountId, cents: 10, reference: "test", actor })
  return (books, context) => {
    expect(Result.isSuccess(decide(books, context))).toBe(true)
    return end()
  }
}

export const orderBookSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`OrderBook of ${name}`, store, (it) => {
    it.effect("returns the reply and writes the changes", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer()
        const entry = yield* topUpAccount(account.accountId, 700)
        expect(entry).toMatchObject({ kind: "top_up", amountCents: 700, balanceAfterCents: 700 })
        expect(yield* movements(account.accountId)).toEqual(["top_up 700"])
        expect(yield* expectConsistentWallet(account.accountId)).toEqual({ balanceCents: 700, heldCents: 0 })
      })
    )

    it.effect("writes nothing when the decision refuses", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const wallets = yield* Wallets
        const { account, caller } = yield* buyer(2_000)
        const { accountId } = account
        const site = yield* listSite()
        const refusal = changesMind(accountId, () => Result.fail(new QuoteNotFound({ quoteId: QuoteId.make("q") })))
        const refused = yield* Effect.flip(book.transact({ _tag: "ForAccount", accountId }, refusal))
        expect(refused).toMatchObject({ _tag: "QuoteNotFound" })
        const unknown = yield* Effect.flip(
          submitOrder(caller, { items: linksOn(site, { ...site, siteId: 999_999_999 }) })
        )
        expect(unknown).toMatchObject({ _tag: "SiteNotFound", path: { item: 1, field: "siteId" } })
        expect(yield* movements(accountId)).toEqual(["top_up 2000"])
        expect(yield* wallets.dailyUsage(caller.keyId, utcDay(account.createdAtMs))).toMatchObject({ quotes: 0 })
      })
    )

    it.effect("writes nothing where a decision makes a row that is there and that it did not read", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { account } = yield* buyer(700)
        const { accountId } = account
        const overwrites: Decide<void, never> = (books, context) => {
          const draft = new Draft(books, context)
          draft.record({ _tag: "AccountOpened", account: { ...account, name: "Someone else" } })
          return Result.succeed(draft.decided(undefined))
        }
        const reads = { _tag: "ForEmail" as const, email: "nobody-has-this@brand.example" }
        expect(Exit.isFailure(yield* Effect.exit(book.transact(reads, overwrites)))).toBe(true)
        const view = yield* (yield* Wallets).of(accountId)
        expect(view?.account).toMatchObject({ name: account.name, wallet: { balanceCents: 700 } })
      })
    )

    it.effect("writes nothing when the decision throws, and accepts the next decision", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { account } = yield* buyer(100)
        const { accountId } = account
        const defect = new Error("a decision with a mistake in it")
        const broken = changesMind(accountId, () => {
          throw defect
        })
        const exit = yield* Effect.exit(book.transact({ _tag: "ForAccount", accountId }, broken))
        expect(exit).toEqual(Exit.die(defect))
        yield* topUpAccount(accountId, 5)
        expect(yield* movements(accountId)).toEqual(["top_up 100", "top_up 5"])
      })
    )

    it.effect("gives every run a context of its own, later runs with later id prefixes", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const seen: Array<DecisionContext> = []
        const look = book.transact(emptyListingReads, (_, context) => {
          seen.push(context)
          return Result.succeed(unchanged(context))
        })
        const inTurn = yield* Effect.all(times(50, () => look))
        yield* concurrently(times(200, () => look))
        const prefixes = inTurn.map(({ idPrefix }) => idPrefix)
        expect(prefixes).toEqual([...new Set(prefixes)].sort())
        expect(new Set(seen.map(({ idPrefix }) => idPrefix)).size).toBe(seen.length)
        expect(new Set(seen.map(({ secret }) => secret)).size).toBe(seen.length)
        for (const { idPrefix, secret, nowMs } of seen) {
          expect(idPrefix).toMatch(/^[0-9a-z]{26}$/)
          expect(secret).toMatch(/^[0-9a-z]{26,}$/)
          expect(idPrefix).not.toContain(secret.slice(0, 10))
          expect(nowMs).toBeGreaterThan(Date.UTC(2026, 0))
        }
      })
    )

    it.effect("derives the ids that a decision creates from its context, in order", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(20_000)
        const sites = yield* Effect.all(times(20, () => listSite()))
        const first = yield* order(caller, { items: linksOn(...sites) })
        const second = yield* order(caller, { items: linksOn(...sites) })
        const linkIds = [...first.links, ...second.links].map(({ linkId }) => linkId)
        expect(linkIds).toHaveLength(40)
        expect(linkIds).toEqual([...new Set(linkIds)].sort())
        expect(first.quote.quoteId < second.quote.quoteId).toBe(true)
      })
    )
  })
