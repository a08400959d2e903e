// Finds what a cart names and prices it. The checks run in the order of the contract: ownership, match of article and site,
// availability, promotion.
import { HashMap, Result } from "effect"
import { type Account, welcomeIsFree } from "#core/domain/Account.ts"
import type { OrderItem, OrderRequest } from "#core/domain/Cart.ts"
import { type Article, articleIsFree, type Site } from "#core/domain/Catalogue.ts"
import type { DecisionContext, Mode } from "#core/domain/DecisionContext.ts"
import { type Cents, sum } from "#core/domain/Money.ts"
import { linePriceCents, type Offers, type Price, price } from "#core/domain/Pricing.ts"
import { normaliseCode, ownReservation, usePromo } from "#core/domain/Promo.ts"
import type { QuoteLine } from "#core/domain/Quote.ts"
import {
  ArticleSiteMismatch,
  ArticleUnavailable,
  CartInvalid,
  ProjectNotFound,
  PromoCodeInvalid,
  type Refusal,
  SiteNotFound,
  SiteUnavailable
} from "#core/domain/Refusal.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"
import { usedByAnother, welcomeDomains } from "#core/domain/WelcomeUse.ts"
import { type Books, find } from "./Books.ts"
import { type ResultGenerator, resultFn } from "./ResultFn.ts"

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

const promoOffer = (
  books: Books,
  promoCode: string | undefined,
  use: { readonly accountId: string; readonly grossCents: Cents; readonly nowMs: number }
): Result.Result<Offers["promo"], PromoCodeInvalid> => {
  if (promoCode === undefined) return Result.succeed(null)
  const code = normaliseCode(promoCode)
  const promo = find(books.promos, code)
  return usePromo(promo, use).pipe(
    Result.map((amountCents) => ({ code, amountCents })),
    Result.mapError((reason) => {
      const minimum = reason === "minimum_not_met" ? promo?.minimumCents : undefined
      const reservedBy = promo === undefined ? undefined : ownReservation(promo, use, reason)
      return new PromoCodeInvalid({
        code,
        reason,
        ...(minimum == null ? {} : { minimumCents: minimum }),
        ...(reservedBy === undefined ? {} : { reservedBy })
      })
    })
  )
}

interface CartToPrice {
  readonly account: Account
  readonly mode: Mode
  readonly request: OrderRequest
  readonly settings: ShopSettings
}

/**
 * The first target domain because of which a self-opened account does not get the welcome offer: another account has used it there.
 * All others get it wherever they link to.
 */
export const welcomeUsedFor = (
  books: Books,
  { selfOpened, accountId }: Account,
  items: ReadonlyArray<OrderItem>,
  nowMs: number
): string | undefined =>
  selfOpened === true
    ? usedByAnother(HashMap.values(books.welcomeUses), welcomeDomains(items), accountId, nowMs)
    : undefined

/**
 * In sandbox a reserved welcome offer counts as available, so that sandbox orders show it until a live order spends it. A live one that
 * another open quote reserves is named with that quote, so that its price is no surprise.
 */
const welcomeOffer = (
  books: Books,
  { nowMs }: DecisionContext,
  { account, mode, request, settings }: CartToPrice
): Offers["welcome"] => {
  const { welcome } = account
  const { welcomeBasisPoints: basisPoints } = settings
  if (welcome.state === "spent" || basisPoints === 0) return null
  const usedForDomain = welcomeUsedFor(books, account, request.items, nowMs)
  if (usedForDomain !== undefined) return { basisPoints, usedForDomain }
  const free = mode === "sandbox" || welcome.state === "available" || welcomeIsFree(welcome, nowMs)
  return free ? { basisPoints } : { basisPoints, reservedBy: welcome.quoteId }
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
    netCents: priced.netLineCents[index] ?? 0
  }))
  return { lines, price: priced }
})
