// The filters of the Shop's catalogue: those of the API, with the values that sites have.
import { Schema } from "effect"
import { CatalogQuery } from "#adapters/contract/catalogue/Catalog.ts"
import { type Html, html } from "#adapters/html/Html.ts"
import { Sort } from "#core/domain/catalogue/Catalogue.ts"
import type { Facets, FacetValue } from "#core/domain/catalogue/CatalogueFacets.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"
import { checkboxes, type FormState, input, multiSelect, select } from "../Fields.ts"
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

export const filterForm = (state: FormState, { niches, languages, shelves, linkRels }: Facets): Html => {
  const sitesOf = (shelf: string) => shelves.find(({ name }) => name === shelf)?.sites ?? 0
  const shelfChoices = SHELVES.map(({ shelf, priceCents, criterion }) => ({
    value: shelf,
    label: `${shelf}, ${formatEur(priceCents)} a link (${sitesOf(shelf)}). ${criterion}`
  }))
  const rels = linkRels.map((value) => withCount(value, linkRelText[value.name]))
  return html`<form method="get" action="/account/shop">
<div class="filters">
${input(state, { name: "query", label: "Domain or niche", type: "search", maxLength: 200 })}
${input(state, { name: "max_price_eur", label: "Price at most, EUR", inputMode: "decimal", maxLength: 12 })}
${input(state, { name: "min_tf", label: "Trust Flow at least", inputMode: "numeric", maxLength: 3 })}
${input(state, { name: "min_traffic", label: "Visits a month at least", inputMode: "numeric", maxLength: 10 })}
${input(state, { name: "not_linking_to", label: "Not linking yet to domain", maxLength: 253 })}
${select(state, { name: "link_rel", label: "Kind of links", choices: [{ value: "", label: "all" }, ...rels] })}
${select(state, { name: "sort", label: "Order", choices: Sort.literals.map((value) => ({ value, label: SORTS[value] })) })}
</div>
${checkboxes(state, { name: "shelf", label: "Shelves", choices: shelfChoices })}
<div class="filters">
${multiSelect(state, {
  ...{ name: "niche", label: "Niches", hint: "Hold Ctrl or ⌘ to choose several." },
  rows: Math.max(2, Math.min(MAX_ROWS, niches.length)),
  choices: niches.map((value) => withCount(value))
})}
${multiSelect(state, {
  ...{ name: "language", label: "Languages", hint: "Hold Ctrl or ⌘ to choose several." },
  rows: Math.max(2, Math.min(MAX_ROWS, languages.length)),
  choices: languages.map((value) => withCount(value, languageName(value.name)))
})}
</div>
<button type="submit">Show</button>
</form>`
}
