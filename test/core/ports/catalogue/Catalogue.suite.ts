// What every store promises of Catalogue for one site: its record, its free articles, and figures on past orders.
import { Effect } from "effect"
import { expect } from "vitest"
import { callerOf } from "#core/domain/access/ApiKey.ts"
import type { OrderItem } from "#core/domain/pricing/Cart.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { item } from "#test/core/Given.ts"
import { abandon, cancelLinkById, moveLinkTo, pay } from "../ordering/OrderSteps.ts"
import {
  buyer,
  expiredQuoteSettings,
  insertionInto,
  issueKeyTo,
  linksOn,
  listArticle,
  listSite,
  order,
  plainSettings
} from "../ShopSetup.ts"
import { type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

/** The free articles of a site at a time, in pages of two, and how many the site's record counts. */
const freeOn = Effect.fnUntraced(function* (siteId: number, nowMs: number) {
  const catalogue = yield* Catalogue
  const ids: Array<number> = []
  let afterId: number | null = null
  do {
    const page: { articles: ReadonlyArray<{ articleId: number }>; nextAfterId: number | null } =
      yield* catalogue.articles({ siteId, limit: 2, afterId, nowMs })
    ids.push(...page.articles.map(({ articleId }) => articleId))
    afterId = page.nextAfterId
  } while (afterId !== null)
  expect((yield* catalogue.site(siteId, nowMs))?.articlesAvailable).toBe(ids.length)
  return ids
})

export const catalogueSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Catalogue of ${name}`, store, (it) => {
    it.effect("returns a site by id, open or paused, as last listed", () =>
      Effect.gen(function* () {
        const catalogue = yield* Catalogue
        const site = yield* listSite({ nicheLabel: "Santé – 健康", linkRel: "sponsored", shelf: "Nautilus", cf: 7 })
        const details = yield* catalogue.site(site.siteId, 0)
        const { updatedAtMs } = details?.site ?? { updatedAtMs: 0 }
        expect(updatedAtMs).toBeGreaterThan(Date.UTC(2026, 0))
        expect(details).toEqual({ site: { ...site, updatedAtMs }, articlesAvailable: 0, measured: null })
        yield* listSite({ ...site, open: false, tf: 99 })
        expect((yield* catalogue.site(site.siteId, 0))?.site).toMatchObject({ open: false, tf: 99, cf: 7 })
        expect(yield* catalogue.site(999_999_999, 0)).toBeNull()
      })
    )

    it.effect("names the open ones of some sites", () =>
      Effect.gen(function* () {
        const catalogue = yield* Catalogue
        const [open, paused] = [(yield* listSite()).siteId, (yield* listSite({ open: false })).siteId]
        expect(yield* catalogue.openOf([paused, open, 999_999_999, open])).toEqual(new Set([open]))
        expect(yield* catalogue.openOf([])).toEqual(new Set())
      })
    )

    it.effect("finds sites by their ids, open or not, each once", () =>
      Effect.gen(function* () {
        const catalogue = yield* Catalogue
        const both = [yield* listSite(), yield* listSite({ open: false })].map(({ siteId }) => siteId)
        const found = yield* catalogue.sites([...both, 999_999_999, ...both])
        const states = new Map(found.map(({ siteId, open }) => [siteId, open]))
        expect([found.length, states]).toEqual([2, new Map(both.map((id, nth) => [id, nth === 0]))])
        expect(yield* catalogue.sites([])).toEqual([])
      })
    )

    it.effect("finds sites by their domains, open or not", () =>
      Effect.gen(function* () {
        const { siteIdsOf } = yield* Catalogue
        const [open, paused] = [yield* listSite(), yield* listSite({ open: false })]
        const found = yield* siteIdsOf([paused.domain, "nowhere.example", open.domain, open.domain])
        expect(found).toEqual(
          new Map([
            [open.domain, open.siteId],
            [paused.domain, paused.siteId]
          ])
        )
        expect(yield* siteIdsOf([])).toEqual(new Map())
      })
    )

    it.effect(
      "names the sites that an account has linked to a domain in a mode, or asked to in a quote to be paid",
      () =>
        Effect.gen(function* () {
          const catalogue = yield* Catalogue
          const sites = yield* Effect.all(times(9, () => listSite()))
          const [apex, below, beside, cancelled, open, abandoned, expired, paid, test] = sites.map(
            ({ siteId }) => siteId
          )
          const link = (siteId: number | undefined, host: string): OrderItem =>
            item({ siteId: siteId ?? 0, targetUrl: `https://${host}/a?b=shop.example` })
          const { caller } = yield* buyer(2_000)
          const other = (yield* buyer(2_000)).caller
          const sandbox = callerOf(yield* issueKeyTo({ accountId: caller.accountId, mode: "sandbox" }))
          const first = [
            link(apex, "SHOP.example"),
            link(below, "a.b.shop.example:8443"),
            link(beside, "myshop.example")
          ]
          const { quote } = yield* order(caller, { items: first })
          expect(quote.status).toBe("paid")
          const { links } = yield* order(caller, { items: [link(cancelled, "shop.example")] })
          yield* cancelLinkById(links[0]?.linkId ?? LinkId.make(""))
          yield* order(other, { items: [link(test, "shop.example")] })
          yield* order(sandbox, { items: [link(test, "www.shop.example")], sandboxCreditCents: 10_000 })
          const into = (domain: string, of = caller, nowMs = quote.createdAtMs) =>
            Effect.map(catalogue.linkingTo({ accountId: of.accountId, mode: of.mode, domain, nowMs }), (ids) =>
              [...ids].sort((a, b) => a - b)
            )
          expect(yield* into("shop.example")).toEqual([apex, below])
          expect(yield* into("b.shop.example")).toEqual([below])
          expect(yield* into("myshop.example")).toEqual([beside])
          expect(yield* into("hop.example")).toEqual([])
          expect(yield* into("shop.example", other)).toEqual([test])
          expect(yield* into("shop.example", sandbox)).toEqual([test])
          expect(yield* into("b.shop.example", sandbox)).toEqual([])
          const poor = (yield* buyer()).caller
          const ask = (siteId: number | undefined, settings = plainSettings) =>
            order(poor, { items: [link(siteId, "shop.example"), link(beside, "myshop.example")], settings })
          const { expiresAtMs } = (yield* ask(open)).quote
          yield* abandon((yield* ask(abandoned)).quote, "agent")
          yield* ask(expired, expiredQuoteSettings)
          yield* pay((yield* ask(paid)).quote)
          const ofSandbox = callerOf(yield* issueKeyTo({ accountId: poor.accountId, mode: "sandbox" }))
          yield* order(ofSandbox, { items: [link(test, "shop.example")], sandboxCreditCents: 0 })
          expect(yield* into("shop.example", poor)).toEqual([open, paid])
          expect(yield* into("shop.example", poor, expiresAtMs)).toEqual([paid])
          expect(yield* into("shop.example", ofSandbox)).toEqual([test])
        })
    )

    it.effect("returns an article as it was listed", () =>
      Effect.gen(function* () {
        const catalogue = yield* Catalogue
        const { siteId } = yield* listSite()
        const keywords = [{ query: "où dormir à Lisbonne", position: 4, impressions: 1_200 }]
        const article = yield* listArticle(siteId, { priceCents: 777, keywords, title: "L’été « ici »" })
        const { articles } = yield* catalogue.articles({ siteId, limit: 50, afterId: null, nowMs: 0 })
        expect(articles).toEqual([article])
      })
    )

    it.effect(
      "lists free articles by id: neither sold nor reserved by an open quote, free again once the quote has expired",
      () =>
        Effect.gen(function* () {
          const { siteId } = yield* listSite()
          const other = yield* listSite()
          const articles = yield* Effect.all(times(7, () => listArticle(siteId)))
          yield* listArticle(other.siteId)
          const [a, , c, d, e, , g] = articles.map(({ articleId }) => articleId)
          const insertions = articles.map(insertionInto)
          const { caller } = yield* buyer(500)
          yield* order(caller, { items: insertions.slice(1, 2) })
          const settings = { ...plainSettings, quoteTtlMs: 3_600_000 }
          const open = yield* order(caller, { items: insertions.slice(2, 3), settings })
          const expired = yield* order(caller, { items: insertions.slice(3, 4), settings: expiredQuoteSettings })
          const given = yield* order(caller, { items: insertions.slice(4, 5) })
          yield* abandon(given.quote, "human")
          const paid = yield* order(caller, { items: insertions.slice(5, 6) })
          yield* pay(paid.quote)
          const nowMs = open.quote.createdAtMs
          expect(yield* freeOn(siteId, nowMs)).toEqual([a, d, e, g])
          const { expiresAtMs } = open.quote
          expect(yield* freeOn(siteId, expiresAtMs - 1)).toEqual([a, d, e, g])
          expect(yield* freeOn(siteId, expiresAtMs)).toEqual([a, c, d, e, g])
          yield* abandon(open.quote, "expiry")
          expect(yield* freeOn(siteId, nowMs)).toEqual([a, d, e, g])
          yield* abandon(open.quote, "human")
          expect(yield* freeOn(siteId, nowMs)).toEqual([a, c, d, e, g])
          yield* abandon(expired.quote, "expiry")
          expect(yield* freeOn(siteId, nowMs)).toEqual([a, c, d, e, g])
          yield* order(caller, { items: insertions.slice(0, 1) })
          expect(yield* freeOn(siteId, nowMs)).toEqual([c, d, e, g])
        })
    )

    it.effect("lists the article of a cancelled insertion again", () =>
      Effect.gen(function* () {
        const { siteId } = yield* listSite()
        const article = yield* listArticle(siteId)
        const { caller } = yield* buyer(500)
        const { links, quote } = yield* order(caller, { items: [insertionInto(article)] })
        expect(yield* freeOn(siteId, quote.createdAtMs)).toEqual([])
        yield* cancelLinkById(links[0]?.linkId ?? LinkId.make(""))
        expect(yield* freeOn(siteId, quote.createdAtMs)).toEqual([article.articleId])
      })
    )

    it.effect("pages through articles while some are added and sold: none twice, none skipped that stayed", () =>
      Effect.gen(function* () {
        const catalogue = yield* Catalogue
        const { siteId } = yield* listSite()
        const articles = yield* Effect.all(times(9, () => listArticle(siteId)))
        const ids = articles.map(({ articleId }) => articleId)
        const page = (afterId: number | null) => catalogue.articles({ siteId, limit: 3, afterId, nowMs: 0 })
        const first = yield* page(null)
        const { caller } = yield* buyer(5_000)
        yield* order(caller, { items: [...articles.slice(1, 3), ...articles.slice(4, 5)].map(insertionInto) })
        const added = yield* listArticle(siteId)
        const second = yield* page(first.nextAfterId)
        const third = yield* page(second.nextAfterId)
        const seen = [first, second, third].flatMap((one) => one.articles.map(({ articleId }) => articleId))
        expect(seen).toEqual([...ids.slice(0, 4), ...ids.slice(5), added.articleId])
        expect(third.nextAfterId).toBeNull()
      })
    )

    it.effect("computes figures from live links that were not cancelled", () =>
      Effect.gen(function* () {
        const catalogue = yield* Catalogue
        const site = yield* listSite()
        const measured = Effect.map(catalogue.site(site.siteId, 0), (details) => details?.measured)
        const { caller } = yield* buyer(50_000)
        const sandbox = yield* buyer(0, { mode: "sandbox" })
        yield* order(sandbox.caller, { items: linksOn(site), sandboxCreditCents: 10_000 })
        yield* order((yield* buyer()).caller, { items: linksOn(site) })
        expect(yield* measured).toBeNull()
        const { links } = yield* order(caller, { items: linksOn(site, site, site, site, site) })
        const [first, second, third, , fifth] = links.map(({ linkId }) => linkId)
        expect(yield* measured).toEqual({ orders: 5, medianDaysToPublish: null, stillLiveRatio: null })
        yield* cancelLinkById(fifth ?? LinkId.make(""))
        yield* moveLinkTo(first ?? LinkId.make(""), "published")
        expect(yield* measured).toMatchObject({ orders: 4, stillLiveRatio: null })
        yield* moveLinkTo(second ?? LinkId.make(""), "published")
        yield* moveLinkTo(third ?? LinkId.make(""), "published")
        yield* moveLinkTo(second ?? LinkId.make(""), "verified")
        const now = yield* measured
        expect(now).toMatchObject({ orders: 4, stillLiveRatio: 1 / 3 })
        expect(now?.medianDaysToPublish).toBeGreaterThanOrEqual(0)
        expect(now?.medianDaysToPublish).toBeLessThan(0.01)
      })
    )
  })
