// Finds what a cart names and prices it. The checks run in the order of the contract: ownership, match of article and site,
// availability, promotion.
import { Result } from "effect"
import { type Article, articleIsFree, type Site } from "#core/domain/catalogue/Catalogue.ts"
import {
  ArticleSiteMismatch,
  ArticleUnavailable,
  ProjectNotFound,
  SiteNotFound,
  SiteUnavailable
} from "#core/domain/catalogue/CatalogueRefusal.ts"
import { turnaroundDays } from "#core/domain/catalogue/Turnaround.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { QuoteLine } from "#core/domain/ordering/Quote.ts"
import type { OrderItem } from "#core/domain/pricing/Cart.ts"
import { sum } from "#core/domain/pricing/Money.ts"
import { CartInvalid } from "#core/domain/pricing/PriceRefusal.ts"
import { linePriceCents, type Price, price } from "#core/domain/pricing/Pricing.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { DecisionContext } from "#core/domain/shared/DecisionContext.ts"
import { type Books, find } from "../Books.ts"
import { type ResultGenerator, resultFn } from "../ResultFn.ts"
import { type CartToPrice, promoOffer, welcomeOffer } from "./Offers.ts"

interface Found {
  readonly item: OrderItem
  readonly site: Site
  readonly article: Article | undefined
}

const at = (index: number, field: string) => ({ item: index, field })

const findSites = (books: Books, items: ReadonlyArray<OrderItem>): Result.Result<ReadonlyArray<Site>, SiteNotFound> =>
  Result.all(
    items.map(({ siteId }, index) =>
      Result.fromNullishOr(find(books.sites, siteId), () => new SiteNotFound({ siteId, path: at(index, "siteId") }))
    )
  )

/** A project or opportunity of another account is not found. */
const checkProject = (books: Books, account: Account, item: OrderItem, index: number): Result.Result<void, Refusal> => {
  const { projectId, opportunityId } = item
  if (projectId === undefined) return Result.void
  if (find(books.projects, projectId)?.accountId !== account.accountId) {
    return Result.fail(new ProjectNotFound({ projectId, path: at(index, "projectId") }))
  }
  if (opportunityId === undefined || find(books.opportunities, opportunityId)?.projectId === projectId)
    return Result.void
  const message = `Project ${projectId} has no such opportunity; take opportunity_id from its plan.`
  return Result.fail(new CartInvalid({ faults: [{ path: at(index, "opportunityId"), message }] }))
}

const findArticle = (
  books: Books,
  { articleId, siteId }: OrderItem,
  index: number
): Result.Result<Article | undefined, ArticleSiteMismatch> => {
  if (articleId === undefined) return Result.succeed(undefined)
  const article = find(books.articles, articleId)
  return article?.siteId === siteId
    ? Result.succeed(article)
    : Result.fail(new ArticleSiteMismatch({ articleId, siteId, path: at(index, "articleId") }))
}

const checkAvailable = (
  { site, article }: Found,
  index: number,
  context: DecisionContext
): Result.Result<void, Refusal> => {
  if (!site.open) return Result.fail(new SiteUnavailable({ siteId: site.siteId, path: at(index, "siteId") }))
  return article === undefined || articleIsFree(article, context.nowMs)
    ? Result.void
    : Result.fail(new ArticleUnavailable({ articleId: article.articleId, path: at(index, "articleId") }))
}

export interface PricedCart {
  readonly lines: ReadonlyArray<QuoteLine>
  readonly price: Price
}

export const priceCart = resultFn(function* (
  books: Books,
  context: DecisionContext,
  cart: CartToPrice
): ResultGenerator<PricedCart, Refusal> {
  const { account, request, settings } = cart
  const { items } = request
  const sites = yield* findSites(books, items)
  for (const [index, item] of items.entries()) yield* checkProject(books, account, item, index)
  const articles = yield* Result.all(items.map((item, index) => findArticle(books, item, index)))
  const found = items.flatMap((item, index): ReadonlyArray<Found> => {
    const site = sites[index]
    return site === undefined ? [] : [{ item, site, article: articles[index] }]
  })
  for (const [index, one] of found.entries()) yield* checkAvailable(one, index, context)
  const lineCents = found.map(({ item, site, article }) =>
    linePriceCents(item, site, article, settings.tier2PricesCents)
  )
  const use = { accountId: account.accountId, grossCents: sum(lineCents), nowMs: context.nowMs }
  const promo = yield* promoOffer(books, request.promoCode, use)
  const priced = price(lineCents, { promo, welcome: welcomeOffer(books, context, cart) })
  const lines = found.map(({ item, site }, index) => ({
    item,
    domain: site.domain,
    shelf: site.shelf,
    priceCents: priced.lineCents[index] ?? 0,
    netCents: priced.netLineCents[index] ?? 0,
    turnaroundDays: turnaroundDays(site, settings.turnaroundDays)
  }))
  return { lines, price: priced }
})
