// The Shop's catalogue: a search with the API's filters, and one site with everything that the API shows of it.
import { Effect, Result } from "effect"
import { readSearch } from "#adapters/contract/catalogue/CatalogSearch.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { sitePriceCents } from "#core/domain/pricing/Shelf.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import { refusedFilters } from "../form/ErrorSummary.ts"
import { catalogueIdOf } from "../form/FieldSchemas.ts"
import type { FormState } from "../form/Fields.ts"
import { showForm } from "../form/Form.ts"
import { helpLink } from "../help/HelpTopics.ts"
import { vatOf } from "../money/PriceVat.ts"
import { page, titled, type Visit } from "../Page.ts"
import { CART } from "../shop/CartView.ts"
import { chosenFilters, decodeFilters, filterForm, hintLinks } from "../shop/CatalogueFilters.ts"
import { emptyItem, type ItemContext, itemFields, itemForm } from "../shop/ItemForm.ts"
import { projectChoices } from "../shop/ProjectChoices.ts"
import { SHEETS } from "../shop/SheetView.ts"
import { readCart } from "../shop/ShopCart.ts"
import { articleColumns, ORDER_HERE, offerCard, siteColumns, siteFacts } from "../shop/SiteFacts.ts"
import { pageLinks, table } from "../Tables.ts"

const PATH = "/account/shop"

const ARTICLES_SHOWN = 20

const INTRO = html`<p>Sites on which you and your agents can order a link. Links are dofollow unless a row says otherwise. ${helpLink("figures")}</p>`

const cartNote = ({ member, session }: SignedIn): Html => {
  if (member.role !== "owner")
    return html`<p class="note">You can look at everything here. Only an owner of the account can order.</p>`
  const items = readCart(session.cart)?.cart.items ?? []
  const sheets = html`Many links at once? <a href="${SHEETS}">Upload a sheet</a>.`
  return items.length === 0
    ? html`<p>${sheets}</p>`
    : html`<p class="note">Your cart has ${counted(items.length, "link")}. <a href="${CART}">To the cart</a>. ${sheets}</p>`
}

/** "1 to 20 of 90 sites". A further page does not know how many sites stand before it. */
const shownOf = (shown: number, total: number, isFurther: boolean): string => {
  const all = counted(total, "site")
  if (shown === total) return all
  return isFurther ? `${shown} more of ${all}` : `1 to ${shown} of ${all}`
}

const searchPage = Effect.fnUntraced(function* (who: SignedIn, state: FormState, found: Html) {
  const form = filterForm(state, yield* (yield* BrowseCatalogue).facets)
  return titled("Shop", html`${INTRO}${cartNote(who)}${form}${found}`)
})

const cataloguePage = page("viewer", PATH, { section: "Shop" }, function* ({ who, query }) {
  const catalogue = yield* BrowseCatalogue
  const filters = chosenFilters(query)
  const cursor = query.get("cursor")
  const decoded = decodeFilters(new URLSearchParams(cursor === null ? filters : [...filters, ["cursor", cursor]]))
  if (Result.isFailure(decoded)) {
    const note = html`<p class="empty">Correct the filters to see sites.</p>`
    const state = { values: filters, messages: decoded.failure }
    return { ...(yield* searchPage(who, state, note)), status: 422, refused: refusedFilters(PATH, state) }
  }
  const { search, domain, cursorOf } = yield* Effect.fromResult(readSearch(decoded.success))
  const { accountId } = who.account
  const { sites, total, next } = yield* catalogue.search({
    ...search,
    ...(domain === undefined ? {} : { notLinking: { accountId, mode: "live", domain } })
  })
  const list =
    total === 0
      ? hintLinks(yield* catalogue.similarNames(search.filter), PATH)
      : html`<h2>${shownOf(sites.length, total, cursor !== null)}</h2>${filters.size === 0 ? nothing : html`<p>By these filters. <a href="${PATH}">Show all sites</a></p>`}${table(siteColumns(catalogue.turnaroundDays, who.member.role === "owner"), sites)}`
  const links = pageLinks(
    { path: PATH, filters, at: cursor, next: next === null ? null : cursorOf(next) },
    { first: "First sites", next: "More sites" },
    { name: "cursor" }
  )
  return yield* searchPage(who, { values: filters, messages: new Map() }, html`${list}${links}`)
})

/** For owners; the form leads to the cart. */
const addForm = Effect.fnUntraced(function* (
  visit: Visit<SignedIn>,
  { site, articles }: Pick<ItemContext, "site" | "articles">
) {
  const projects = yield* projectChoices(visit.who.account)
  const { tier2PricesCents: tier2 } = yield* BrowseCatalogue
  const values = emptyItem(yield* (yield* WebShop).newId, site.siteId)
  const fields = itemFields({ site, articles, projects, tier2 }, values)
  return html`<h2 id="${ORDER_HERE}">Order a link on this site</h2>${yield* showForm(itemForm, visit, { fields, values })}`
})

const sitePage = page("viewer", `${PATH}/sites/:id`, { section: "Shop" }, function* (visit) {
  const { who, params, query } = visit
  const catalogue = yield* BrowseCatalogue
  const after = catalogueIdOf(query.get("after"))
  const at = after === 0 ? null : after
  const found = yield* catalogue.articles({ siteId: catalogueIdOf(params["id"]), limit: ARTICLES_SHOWN, afterId: at })
  const { site, measured, articles, articlesAvailable, nextAfterId } = found
  const tier2 = catalogue.tier2PricesCents
  const mayOrder = site.open && who.member.role === "owner"
  const vat = yield* vatOf({ accountId: who.account.accountId, mode: "live", totalCents: sitePriceCents(site) })
  const closed = html`<p class="problem">This site takes no orders at the moment. <a href="${PATH}">Look at other sites</a>.</p>`
  const links = pageLinks(
    { path: `${PATH}/sites/${site.siteId}`, at, next: nextAfterId },
    { first: "First articles", next: "More articles" },
    { name: "after" }
  )
  const list =
    articlesAvailable === 0
      ? html`<p class="empty">No article of this site takes a link now.</p>`
      : html`<p>Your link can stand in one of these, which are online already, instead of in a new one. Each takes one link.</p>
${table(articleColumns(site, tier2), articles)}${links}`
  const body = html`${site.open ? nothing : closed}
${site.open ? offerCard(site, { byShelf: catalogue.turnaroundDays, tier2, vat, mayOrder }) : nothing}
${siteFacts(site, measured)}
<h2>Articles that take a link</h2>
${list}
${mayOrder ? yield* addForm(visit, found) : nothing}`
  return titled(site.domain, body)
})

export const shopPages = [cataloguePage, sitePage]
