// `/sites`: the catalogue for everyone where the operator shows it: domain, niche, language, metrics and price, with the filters of the Shop.
// Each site leads to the Shop, whose sign-in opens an account for those who have none.
import { Effect, Exit, Layer, Result } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { answerInTime, Patience } from "#adapters/concurrency/AnswerInTime.ts"
import { readSearch } from "#adapters/contract/catalogue/CatalogSearch.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { ServedRoute } from "#adapters/http/server/RouteTable.ts"
import type { Site } from "#core/domain/catalogue/Catalogue.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { sitePriceCents } from "#core/domain/pricing/Shelf.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { errorSummary, refusedFilters, titleWith } from "../form/ErrorSummary.ts"
import type { FormState } from "../form/Fields.ts"
import { storable } from "../form/FormBody.ts"
import { chosenFilters, decodeFilters, type FilterPlace, filterForm, hintLinks } from "../shop/CatalogueFilters.ts"
import { figure, languageName } from "../shop/SiteWording.ts"
import { type Column, money, named, numbers, pageLinks, table } from "../Tables.ts"
import { type FrontOptions, frontPage, SITES } from "./FrontPage.ts"
import { makeStrangersSearches, searchKey } from "./StrangersSearches.ts"

export const sitesRoutes: ReadonlyArray<ServedRoute> = [{ method: "GET", path: SITES }]

export interface SitesPageOptions extends FrontOptions {
  /** The network that a request comes from. */
  readonly networkOf: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<string>
}

/** Articles, links of an account, and what is not shown here are for members. */
const PLACE: FilterPlace = {
  path: SITES,
  without: new Set(["has_articles", "article_query", "not_linking_to", "link_rel", "max_turnaround_days"])
}

/** A site's own page is in the Shop: it takes a sign-in, which leads back there. */
export const siteLink = ({ siteId, domain }: Site, members: boolean): Html =>
  members ? html`<a href="/account/shop/sites/${siteId}">${domain}</a>` : html`${domain}`

const columns = (members: boolean): ReadonlyArray<Column<Site>> => [
  named(
    "Site",
    (site) => html`${siteLink(site, members)}<br><small>${site.nicheLabel}, in ${languageName(site.language)}</small>`
  ),
  numbers("Trust Flow", ({ tf, cf }) => html`${tf}<br><small>Citation Flow ${cf}</small>`),
  numbers("Domain Authority", ({ mozDa }) => mozDa),
  numbers("Referring domains", ({ rd }) => figure(rd)),
  numbers("Visits a month", ({ trafficMonthly }) => figure(trafficMonthly)),
  money("Price", (site) => html`${formatEur(sitePriceCents(site))}<br><small>${site.shelf}</small>`)
]

const DESCRIPTION =
  "Sites on which you can order a link, with niche, language, Trust Flow, visits a month and the price of a link."

const SITES_A_PAGE = 20

const HEADING = html`<h1>Sites on which you can order a link</h1>`

const intro = ({ members, vat }: FrontOptions): Html => {
  const how = members
    ? "One price a link, the same for you and for your agent, the text included. Choose a site to order there; you sign in first, or open an account for free."
    : "One price a link, the text included. Your agent orders with the key that you got from the operator."
  return html`<p>${how}${vat === null ? "" : ` ${vat}`}</p>`
}

const listPage = (options: FrontOptions) =>
  Effect.gen(function* () {
    const catalogue = yield* BrowseCatalogue
    const facets = yield* Effect.cachedWithTTL(catalogue.facets, (exit) => (Exit.isSuccess(exit) ? "30 seconds" : 0))
    const shown = Effect.fnUntraced(function* (state: FormState, found: Html, status: number, canonical: boolean) {
      const form = filterForm(state, yield* facets, PLACE)
      const refused = state.messages.size === 0 ? null : refusedFilters(SITES, state)
      const body = html`${errorSummary(refused, form)}${HEADING}\n${intro(options)}\n${form}\n${found}`
      const title = titleWith(refused, "Sites")
      return frontPage(options, { title, description: DESCRIPTION, path: SITES, body, status, canonical })
    })
    return Effect.fnUntraced(function* (key: string) {
      const query = new URLSearchParams(key)
      const filters = chosenFilters(query, PLACE)
      const cursor = query.get("cursor")
      const decoded = decodeFilters(new URLSearchParams(cursor === null ? filters : [...filters, ["cursor", cursor]]))
      if (Result.isFailure(decoded)) {
        const state = { values: filters, messages: decoded.failure }
        return yield* shown(state, html`<p class="empty">Correct the filters to see sites.</p>`, 422, false)
      }
      const state = { values: filters, messages: new Map() }
      const read = readSearch({ ...decoded.success, limit: SITES_A_PAGE })
      if (Result.isFailure(read)) {
        const over = html`<p class="empty">This place in the list is not there any more. <a href="${SITES}">Show all sites</a></p>`
        return yield* shown(state, over, 410, false)
      }
      const { search, cursorOf } = read.success
      const { sites, total, next } = yield* catalogue.search(search)
      const all = filters.size === 0 ? nothing : html`, by these filters. <a href="${SITES}">Show all sites</a>`
      const list =
        total === 0
          ? hintLinks(yield* catalogue.similarNames(search.filter), SITES)
          : html`<h2>${counted(total, "site")}${all}</h2>\n${table(columns(options.members), sites)}`
      const links = pageLinks(
        { path: SITES, filters, at: cursor, next: next === null ? null : cursorOf(next) },
        { first: "First sites", next: "More sites" },
        { name: "cursor" }
      )
      return yield* shown(state, html`${list}${links}`, 200, key === "")
    })
  })

/** A page without sites, which says why. */
const without = (
  options: FrontOptions,
  status: number,
  heading: string,
  says: Html,
  headers: Readonly<Record<string, string>> = {}
) =>
  frontPage(options, {
    title: heading,
    description: DESCRIPTION,
    path: SITES,
    body: html`<h1>${heading}</h1>\n${says}`,
    status,
    headers
  })

const shopLink = (options: FrontOptions): Html =>
  options.members ? html` Members find all sites in the <a href="/account/shop">Shop</a>.` : nothing

const hidden = (options: FrontOptions) =>
  without(
    options,
    404,
    "The sites are not shown here",
    html`<p>The <a href="/">start page</a> has the prices of a link, and what the sites are about.${shopLink(options)}</p>`
  )

const tooMany = (options: FrontOptions, seconds: number) =>
  without(
    options,
    429,
    "Too many searches",
    html`<p>Try again in ${counted(seconds, "second")}. <a href="${SITES}">Show the first sites</a>.${shopLink(options)}</p>`,
    { "retry-after": String(seconds) }
  )

const unavailable = (options: FrontOptions) =>
  without(options, 503, "Please try again", html`<p>The service is busy. Try again in a minute.</p>`, {
    "retry-after": "2"
  })

const queryOf = (url: string): URLSearchParams => new URL(storable(url), "http://service").searchParams

/** What of an address makes a search: the filters and the place in the list. */
const keyOf = (url: string): string => {
  const query = queryOf(url)
  const cursor = query.get("cursor")
  const filters = chosenFilters(query, PLACE)
  return searchKey(cursor === null ? filters : new URLSearchParams([...filters, ["cursor", cursor]]))
}

export const layer = (options: SitesPageOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      if (!options.publicCatalogue) return yield* router.add("GET", SITES, hidden(options))
      const patienceMs = yield* Patience
      const search = yield* makeStrangersSearches<HttpServerResponse.HttpServerResponse, unknown>(
        yield* listPage(options),
        (seconds) => tooMany(options, seconds)
      )
      const answer = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        return yield* search(keyOf(request.url), yield* options.networkOf(request))
      }).pipe(Effect.orElseSucceed(() => unavailable(options)))
      yield* router.add(
        "GET",
        SITES,
        answerInTime(
          answer,
          patienceMs,
          Effect.sync(() => unavailable(options))
        )
      )
    })
  )
