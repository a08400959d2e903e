// The Shop's catalogue: a search with the API's filters, and one site with everything that the API shows of it.
import { Effect, Result } from "effect"
import { readSearch } from "#adapters/contract/catalogue/CatalogSearch.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { SearchHint } from "#core/domain/catalogue/CatalogueFacets.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { PlanVisibility } from "#core/usecases/catalogue/PlanVisibility.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import type { FormState } from "../Fields.ts"
import { catalogueIdOf } from "../FormSchemas.ts"
import { type Handlers, page, show } from "../PageRoutes.ts"
import { CART } from "../shop/CartView.ts"
import { chosenFilters, decodeFilters, filterForm } from "../shop/CatalogueFilters.ts"
import { emptyItem, type ItemContext, itemForm } from "../shop/ItemForm.ts"
import { projectChoices } from "../shop/ProjectChoices.ts"
import { readCart } from "../shop/ShopCart.ts"
import { articlesTable, pricesOf, siteFacts, sitesTable } from "../shop/SiteFacts.ts"
import { languageName } from "../shop/SiteWording.ts"

const PATH = "/account/shop"

export const shopRoutes = {
  catalogue: page("viewer", "/account/shop"),
  site: page("viewer", "/account/shop/sites/:id")
}

const ARTICLES_SHOWN = 20

const withValue = (filters: URLSearchParams, name: string, value: string): string => {
  const changed = new URLSearchParams(filters)
  changed.set(name, value)
  return `${PATH}?${changed}`
}

const hintLinks = ({ niches, languages }: SearchHint): Html => html`<div class="empty">
<p>No site matches. <a href="${PATH}">Show all sites</a>, or leave out one filter.</p>
<p>Niches that come near: ${niches.map((niche) => html`<a href="${withValue(new URLSearchParams(), "niche", niche)}">${niche}</a> `)}</p>
<p>Languages that come near: ${languages.map((code) => html`<a href="${withValue(new URLSearchParams(), "language", code)}">${languageName(code)}</a> `)}</p>
</div>`

const pagesNav = (filters: URLSearchParams, isFirst: boolean, next: string | null): Html => {
  const first = isFirst
    ? nothing
    : html`<li><a href="${PATH}${filters.size === 0 ? "" : `?${filters}`}">First sites</a></li>`
  const more =
    next === null ? nothing : html`<li><a rel="next" href="${withValue(filters, "cursor", next)}">More sites</a></li>`
  return isFirst && next === null ? nothing : html`<nav aria-label="Pages"><ul class="pages">${first}${more}</ul></nav>`
}

const INTRO = html`<p>The sites on which you and your agents can order a link. What you order here is real; a key for the sandbox is for trying things out.</p>`

const cartNote = ({ member, session }: SignedIn): Html => {
  if (member.role !== "owner")
    return html`<p class="note">You can look at everything here. Only an owner of the account can order.</p>`
  const items = readCart(session.cart)?.cart.items ?? []
  return items.length === 0
    ? nothing
    : html`<p class="note">Your cart has ${counted(items.length, "link")}. <a href="${CART}">To the cart</a></p>`
}

export const shopHandlers = Effect.gen(function* () {
  const catalogue = yield* BrowseCatalogue
  const visibility = yield* PlanVisibility
  const shop = yield* WebShop

  const searchPage = Effect.fnUntraced(function* (who: SignedIn, state: FormState, found: Html, status = 200) {
    const form = filterForm(state, yield* catalogue.facets)
    return show("Shop", "Shop", html`<h1>Shop</h1>${INTRO}${cartNote(who)}${form}<h2>Sites</h2>${found}`, { status })
  })

  /** For owners; the form leads to the cart. */
  const addForm = Effect.fnUntraced(function* (
    { account }: SignedIn,
    { site, articles }: Pick<ItemContext, "site" | "articles">
  ) {
    const projects = yield* projectChoices(visibility, account)
    const state = emptyItem(yield* shop.newId, site.siteId)
    const form = itemForm(state, { site, articles, projects, tier2: catalogue.tier2PricesCents }, "Put into the cart")
    return html`<h2>Order a link on this site</h2>${form}`
  })

  const handlers: Handlers<typeof shopRoutes> = {
    catalogue: Effect.fnUntraced(function* ({ who, query }) {
      const filters = chosenFilters(query)
      const cursor = query.get("cursor")
      const asked = new URLSearchParams(cursor === null ? filters : [...filters, ["cursor", cursor]])
      const decoded = decodeFilters(asked)
      if (Result.isFailure(decoded)) {
        const note = html`<p class="empty">Correct the filters to see sites.</p>`
        return yield* searchPage(who, { values: filters, messages: decoded.failure }, note, 422)
      }
      const { search, domain, cursorOf } = yield* Effect.fromResult(readSearch(decoded.success))
      const { accountId } = who.account
      const { sites, total, next } = yield* catalogue.search({
        ...search,
        ...(domain === undefined ? {} : { notLinking: { accountId, mode: "live", domain } })
      })
      const list =
        total === 0
          ? hintLinks(yield* catalogue.hint(search.filter))
          : html`<p>${counted(total, "site")}${filters.size === 0 ? "" : html`, by these filters. <a href="${PATH}">Show all sites</a>`}</p>${sitesTable(sites)}`
      const nav = pagesNav(filters, cursor === null, next === null ? null : cursorOf(next))
      return yield* searchPage(who, { values: filters, messages: new Map() }, html`${list}${nav}`)
    }),
    site: Effect.fnUntraced(function* ({ who, params: { id }, query }) {
      const siteId = catalogueIdOf(id)
      const after = catalogueIdOf(query.get("after"))
      const found = yield* catalogue.articles({ siteId, limit: ARTICLES_SHOWN, afterId: after === 0 ? null : after })
      const { site, measured, articles, articlesAvailable, nextAfterId } = found
      const tier2 = catalogue.tier2PricesCents
      const path = `${PATH}/sites/${site.siteId}`
      const closed = html`<p class="problem">This site takes no orders at the moment. <a href="${PATH}">Look at other sites</a>.</p>`
      const more =
        nextAfterId === null
          ? nothing
          : html`<p><a rel="next" href="${path}?after=${nextAfterId}">More articles</a></p>`
      const list =
        articlesAvailable === 0
          ? html`<p class="empty">No article of this site takes a link now.</p>`
          : html`${articlesTable(articles, site, tier2)}${more}`
      return show(
        "Shop",
        site.domain,
        html`<h1>${site.domain}</h1>
${site.open ? nothing : closed}
${siteFacts(site, measured)}
${site.open ? html`<h2>Prices</h2>${pricesOf(site, tier2)}` : nothing}
<h2>Articles that take a link</h2>
${list}
${site.open && who.member.role === "owner" ? yield* addForm(who, found) : nothing}`
      )
    })
  }
  return handlers
})
