// The filters of the Shop's catalogue: those of the API, with the values that sites have.
import { Schema } from "effect"
import { CatalogQuery } from "#adapters/contract/catalogue/Catalog.ts"
import { type Html, html } from "#adapters/html/Html.ts"
import { Sort } from "#core/domain/catalogue/Catalogue.ts"
import type { Facets, FacetValue } from "#core/domain/catalogue/CatalogueFacets.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"
import { type Choice, checkboxes, type FormState, type InputOptions, input, multiSelect, select } from "../Fields.ts"
import { queryDecoder } from "../FormBody.ts"
import { languageName, linkRelText } from "./SiteWording.ts"

const SORTS: Readonly<Record<Sort, string>> = {
  id: "the order of the catalogue",
  price: "cheapest first",
  "-tf": "highest Trust Flow first",
  "-traffic": "most visits first"
}

/** The page's size is its own. */
const { limit: _limit, offset: _offset, ...fields } = CatalogQuery.fields

export const decodeFilters = queryDecoder(Schema.Struct(fields))

/** What was chosen, without the place in the list. */
export const chosenFilters = (query: URLSearchParams): URLSearchParams => {
  const chosen = new URLSearchParams()
  for (const [name, value] of query) {
    // A comma is how many people write the decimals that the contract wants after a point.
    if (Object.hasOwn(fields, name) && name !== "cursor" && value.trim() !== "")
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

/** A control with its place in the form: among the short ones, below them, or among the lists. */
type Control = readonly [place: "short" | "shelves" | "lists", control: Html]

type Filter = Exclude<keyof typeof fields, "cursor">

/** The control of every filter, in the order of their places. */
const controls = (
  state: FormState,
  { niches, languages, shelves, linkRels }: Facets
): { readonly [Name in Filter]: Control } => {
  const rels = linkRels.map((value) => withCount(value, linkRelText[value.name]))
  const sorts = Sort.literals.map((value) => ({ value, label: SORTS[value] }))
  const short = (
    name: Filter,
    label: string,
    options: Pick<InputOptions, "type" | "inputMode" | "maxLength">
  ): Control => ["short", input(state, { name, label, ...options })]
  const list = (name: Filter, label: string, choices: ReadonlyArray<Choice>): Control => {
    const rows = Math.max(2, Math.min(MAX_ROWS, choices.length))
    return ["lists", multiSelect(state, { name, label, hint: "Hold Ctrl or ⌘ to choose several.", rows, choices })]
  }
  return {
    query: short("query", "Domain or niche", { type: "search", maxLength: 200 }),
    max_price_eur: short("max_price_eur", "Price at most, EUR", { inputMode: "decimal", maxLength: 12 }),
    min_tf: short("min_tf", "Trust Flow at least", { inputMode: "numeric", maxLength: 3 }),
    min_traffic: short("min_traffic", "Visits a month at least", { inputMode: "numeric", maxLength: 10 }),
    not_linking_to: short("not_linking_to", "Not linking yet to domain", { maxLength: 253 }),
    link_rel: [
      "short",
      select(state, { name: "link_rel", label: "Kind of links", choices: [{ value: "", label: "all" }, ...rels] })
    ],
    sort: ["short", select(state, { name: "sort", label: "Order", choices: sorts })],
    shelf: ["shelves", checkboxes(state, { name: "shelf", label: "Shelves", choices: shelfChoices(shelves) })],
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

export const filterForm = (state: FormState, facets: Facets): Html => {
  const all = Object.values(controls(state, facets))
  const at = (place: Control[0]): Html =>
    html`${all.flatMap(([where, control]) => (where === place ? [html`${control}\n`] : []))}`
  return html`<form method="get" action="/account/shop">
<div class="filters">
${at("short")}</div>
${at("shelves")}<div class="filters">
${at("lists")}</div>
<button type="submit">Show</button>
</form>`
}
