// What `transact` promises of one decision at a time: all or nothing, and a fresh moment for every run. What a decision is shown
// is in OrderBookReads.suite.ts, decisions in competition are in OrderBookRaces.suite.ts.
import { Effect, Exit, Result } from "effect"
import { expect } from "vitest"
import { topUp } from "#core/decisions/Accounts.ts"
import { type Decide, unchanged } from "#core/decisions/Draft.ts"
import { type DecisionContext, utcDay } from "#core/domain/DecisionContext.ts"
import { QuoteNotFound } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { Wallets } from "#core/ports/Wallets.ts"
import { expectConsistentWallet, movements } from "./LedgerChecks.ts"
import { storeSessionOf } from "./OrderSteps.ts"
import { actor, buyer, deposit, linksOn, listSite, order, placementOf, submitOrder } from "./ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "./StoreSuite.ts"
import { emptyListingReads } from "./VisibleBooks.ts"

/** Ten cents into the account, and then not. */
const changesMind = (
  accountId: string,
  end: () => Result.Result<never, QuoteNotFound>
): Decide<never, QuoteNotFound> => {
  const decide = topUp({ accountId, cents: 10, reference: "test", actor })
  return (books, moment) => {
    expect(Result.isSuccess(decide(books, moment))).toBe(true)
    return end()
  }
}

export const orderBookSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`OrderBook of ${name}`, store, (it) => {
    it.effect("answers the reply and writes the changes", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer()
        const entry = yield* deposit(account.accountId, 700)
        expect(entry).toMatchObject({ kind: "top_up", amountCents: 700, balanceAfterCents: 700 })
        expect(yield* movements(account.accountId)).toEqual(["top_up 700"])
        expect(yield* expectConsistentWallet(account.accountId)).toEqual({ balanceCents: 700, heldCents: 0 })
      })
    )

    it.effect("writes nothing where the decision refuses", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const wallets = yield* Wallets
        const { account, caller } = yield* buyer(2_000)
        const { accountId } = account
        const site = yield* listSite()
        const refusal = changesMind(accountId, () => Result.fail(new QuoteNotFound({ quoteId: "q" })))
        const refused = yield* Effect.flip(book.transact({ _tag: "ForAccount", accountId }, refusal))
        expect(refused).toMatchObject({ _tag: "QuoteNotFound" })
        const unknown = yield* Effect.flip(
          submitOrder(caller, { items: linksOn(site, { ...site, siteId: 999_999_999 }) })
        )
        expect(unknown).toMatchObject({ _tag: "SiteNotFound", place: { item: 1, field: "siteId" } })
        expect(yield* movements(accountId)).toEqual(["top_up 2000"])
        expect(yield* wallets.dailyUsage(caller.keyId, utcDay(account.createdAtMs))).toMatchObject({ quotes: 0 })
      })
    )

    it.effect("writes nothing where the decision throws, and goes on with the next", () =>
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
        yield* deposit(accountId, 5)
        expect(yield* movements(accountId)).toEqual(["top_up 100", "top_up 5"])
      })
    )

    it.effect("gives every run a moment of its own, later ones with later stems", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const seen: Array<DecisionContext> = []
        const look = book.transact(emptyListingReads, (_, moment) => {
          seen.push(moment)
          return Result.succeed(unchanged(moment))
        })
        const inTurn = yield* Effect.all(times(50, () => look))
        yield* concurrently(times(200, () => look))
        const stems = inTurn.map(({ idPrefix: stem }) => stem)
        expect(stems).toEqual([...new Set(stems)].sort())
        expect(new Set(seen.map(({ idPrefix: stem }) => stem)).size).toBe(seen.length)
        expect(new Set(seen.map(({ secret }) => secret)).size).toBe(seen.length)
        for (const { idPrefix: stem, secret, nowMs } of seen) {
          expect(stem).toMatch(/^[0-9a-z]{26}$/)
          expect(secret).toMatch(/^[0-9a-z]{26,}$/)
          expect(stem).not.toContain(secret.slice(0, 10))
          expect(nowMs).toBeGreaterThan(Date.UTC(2026, 0))
        }
      })
    )

    it.effect("names what one decision makes after its moment, in its order", () =>
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

    it.effect("freezes the answer of one idempotency key and of no other, be it of the same name", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* buyer(), yield* buyer()]
        const items = linksOn(yield* listSite())
        const twins = [
          [one, "k"],
          [one, "another"],
          [other, "k"]
        ] as const
        const askAll = Effect.all(
          twins.map(([{ caller }, key]) => submitOrder(caller, { items, idempotency: { key, fingerprint: "f" } }))
        )
        const [first] = yield* askAll
        if (first !== undefined) yield* storeSessionOf(placementOf(first).quote)
        expect((yield* askAll).map(({ kind }) => kind)).toEqual(["replay", "resume", "resume"])
      })
    )
  })
