// What `transact` shows decisions about accounts, deliveries and listings. Those about quotes and orders are in
// OrderBookReads.suite.ts.
import { Effect } from "effect"
import { expect } from "vitest"
import { switchFulfilment } from "#core/decisions/Listings.ts"
import { Deliveries } from "#core/ports/Deliveries.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { listen, stopListening } from "./Deeds.ts"
import { nothingAsked, read, see } from "./Seeing.ts"
import { type StoreLayer, storeSuite } from "./StoreSuite.ts"
import {
  actor,
  buyer,
  definePromo,
  findOpportunity,
  linksOn,
  listArticle,
  listSite,
  order,
  register,
  startProject
} from "./World.ts"

export const orderBookRegistersSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`OrderBook's registers of ${name}`, store, (it) => {
    it.effect("shows an account, also by a key or a subscription, with all keys and subscriptions", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(500)
        yield* listen((yield* buyer()).caller)
        const { accountId, keyId } = caller
        const second = yield* register({ accountId, mode: "sandbox" })
        const kept = yield* listen(caller)
        const gone = yield* listen(caller)
        yield* stopListening(caller, gone.webhookId)
        const all = {
          accounts: [accountId],
          keys: [keyId, second.keyId],
          subscriptions: [kept.webhookId, gone.webhookId]
        }
        expect(yield* see({ _tag: "ForAccount", accountId })).toEqual(all)
        expect(yield* see({ _tag: "ForKey", keyId: second.keyId })).toEqual(all)
        expect(yield* see({ _tag: "ForSubscription", webhookId: gone.webhookId })).toEqual(all)
        expect(yield* see({ _tag: "ForAccount", accountId: "acc_unknown" })).toEqual({})
        expect(yield* see({ _tag: "ForKey", keyId: "key_unknown" })).toEqual({})
        expect(yield* see({ _tag: "ForSubscription", webhookId: "wh_unknown" })).toEqual({})
      })
    )

    it.effect("shows a delivery with its subscription, and an account with the one delivery that is named", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(5_000)
        const { webhookId } = yield* listen(caller)
        const other = yield* listen(caller)
        const site = yield* listSite()
        yield* order(caller, { items: linksOn(site) })
        yield* order(caller, { items: linksOn(site) })
        const deliveries = yield* Deliveries
        const [newest, oldest] = (yield* deliveries.ofWebhook({ webhookId, limit: 50, beforeId: null })).deliveries
        const deliveryId = oldest?.deliveryId ?? ""
        expect(newest?.deliveryId).not.toBe(deliveryId)
        const subscriptions = [webhookId]
        const named = (...deliveryIds: ReadonlyArray<string>) => see({ _tag: "ForDeliveries", deliveryIds })
        expect(yield* named(deliveryId)).toEqual({ deliveries: [deliveryId], subscriptions })
        const both = [deliveryId, newest?.deliveryId ?? ""].sort()
        expect(yield* named(...both, "dlv_unknown")).toEqual({ deliveries: both, subscriptions })
        expect(yield* named("dlv_unknown")).toEqual({})
        expect(yield* see({ _tag: "ForSubscription", webhookId, deliveryId })).toEqual({
          accounts: [caller.accountId],
          keys: [caller.keyId],
          subscriptions: [webhookId, other.webhookId],
          deliveries: [deliveryId]
        })
      })
    )

    it.effect("shows a listing what it would replace", () =>
      Effect.gen(function* () {
        const [site, other] = [yield* listSite(), yield* listSite()]
        const [article] = [yield* listArticle(site.siteId), yield* listArticle(other.siteId)]
        const [{ code }] = [yield* definePromo(), yield* definePromo()]
        const { accountId } = (yield* buyer()).account
        const { projectId } = yield* startProject(accountId)
        const { opportunityId } = yield* findOpportunity(projectId)
        const reads = {
          _tag: "ForListing" as const,
          siteIds: [site.siteId, 999_999_999],
          articleIds: [article.articleId],
          promoCodes: [code],
          projectIds: [projectId],
          opportunityIds: [opportunityId],
          accountIds: [accountId]
        }
        expect(yield* see(reads)).toEqual({
          sites: [`${site.siteId}`],
          articles: [`${article.articleId}`],
          promos: [code],
          projects: [projectId],
          opportunities: [opportunityId],
          accounts: [accountId]
        })
        expect(yield* see(nothingAsked)).toEqual({})
      })
    )

    it.effect("shows the fulfilment switch to everybody", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { caller } = yield* buyer()
        const reads = { _tag: "ForAccount" as const, accountId: caller.accountId }
        expect((yield* read(reads)).fulfilment).toBeNull()
        yield* book.transact(nothingAsked, switchFulfilment("manual", actor))
        expect((yield* read(reads)).fulfilment).toBe("manual")
        yield* book.transact(nothingAsked, switchFulfilment("auto", actor))
        expect((yield* read(nothingAsked)).fulfilment).toBe("auto")
      })
    )
  })
