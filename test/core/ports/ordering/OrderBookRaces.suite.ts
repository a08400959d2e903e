// What every store promises of concurrent decisions: limits are reached exactly and never exceeded, and money stays exact.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { MAX_ACTIVE_KEYS, noLimits } from "#core/domain/access/ApiKey.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { DeliveryId } from "#core/domain/shared/Ids.ts"
import { MAX_TESTS } from "#core/domain/webhooks/Delivery.ts"
import { MAX_ACTIVE_SUBSCRIPTIONS } from "#core/domain/webhooks/Subscription.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import {
  buyer,
  definePromo,
  insertionInto,
  issueKeyTo,
  linksOn,
  listArticle,
  listSite,
  order,
  placementOf,
  plainSettings,
  submitOrder,
  topUpAccount
} from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { expectConsistentWallet, ledgerOf, movements } from "../wallet/LedgerChecks.ts"
import { newSubscription, queueTests, redeliverTo, requestTest, scopedSubscription } from "../webhooks/DeliverySteps.ts"
import { addSubscription } from "./OrderSteps.ts"

export const orderBookRacesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`OrderBook of ${name}: races`, store, (it) => {
    it.effect("300 concurrent top-ups of one account: every cent is in the ledger, in one sequence", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer()
        const { accountId } = account
        yield* concurrently(times(300, () => topUpAccount(accountId, 1)))
        expect(yield* expectConsistentWallet(accountId)).toEqual({ balanceCents: 300, heldCents: 0 })
        const balances = (yield* ledgerOf(accountId)).map(({ balanceAfterCents }) => balanceAfterCents)
        expect(balances).toEqual(times(300, (index) => index + 1))
      })
    )

    it.effect("100 orders for the last euro: credit pays one order and a part of the next, and is never negative", () =>
      Effect.gen(function* () {
        const { account, caller } = yield* buyer(700)
        const site = yield* listSite()
        const replies = yield* concurrently(times(100, () => order(caller, { items: linksOn(site) })))
        const splits = replies.map(({ quote }) => `${quote.status} ${quote.creditCents}+${quote.cardCents}`)
        expect(countOutcomes(splits.map(Result.succeed), (split) => split)).toEqual({
          "paid 500+0": 1,
          "awaiting_payment 200+300": 1,
          "awaiting_payment 0+500": 98
        })
        expect(yield* expectConsistentWallet(account.accountId)).toEqual({ balanceCents: 200, heldCents: 200 })
      })
    )

    it.effect("20 accounts order one article: one gets it, the others pay nothing", () =>
      Effect.gen(function* () {
        const site = yield* listSite()
        const items = [insertionInto(yield* listArticle(site.siteId))]
        const rivals = yield* Effect.all(times(20, () => buyer(100)))
        const results = yield* concurrently(rivals.map(({ caller }) => Effect.result(order(caller, { items }))))
        expect(countOutcomes(results, ({ quote }) => quote.status)).toEqual({
          awaiting_payment: 1,
          ArticleUnavailable: 19
        })
        for (const [index, { account }] of rivals.entries()) {
          const won = results[index] !== undefined && Result.isSuccess(results[index])
          expect(yield* movements(account.accountId)).toEqual(["top_up 100", ...(won ? ["hold 100"] : [])])
          expect(yield* expectConsistentWallet(account.accountId)).toEqual({
            balanceCents: 100,
            heldCents: won ? 100 : 0
          })
        }
      })
    )

    it.effect("30 accounts order with a code of three redemptions: three get it, open and paid quotes together", () =>
      Effect.gen(function* () {
        const site = yield* listSite()
        const { code: promoCode } = yield* definePromo({ maxRedemptions: 3 })
        const rivals = yield* Effect.all(times(30, (index) => buyer(index % 2 === 0 ? 1_000 : 0)))
        const wish = { items: linksOn(site), promoCode }
        const results = yield* concurrently(rivals.map(({ caller }) => Effect.result(order(caller, wish))))
        expect(countOutcomes(results, ({ quote }) => quote.discount.source)).toEqual({ promo: 3, PromoCodeInvalid: 27 })
      })
    )

    it.effect("10 accounts order three times each with a once-per-account code: each gets it once", () =>
      Effect.gen(function* () {
        const site = yield* listSite()
        const { code: promoCode } = yield* definePromo({ oncePerAccount: true })
        const crowd = yield* Effect.all(times(10, () => buyer(10_000)))
        const wish = { items: linksOn(site), promoCode }
        const all = crowd.map(({ caller }) => Effect.result(order(caller, wish)))
        const results = yield* concurrently([...all, ...all, ...all])
        expect(countOutcomes(results, ({ quote }) => quote.discount.source)).toEqual({
          promo: 10,
          PromoCodeInvalid: 20
        })
        // No account gets it again after all have used it.
        const again = yield* concurrently(all)
        expect(countOutcomes(again, ({ quote }) => quote.discount.source)).toEqual({ PromoCodeInvalid: 10 })
      })
    )

    it.effect("50 concurrent first orders of one account: one gets the welcome offer", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(1_000)
        const site = yield* listSite()
        const wish = { items: linksOn(site), settings: { ...plainSettings, welcomeBasisPoints: 2_000 } }
        const replies = yield* concurrently(times(50, () => order(caller, wish)))
        const sources = replies.map(({ quote }) => quote.discount.source)
        expect(countOutcomes(sources.map(Result.succeed), (source) => source)).toEqual({ welcome: 1, none: 49 })
        yield* expectConsistentWallet(caller.accountId)
      })
    )

    it.effect("200 orders of one key at a cap of 20: exactly 20 quotes", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const { account, caller } = yield* buyer(3_000)
        const site = yield* listSite()
        const wish = { items: linksOn(site), settings: { ...plainSettings, dailyOrderCap: 20 } }
        const results = yield* concurrently(times(200, () => Effect.result(submitOrder(caller, wish))))
        expect(countOutcomes(results, ({ kind }) => kind)).toEqual({ placed: 20, DailyCapReached: 180 })
        const day = utcDay(account.createdAtMs)
        expect(yield* wallets.dailyUsage(caller.keyId, day)).toEqual({
          keyId: caller.keyId,
          day,
          quotes: 20,
          spentCents: 20 * 500,
          nearLimitAtMs: expect.any(Number)
        })
        expect(yield* expectConsistentWallet(account.accountId)).toEqual({ balanceCents: 0, heldCents: 0 })
      })
    )

    it.effect("concurrent orders of one key never exceed its daily spend limit", () =>
      Effect.gen(function* () {
        const limits = { ...noLimits, maxDayCents: 2_400 }
        const { caller } = yield* buyer(10_000, { limits })
        const site = yield* listSite()
        const results = yield* concurrently(
          times(40, () => Effect.result(submitOrder(caller, { items: linksOn(site) })))
        )
        expect(countOutcomes(results, ({ kind }) => kind)).toEqual({ placed: 4, SpendPolicyRefused: 36 })
      })
    )

    it.effect("twelve keys issued concurrently beside four, live and sandbox: five in all", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { accountId } = (yield* buyer()).account
        yield* Effect.all(times(3, () => issueKeyTo({ accountId })))
        const wish = (index: number) => issueKeyTo({ accountId, mode: index % 2 === 0 ? "live" : "sandbox" })
        const results = yield* concurrently(times(12, (index) => Effect.result(wish(index))))
        expect(countOutcomes(results, () => "issued")).toEqual({ issued: 1, KeyLimitReached: 11 })
        expect(yield* keys.ofAccount(accountId)).toHaveLength(MAX_ACTIVE_KEYS)
      })
    )

    it.effect("30 concurrent tests of one webhook beside those of another: exactly its twenty are queued", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        const own = yield* newSubscription
        const other = yield* scopedSubscription(own.caller)
        yield* Effect.all(times(5, () => requestTest(own)))
        const [results] = yield* Effect.all(
          [concurrently(times(30, () => Effect.result(requestTest(own)))), concurrently([requestTest(other)])],
          { concurrency: 2 }
        )
        expect(countOutcomes(results, () => "queued")).toEqual({ queued: 15, WebhookTestLimitReached: 15 })
        const log = yield* deliveries.ofWebhook({ webhookId: own.webhookId, limit: 50, beforeId: null })
        expect(log.deliveries).toHaveLength(MAX_TESTS)
      })
    )

    it.effect(
      "30 concurrent redeliveries to one webhook beside those of another: exactly twenty, of any delivery",
      () =>
        Effect.gen(function* () {
          const own = yield* newSubscription
          const other = yield* scopedSubscription(own.caller)
          const sent = yield* queueTests(own, 3)
          const [elsewhere] = yield* queueTests(other, 1)
          const wish = (index: number) => redeliverTo(own, sent[index % 3]?.deliveryId ?? DeliveryId.make(""))
          for (const index of times(5, (n) => n)) yield* wish(index)
          const results = yield* concurrently(times(30, (index) => Effect.result(wish(index))))
          expect(countOutcomes(results, () => "sent")).toEqual({ sent: 15, RedeliveryLimitReached: 15 })
          yield* redeliverTo(other, elsewhere?.deliveryId ?? DeliveryId.make(""))
        })
    )

    it.effect("twelve subscriptions of two keys added concurrently beside four: five in all", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        const { caller } = yield* buyer()
        const second = yield* issueKeyTo({ accountId: caller.accountId, mode: "sandbox" })
        const other = { ...caller, keyId: second.keyId, mode: second.mode }
        yield* Effect.all(times(4, () => addSubscription(caller)))
        const wish = (index: number) => addSubscription(index % 2 === 0 ? caller : other)
        const results = yield* concurrently(times(12, (index) => Effect.result(wish(index))))
        expect(countOutcomes(results, () => "added")).toEqual({ added: 1, WebhookLimitReached: 11 })
        const lists = yield* Effect.all([caller, other].map(({ keyId }) => subscriptions.ofKey(keyId)))
        expect(lists.flat()).toHaveLength(MAX_ACTIVE_SUBSCRIPTIONS)
      })
    )

    it.effect("a hundred accounts order at once: each has its own order and its own ledger", () =>
      Effect.gen(function* () {
        const site = yield* listSite()
        const crowd = yield* Effect.all(times(100, (index) => buyer(index * 10)))
        const replies = yield* concurrently(crowd.map(({ caller }) => submitOrder(caller, { items: linksOn(site) })))
        for (const [index, { account }] of crowd.entries()) {
          const reply = replies[index]
          const quote = reply && placementOf(reply).quote
          const covered = index * 10 >= 500
          expect(quote).toMatchObject({ accountId: account.accountId, status: covered ? "paid" : "awaiting_payment" })
          const held = covered ? 0 : index * 10 > 450 ? 450 : index * 10
          expect(yield* expectConsistentWallet(account.accountId)).toEqual({
            balanceCents: covered ? index * 10 - 500 : index * 10,
            heldCents: held
          })
        }
      })
    )
  })
