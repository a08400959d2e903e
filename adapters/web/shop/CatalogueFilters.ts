// The filters of the Shop's catalogue: those of the API, with the values that sites have.
import { Schema } from "effect"
import { CatalogQuery } from "#adapters/contract/catalogue/Catalog.ts"
import { Html, html, nothing } from "#adapters/html/Html.ts"
import { Sort } from "#core/domain/catalogue/Catalogue.ts"
import type { Facets, FacetValue, SearchHint } from "#core/domain/catalogue/CatalogueFacets.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"
import { type Choice, choice, controlsOf, type Field, type FormState, type TextOptions, text } from "../form/Fields.ts"
import { folded } from "../form/Filters.ts"
import { fieldsDecoder } from "../form/FormBody.ts"
import { ticks } from "../form/Groups.ts"
import { addressOf } from "../Tables.ts"
import { languageName, linkRelText } from "./SiteWording.ts"

const SORTS: Readonly<Record<Sort, string>> = {
  id: "catalogue order",
  price: "cheapest first",
  "-tf": "highest Trust Flow first",
  "-traffic": "most visits first"
}

const ARTICLES: ReadonlyArray<Choice> = [
  { value: "", label: "all sites" },
  { value: "true", label: "sites that have one" },
  { value: "false", label: "sites without" }
]

/** The page's size is its own. */
const { limit: _limit, offset: _offset, ...fields } = CatalogQuery.fields

export const decodeFilters = fieldsDecoder(Schema.Struct(fields))

/** Where the filters stand, and which of them only members have. */
export interface FilterPlace {
  readonly path: string
  readonly without: ReadonlySet<string>
}

const SHOP: FilterPlace = { path: "/account/shop", without: new Set() }

/** What was chosen, without the place in the list. */
export const chosenFilters = (query: URLSearchParams, { without } = SHOP): URLSearchParams => {
  const chosen = new URLSearchParams()
  for (const [name, value] of query) {
    // A comma is how many people write the decimals that the contract wants after a point.
    if (Object.hasOwn(fields, name) && name !== "cursor" && !without.has(name) && value.trim() !== "")
      chosen.append(name, name === "max_price_eur" ? value.trim().replace(",", ".") : value)
  }
  return chosen
}

const withCount = ({ name, sites }: FacetValue, text = name) => ({ value: name, label: `${text} (${sites})` })

const MAX_ROWS = 8

const shelfChoices = (shelves: Facets["shelves"]) => {
  const sitesOf = (shelf: string) => shelves.find(({ name }) => name === shelf)?.sites ?? 0
  return SHELVES.map(({ shelf, priceCents, criterion }) => ({
    value: shelf,
    label: `${shelf}, ${formatEur(priceCents)} a link (${sitesOf(shelf)}). ${criterion}`
  }))
}

/** A field with its place in the form: among the short ones, below them, or folded among the others and the lists. */
type Filter = readonly [place: "short" | "shelves" | "more" | "lists", field: Field]

type FilterName = Exclude<keyof typeof fields, "cursor">

/** The field of every filter, in the order of their places. */
const filters = ({ niches, languages, shelves, linkRels }: Facets): { readonly [Name in FilterName]: Filter } => {
  const rels = linkRels.map((value) => withCount(value, linkRelText[value.name]))
  const sorts = Sort.literals.map((value) => ({ value, label: SORTS[value] }))
  const short = (name: FilterName, label: string, options: TextOptions): Filter => [
    "short",
    text(fields[name], label, options)
  ]
  const more = (name: FilterName, label: string, options: TextOptions): Filter => [
    "more",
    text(fields[name], label, options)
  ]
  const list = (name: FilterName, label: string, choices: ReadonlyArray<Choice>): Filter => {
    const rows = Math.max(2, Math.min(MAX_ROWS, choices.length))
    return ["lists", choice(fields[name], label, choices, { hint: "Hold Ctrl or ⌘ to choose several.", rows })]
  }
  return {
    query: short("query", "Domain or niche", { type: "search", maxLength: 200 }),
    max_price_eur: short("max_price_eur", "Price at most (EUR)", { inputMode: "decimal", maxLength: 12 }),
    min_tf: short("min_tf", "Trust Flow at least", { inputMode: "numeric", maxLength: 3 }),
    min_traffic: short("min_traffic", "Monthly visits from", { inputMode: "numeric", maxLength: 10 }),
    min_cf: more("min_cf", "Citation Flow at least", { inputMode: "numeric", maxLength: 3 }),
    min_rd: more("min_rd", "Referring domains at least", { inputMode: "numeric", maxLength: 10 }),
    min_moz_da: more("min_moz_da", "Moz Domain Authority at least", { inputMode: "numeric", maxLength: 3 }),
    min_ranked_keywords: more("min_ranked_keywords", "Searches it ranks for, at least", {
      inputMode: "numeric",
      maxLength: 10
    }),
    has_articles: ["more", choice(fields.has_articles, "Articles that take a link", ARTICLES)],
    article_query: more("article_query", "An article ranks for", { type: "search", maxLength: 200 }),
    max_turnaround_days: more("max_turnaround_days", "Online within (days)", { inputMode: "numeric", maxLength: 3 }),
    not_linking_to: more("not_linking_to", "Not yet linking to domain", { maxLength: 253 }),
    link_rel: ["more", choice(fields.link_rel, "Kind of links", [{ value: "", label: "all" }, ...rels])],
    sort: ["short", choice(fields.sort, "Sort by", sorts)],
    shelf: ["shelves", ticks(fields.shelf, "Shelves", shelfChoices(shelves))],
    niche: list(
      "niche",
      "Niches",
      niches.map((value) => withCount(value))
    ),
    language: list(
      "language",
      "Languages",
      languages.map((value) => withCount(value, languageName(value.name)))
    )
  }
}

export const filterForm = (state: FormState, facets: Facets, { path, without } = SHOP): Html => {
  const all = Object.entries(filters(facets)).filter(([name]) => !without.has(name))
  const at = (place: Filter[0]): Html =>
    controlsOf(
      Object.fromEntries(all.flatMap(([name, [where, field]]) => (where === place ? [[name, field]] : []))),
      state
    )
  const isFolded = (name: string): boolean =>
    all.some(([one, [place]]) => one === name && (place === "more" || place === "lists"))
  const isUsed = [...state.values.keys(), ...state.messages.keys()].some(isFolded)
  const form = html`<form method="get" action="${path}">
<div class="filters">
${at("short")}</div>
${at("shelves")}<details${new Html(isUsed ? " open" : "")}><summary>More filters: niches, languages, figures</summary>
<div class="filters">
${at("more")}</div>
<div class="filters">
${at("lists")}</div></details>
<p><button type="submit">Filter</button></p>
</form>`
  return folded(form, state.values, { sort: "id" })
}

const nearLinks = (what: string, links: ReadonlyArray<Html>): Html =>
  links.length === 0 ? nothing : html`<p>${what} that come near: ${links}</p>\n`

/** Instead of sites, where none matches. */
export const hintLinks = ({ niches, languages }: SearchHint, path: string): Html => html`<div class="empty">
<p>No site matches. <a href="${path}">Show all sites</a>, or leave out one filter.</p>
${nearLinks(
  "Niches",
  niches.map((niche) => html`<a href="${addressOf(path, new URLSearchParams(), { niche })}">${niche}</a> `)
)}${nearLinks(
  "Languages",
  languages.map(
    (code) => html`<a href="${addressOf(path, new URLSearchParams(), { language: code })}">${languageName(code)}</a> `
  )
)}</div>`
