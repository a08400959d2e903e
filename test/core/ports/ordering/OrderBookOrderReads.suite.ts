// What every store promises of `transact`'s reads for quotes and orders: exactly the named rows with the joins that `Reads`
// documents.
import { Effect } from "effect"
import { expect } from "vitest"
import { linkedId } from "#core/decisions/Books.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { firstOwner } from "#core/domain/members/Member.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { LinkId, OrderId, PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { item } from "#test/core/Given.ts"
import {
  buyer,
  createOpportunity,
  createProject,
  definePromo,
  expiredQuoteSettings,
  insertionInto,
  issueKeyTo,
  linksOn,
  listArticle,
  listSite,
  order
} from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { addSubscription, cancelLinkById, pay, revokeSubscription, storeSessionOf } from "./OrderSteps.ts"
import { emptyPlacementReads, visibleIds } from "./VisibleBooks.ts"

/**
 * The subscriptions that may receive its events: the only active one of this key, and another key's for the whole account; beside a revoked
 * one, and one of another key for its own orders.
 */
const heardBy = Effect.fnUntraced(function* (caller: Caller) {
  const { keyId } = yield* issueKeyTo({ accountId: caller.accountId })
  yield* addSubscription({ ...caller, keyId })
  const wide = yield* addSubscription({ ...caller, keyId }, { scope: "account" })
  const revoked = yield* addSubscription(caller)
  yield* revokeSubscription(caller, revoked.webhookId)
  return [wide.webhookId, (yield* addSubscription(caller)).webhookId]
})

const quoteWithEverything = Effect.gen(function* () {
  const site = yield* listSite()
  const article = yield* listArticle(site.siteId)
  const { code } = yield* definePromo()
  const owner = yield* buyer(100)
  const idempotency = { key: "k", fingerprint: "f" }
  const { quote } = yield* order(owner.caller, { items: [insertionInto(article)], promoCode: code, idempotency })
  return { owner, site, article, code, quote, webhookIds: yield* heardBy(owner.caller) }
})

export const orderBookOrderReadsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`OrderBook of ${name}: reads of quotes and orders`, store, (it) => {
    it.effect("ForPlacement loads the key, the account, the day's usage and the rows that the cart names", () =>
      Effect.gen(function* () {
        const { owner, site, article, code, quote, webhookIds } = yield* quoteWithEverything
        const { accountId, keyId } = owner.caller
        const day = utcDay(owner.account.createdAtMs)
        yield* order(owner.caller, { items: linksOn(site) })
        const expired = yield* listArticle(site.siteId)
        yield* order(owner.caller, { items: [insertionInto(expired)], settings: expiredQuoteSettings })
        const project = yield* createProject(accountId)
        const opportunity = yield* createOpportunity(project.projectId)
        yield* quoteWithEverything
        const reads = {
          _tag: "ForPlacement" as const,
          keyId,
          accountId,
          mode: "live" as const,
          siteIds: [site.siteId, 999_999_999],
          articleIds: [article.articleId],
          projectIds: [project.projectId],
          opportunityIds: [opportunity.opportunityId],
          targets: [],
          welcomeDomains: [],
          promoCode: code.toLowerCase(),
          idempotencyKey: "k"
        }
        expect(yield* visibleIds(reads)).toEqual({
          keys: [keyId],
          accounts: [accountId],
          dailyUsage: [`${keyId}/${day}`],
          sites: [`${site.siteId}`],
          articles: [`${article.articleId}`],
          quotes: [quote.quoteId],
          promos: [code],
          projects: [project.projectId],
          opportunities: [opportunity.opportunityId],
          bindings: [`${accountId}/live/k`],
          subscriptions: webhookIds
        })
        const bare = { ...reads, siteIds: [], articleIds: [], projectIds: [], opportunityIds: [] }
        const seen = yield* visibleIds({ ...bare, promoCode: null, idempotencyKey: "another" })
        const always = {
          keys: [keyId],
          accounts: [accountId],
          dailyUsage: [`${keyId}/${day}`],
          subscriptions: webhookIds
        }
        expect(seen).toEqual(always)
      })
    )

    it.effect("ForPlacement loads the targets that the account has live links to, cancelled links excluded", () =>
      Effect.gen(function* () {
        const { account, caller } = yield* buyer(1_000)
        const { accountId } = account
        const sandbox = yield* issueKeyTo({ accountId, mode: "sandbox" })
        const { siteId } = yield* listSite()
        const { siteId: other } = yield* listSite()
        const to = (host: string) => item({ siteId, targetUrl: `https://${host}/some/page` })
        yield* order(caller, { items: [to("www.brand.example")] })
        const { links } = yield* order(caller, { items: [to("dropped.example")] })
        yield* cancelLinkById(links[0]?.linkId ?? LinkId.make(""))
        yield* order({ ...caller, keyId: sandbox.keyId, mode: "sandbox" }, { items: [to("sandbox.example")] })
        yield* order((yield* buyer(500)).caller, { items: [to("foreign.example")] })
        const unpaid = yield* order(caller, { items: [{ ...to("unpaid.example"), tier2Links: 5 }] })
        expect(unpaid.quote.status).toBe("awaiting_payment")
        const others = ["brand.example", "dropped.example", "sandbox.example", "foreign.example", "unpaid.example"]
        const linked = { siteId, host: "www.brand.example" }
        const targets = [linked, linked, { ...linked, siteId: other }, ...others.map((host) => ({ siteId, host }))]
        const reads = emptyPlacementReads(caller)
        expect(yield* visibleIds({ ...reads, targets })).toMatchObject({ linked: [linkedId(accountId, linked)] })
        expect(yield* visibleIds(reads)).not.toHaveProperty("linked")
      })
    )

    it.effect("ForQuote loads everything that settling or abandoning the quote may change", () =>
      Effect.gen(function* () {
        const { owner, article, code, quote, webhookIds } = yield* quoteWithEverything
        yield* quoteWithEverything
        const { accountId, keyId } = owner.caller
        const { quoteId, holdId } = quote
        const open = {
          quotes: [quoteId],
          accounts: [accountId],
          holds: [holdId],
          articles: [`${article.articleId}`],
          promos: [code],
          bindings: [`${accountId}/live/k`],
          dailyUsage: [`${keyId}/${utcDay(quote.createdAtMs)}`],
          keys: [keyId],
          subscriptions: webhookIds
        }
        expect(yield* visibleIds({ _tag: "ForQuote", quoteId, paymentId: PaymentId.make(`pay_${quoteId}`) })).toEqual(
          open
        )
        yield* storeSessionOf(quote)
        const { orderId } = (yield* pay(quote)).quote
        const { links, ...paid } = yield* visibleIds({
          _tag: "ForQuote",
          quoteId,
          paymentId: PaymentId.make(`pay_${quoteId}`)
        })
        expect(paid).toEqual({ ...open, payments: [`pay_${quoteId}`], orders: [orderId] })
        expect(links).toHaveLength(1)
        expect(yield* visibleIds({ _tag: "ForQuote", quoteId })).toMatchObject({ payments: [`pay_${quoteId}`] })
        expect(yield* visibleIds({ _tag: "ForQuote", quoteId: QuoteId.make("q_unknown") })).toEqual({})
      })
    )

    it.effect("ForOrder and ForLink load the order with its links, account, quote and articles", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(5_000)
        const sites = [yield* listSite(), yield* listSite()] as const
        const article = yield* listArticle(sites[0].siteId)
        const items = [insertionInto(article), ...linksOn(sites[1])]
        const { order: placed, links, quote } = yield* order(caller, { items })
        yield* order(caller, { items: linksOn(...sites) })
        const webhookIds = yield* heardBy(caller)
        const linkIds = links.map(({ linkId }) => linkId)
        const orderId = placed?.orderId ?? OrderId.make("")
        const all = {
          orders: [orderId],
          accounts: [caller.accountId],
          quotes: [quote.quoteId],
          links: linkIds,
          articles: [`${article.articleId}`],
          keys: [caller.keyId],
          subscriptions: webhookIds
        }
        expect(yield* visibleIds({ _tag: "ForOrder", orderId })).toEqual(all)
        for (const linkId of linkIds) expect(yield* visibleIds({ _tag: "ForLink", linkId })).toEqual(all)
        expect(yield* visibleIds({ _tag: "ForOrder", orderId: OrderId.make("ord_unknown") })).toEqual({})
        expect(yield* visibleIds({ _tag: "ForLink", linkId: LinkId.make("lnk_unknown") })).toEqual({})
      })
    )

    it.effect("ForChange loads the order, its account's members and credential, and links of other orders", () =>
      Effect.gen(function* () {
        const { caller, account } = yield* buyer(5_000)
        const { accountId, keyId } = caller
        const site = yield* listSite()
        const to = (host: string) => item({ siteId: site.siteId, targetUrl: `https://${host}/page` })
        const { order: placed, links, quote } = yield* order(caller, { items: [to("own.example")] })
        yield* order(caller, { items: [to("brand.example")] })
        const foreign = yield* buyer(500)
        const orderId = placed?.orderId ?? OrderId.make("")
        const target = { siteId: site.siteId, host: "brand.example" }
        const reads = { _tag: "ForChange" as const, orderId, accountId, keyId, target }
        const all = {
          orders: [orderId],
          accounts: [accountId],
          quotes: [quote.quoteId],
          links: links.map(({ linkId }) => linkId),
          members: [firstOwner(account).memberId],
          keys: [keyId]
        }
        const second = yield* issueKeyTo({ accountId })
        const both = yield* visibleIds({ ...reads, keyId: second.keyId })
        expect(both).toMatchObject({ keys: [keyId, second.keyId].toSorted() })
        expect(yield* visibleIds(reads)).toEqual({ ...all, linked: [linkedId(accountId, target)] })
        const own = { ...target, host: "own.example" }
        expect(yield* visibleIds({ ...reads, keyId: null, target: own })).toEqual(all)
        expect(
          yield* visibleIds({ ...reads, keyId: foreign.key.keyId, target: { ...own, siteId: 999_999_999 } })
        ).toEqual(all)
        expect(yield* visibleIds({ ...reads, orderId: OrderId.make("ord_unknown") })).toEqual({})
      })
    )
  })
