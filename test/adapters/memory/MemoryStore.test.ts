// Behaviour of the in-memory store alone: it reads Effect's clock, publishes every commit, records key use at once, and computes
// exact medians.
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, PubSub, Result } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import { layer as memoryStore } from "#adapters/memory/MemoryStore.ts"
import { topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { cancelLinkById, moveLinkTo } from "#test/core/ports/ordering/OrderSteps.ts"
import { actor, buyer, linksOn, listSite, order, plainSettings, submitOrder } from "#test/core/ports/ShopSetup.ts"
import { times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"

const layer = Layer.merge(memoryStore, UniqueNumbers.layer)

describe("the in-memory store", () => {
  it.effect("takes the time of every decision from Effect's clock, and expires by it", () =>
    Effect.gen(function* () {
      const quotes = yield* Quotes
      yield* TestClock.setTime(Date.UTC(2026, 11, 31, 23, 59))
      const { caller } = yield* buyer()
      const items = linksOn(yield* listSite())
      const settings = { ...plainSettings, dailyOrderCap: 1, quoteTtlMs: 90_000 }
      const { quote } = yield* order(caller, { items, settings })
      expect(quote.createdAtMs).toBe(Date.UTC(2026, 11, 31, 23, 59))
      expect(yield* Effect.flip(submitOrder(caller, { items, settings }))).toMatchObject({
        _tag: "DailyCapReached"
      })
      yield* TestClock.adjust("59999 millis")
      expect(yield* Effect.flip(submitOrder(caller, { items, settings }))).toMatchObject({
        _tag: "DailyCapReached"
      })
      yield* TestClock.adjust("1 millis")
      const next = yield* order(caller, { items, settings })
      expect(next.quote.createdAtMs).toBe(Date.UTC(2027, 0, 1))
      const due = (nowMs: number) => quotes.due({ nowMs, limit: 10 })
      expect(yield* due(quote.expiresAtMs - 1)).toEqual([])
      expect(yield* due(quote.expiresAtMs)).toEqual([quote.quoteId])
    }).pipe(Effect.provide(layer))
  )

  it.effect("sorts ids by creation although the clock was set back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 5, 1))
      const { caller } = yield* buyer(100_000)
      const items = linksOn(yield* listSite())
      const before = yield* order(caller, { items })
      yield* TestClock.setTime(Date.UTC(2026, 4, 1))
      const after = yield* order(caller, { items })
      expect(after.quote.createdAtMs).toBeLessThan(before.quote.createdAtMs)
      expect(after.quote.quoteId > before.quote.quoteId).toBe(true)
    }).pipe(Effect.provide(layer))
  )

  it.effect("publishes every commit once, in order, and neither refusals nor decisions without changes", () =>
    Effect.gen(function* () {
      const { commits } = yield* MemoryBooks
      const subscription = yield* PubSub.subscribe(commits)
      const { caller, account } = yield* buyer(500)
      const items = linksOn(yield* listSite())
      yield* submitOrder(caller, { items, promoCode: "UNKNOWN" }).pipe(Effect.flip)
      yield* submitOrder(caller, { items, dryRun: true })
      yield* order(caller, { items })
      const seen = yield* PubSub.takeAll(subscription)
      expect(seen.map(({ changes }) => changes[0]?._tag)).toEqual([
        "AccountOpened",
        "Credited",
        "KeyIssued",
        "SiteListed",
        "QuoteOpened"
      ])
      expect(seen[0]?.changes[0]).toMatchObject({ account: { accountId: account.accountId } })
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("lets a subscriber write in response to a commit", () =>
    Effect.gen(function* () {
      const { commits } = yield* MemoryBooks
      const wallets = yield* Wallets
      const book = yield* OrderBook
      const { accountId } = (yield* buyer()).account
      const subscription = yield* PubSub.subscribe(commits)
      const reads = { _tag: "ForAccount" as const, accountId }
      const deposit = book.transact(reads, topUp({ accountId, cents: 1, reference: "test", actor }))
      const echo = PubSub.take(subscription).pipe(Effect.andThen(deposit))
      const fiber = yield* Effect.forkChild(echo, { startImmediately: true })
      yield* Effect.all(times(3, () => deposit))
      yield* Fiber.join(fiber)
      expect((yield* wallets.of(accountId))?.account.wallet.balanceCents).toBe(4)
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.effect("records at once when a key was used, and keeps the latest time", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { account, key } = yield* buyer()
      const lastUsed = Effect.map(keys.ofAccount(account.accountId), ([one]) => one?.lastUsedAtMs)
      yield* keys.recordUse(key.keyId, 2_000)
      expect(yield* lastUsed).toBe(2_000)
      yield* keys.recordUse(key.keyId, 1_000)
      expect(yield* lastUsed).toBe(2_000)
      yield* keys.recordUse(key.keyId, 3_000)
      expect(yield* lastUsed).toBe(3_000)
    }).pipe(Effect.provide(layer))
  )

  it.effect("measures the median of days from order to publication, odd and even", () =>
    Effect.gen(function* () {
      const catalogue = yield* Catalogue
      const { caller } = yield* buyer(10_000)
      const site = yield* listSite()
      const median = Effect.map(catalogue.site(site.siteId, 0), (one) => one?.measured?.medianDaysToPublish)
      const { links } = yield* order(caller, { items: linksOn(site, site, site, site) })
      const publishAfter = Effect.fnUntraced(function* (index: number, days: number) {
        yield* TestClock.setTime(days * DAY_MS)
        yield* moveLinkTo(links[index]?.linkId ?? LinkId.make(""), "published")
        return yield* median
      })
      expect(yield* publishAfter(0, 1)).toBe(1)
      expect(yield* publishAfter(1, 2)).toBe(1.5)
      expect(yield* publishAfter(2, 30)).toBe(2)
      yield* TestClock.setTime(31 * DAY_MS)
      expect(Result.isSuccess(yield* Effect.result(cancelLinkById(links[3]?.linkId ?? LinkId.make(""))))).toBe(true)
      expect(yield* median).toBe(2)
    }).pipe(Effect.provide(layer))
  )
})
