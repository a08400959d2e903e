// What every store promises of `transact`'s reads for accounts, deliveries and listings.
import { Effect } from "effect"
import { expect } from "vitest"
import { switchFulfilment } from "#core/decisions/operations/SwitchFulfilment.ts"
import { AccountId, DeliveryId, KeyId, WebhookId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import {
  actor,
  buyer,
  createOpportunity,
  createProject,
  definePromo,
  issueKeyTo,
  linksOn,
  listArticle,
  listSite,
  order
} from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { addSubscription, cancelOrderById, revokeSubscription } from "./OrderSteps.ts"
import { emptyListingReads, readBooks, visibleIds } from "./VisibleBooks.ts"

/** The id of the member that the account was opened with. */
const ownerOf = (accountId: AccountId): string => accountId.replace("acc_", "mem_")

export const orderBookAccountReadsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`OrderBook of ${name}: reads of accounts, deliveries and listings`, store, (it) => {
    it.effect("ForAccount, ForKey and ForSubscription load the account with all its keys and subscriptions", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(500)
        yield* addSubscription((yield* buyer()).caller)
        const { accountId, keyId } = caller
        const second = yield* issueKeyTo({ accountId, mode: "sandbox" })
        const kept = yield* addSubscription(caller)
        const gone = yield* addSubscription(caller)
        yield* revokeSubscription(caller, gone.webhookId)
        const all = {
          accounts: [accountId],
          members: [ownerOf(accountId)],
          keys: [keyId, second.keyId],
          subscriptions: [kept.webhookId, gone.webhookId]
        }
        expect(yield* visibleIds({ _tag: "ForAccount", accountId })).toEqual(all)
        expect(yield* visibleIds({ _tag: "ForKey", keyId: second.keyId })).toEqual(all)
        expect(yield* visibleIds({ _tag: "ForSubscription", webhookId: gone.webhookId })).toEqual(all)
        expect(yield* visibleIds({ _tag: "ForAccount", accountId: AccountId.make("acc_unknown") })).toEqual({})
        expect(yield* visibleIds({ _tag: "ForKey", keyId: KeyId.make("key_unknown") })).toEqual({})
        expect(yield* visibleIds({ _tag: "ForSubscription", webhookId: WebhookId.make("wh_unknown") })).toEqual({})
      })
    )

    it.effect(
      "ForClosing loads an open live quote of the account, and the links of a live order that is not finished",
      () =>
        Effect.gen(function* () {
          const { caller } = yield* buyer(1_000)
          const { accountId, keyId } = caller
          const account = { accounts: [accountId], members: [ownerOf(accountId)], keys: [keyId] }
          expect(yield* visibleIds({ _tag: "ForClosing", accountId })).toEqual(account)
          const [site, other] = [yield* listSite(), yield* listSite()]
          const { order: cancelled } = yield* order(caller, { items: linksOn(site) })
          if (cancelled !== null) yield* cancelOrderById(cancelled.orderId)
          expect(yield* visibleIds({ _tag: "ForClosing", accountId })).toEqual(account)
          const { links } = yield* order(caller, { items: linksOn(site, other) })
          const { quote } = yield* order(caller, { items: linksOn(site) })
          yield* order((yield* buyer()).caller, { items: linksOn(site) })
          expect(yield* visibleIds({ _tag: "ForClosing", accountId })).toEqual({
            ...account,
            quotes: [quote.quoteId],
            links: links.map(({ linkId }) => linkId)
          })
        })
    )

    it.effect("ForEmail loads the account that has the address, in any spelling, and the named one", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer(500)
        const { accountId } = (yield* buyer()).account
        const both = [account.accountId, accountId].sort()
        for (const email of [account.email, ` ${account.email.toUpperCase()} `]) {
          expect(yield* visibleIds({ _tag: "ForEmail", email })).toEqual({
            accounts: [account.accountId],
            members: [ownerOf(account.accountId)]
          })
          expect(yield* visibleIds({ _tag: "ForEmail", email, accountId })).toEqual({
            accounts: both,
            members: both.map(ownerOf)
          })
        }
        expect(yield* visibleIds({ _tag: "ForEmail", email: "nobody@example.com" })).toEqual({})
      })
    )

    it.effect("ForDeliveries loads deliveries with their subscriptions; ForSubscription loads the named delivery", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(5_000)
        const { webhookId } = yield* addSubscription(caller)
        const other = yield* addSubscription(caller)
        const site = yield* listSite()
        yield* order(caller, { items: linksOn(site) })
        yield* order(caller, { items: linksOn(site) })
        const deliveries = yield* Deliveries
        const [newest, oldest] = (yield* deliveries.ofWebhook({ webhookId, limit: 50, beforeId: null })).deliveries
        const deliveryId = oldest?.deliveryId ?? DeliveryId.make("")
        expect(newest?.deliveryId).not.toBe(deliveryId)
        const subscriptions = [webhookId]
        const named = (...deliveryIds: ReadonlyArray<DeliveryId>) => visibleIds({ _tag: "ForDeliveries", deliveryIds })
        expect(yield* named(deliveryId)).toEqual({ deliveries: [deliveryId], subscriptions })
        const both = [deliveryId, newest?.deliveryId ?? DeliveryId.make("")].sort()
        expect(yield* named(...both, DeliveryId.make("dlv_unknown"))).toEqual({ deliveries: both, subscriptions })
        expect(yield* named(DeliveryId.make("dlv_unknown"))).toEqual({})
        expect(yield* visibleIds({ _tag: "ForSubscription", webhookId, deliveryId })).toEqual({
          accounts: [caller.accountId],
          members: [ownerOf(caller.accountId)],
          keys: [caller.keyId],
          subscriptions: [webhookId, other.webhookId],
          deliveries: [deliveryId]
        })
      })
    )

    it.effect("ForListing loads the rows that the listing replaces", () =>
      Effect.gen(function* () {
        const [site, other] = [yield* listSite(), yield* listSite()]
        const [article] = [yield* listArticle(site.siteId), yield* listArticle(other.siteId)]
        const [{ code }] = [yield* definePromo(), yield* definePromo()]
        const { accountId } = (yield* buyer()).account
        const { projectId } = yield* createProject(accountId)
        const { opportunityId } = yield* createOpportunity(projectId)
        const reads = {
          _tag: "ForListing" as const,
          siteIds: [site.siteId, 999_999_999],
          articleIds: [article.articleId],
          promoCodes: [code],
          projectIds: [projectId],
          opportunityIds: [opportunityId],
          accountIds: [accountId]
        }
        expect(yield* visibleIds(reads)).toEqual({
          sites: [`${site.siteId}`],
          articles: [`${article.articleId}`],
          promos: [code],
          projects: [projectId],
          opportunities: [opportunityId],
          accounts: [accountId]
        })
        expect(yield* visibleIds(emptyListingReads)).toEqual({})
      })
    )

    it.effect("every read loads the fulfilment switch", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { caller } = yield* buyer()
        const reads = { _tag: "ForAccount" as const, accountId: caller.accountId }
        expect((yield* readBooks(reads)).fulfilment).toBeNull()
        yield* book.transact(emptyListingReads, switchFulfilment("manual", actor))
        expect((yield* readBooks(reads)).fulfilment).toBe("manual")
        yield* book.transact(emptyListingReads, switchFulfilment("auto", actor))
        expect((yield* readBooks(emptyListingReads)).fulfilment).toBe("auto")
      })
    )
  })
