// What the catalogue can be filtered by, with counts, and the names nearest to a search that finds nothing.
import { Schema } from "effect"
import type { Shelf } from "../pricing/Shelf.ts"
import { foldText, type LinkRel, type Site } from "./Catalogue.ts"
import type { SiteFilter } from "./SiteFilters.ts"

export interface FacetValue<Name extends string = string> {
  readonly name: Name
  readonly sites: number
}

/** Open sites by each property, the most common value first. */
export interface Facets {
  /** At most `MAX_NICHES`. */
  readonly niches: ReadonlyArray<FacetValue>
  readonly languages: ReadonlyArray<FacetValue>
  readonly shelves: ReadonlyArray<FacetValue<Shelf>>
  readonly linkRels: ReadonlyArray<FacetValue<LinkRel>>
}

/** Bounds the response, and the cost of a search for the nearest names. */
export const MAX_NICHES = 500

/** One value of one facet. Sites whose niche or language differs only in case or accents have the same `folded`. */
export const FacetCount = Schema.Struct({
  facet: Schema.Literals(["niche", "language", "shelf", "linkRel"]),
  folded: Schema.String,
  name: Schema.String,
  sites: Schema.Int
})
export type FacetCount = typeof FacetCount.Type

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const facetsOfCounts = (counts: Iterable<FacetCount>): Facets => {
  const inOrder = [...counts].sort((a, b) => b.sites - a.sites || byName(a.folded, b.folded))
  const valuesOf = <Name extends string>(facet: FacetCount["facet"]): ReadonlyArray<FacetValue<Name>> =>
    inOrder
      .filter((count) => count.facet === facet)
      // The counts of shelves and link types are made from sites, whose values these are.
      .map(({ name, sites }) => ({ name: name as Name, sites }))
  return {
    niches: valuesOf("niche").slice(0, MAX_NICHES),
    languages: valuesOf("language"),
    shelves: valuesOf<Shelf>("shelf"),
    linkRels: valuesOf<LinkRel>("linkRel")
  }
}

/** A niche with several spellings is shown in the first one by code points. */
export const facetsOfSites = (sites: Iterable<Site>): Facets => {
  const counts = new Map<string, FacetCount>()
  const count = (facet: FacetCount["facet"], folded: string, name: string) => {
    const id = `${facet} ${folded}`
    const known = counts.get(id)
    const shown = known !== undefined && byName(known.name, name) < 0 ? known.name : name
    counts.set(id, { facet, folded, name: shown, sites: (known?.sites ?? 0) + 1 })
  }
  for (const { open, nicheLabel, language, shelf, linkRel } of sites) {
    if (!open) continue
    const code = language.toLowerCase()
    count("niche", foldText(nicheLabel), nicheLabel)
    count("language", code, code)
    count("shelf", shelf, shelf)
    count("linkRel", linkRel, linkRel)
  }
  return facetsOfCounts(counts.values())
}

export interface SearchHint {
  readonly niches: ReadonlyArray<string>
  readonly languages: ReadonlyArray<string>
}

const HINTS = 5

/** Less alike are only texts that share a few letters by chance. */
const LEAST_SIMILARITY = 0.2

/** A longer text is no name. */
const MAX_ASKED = 64

/** The three-letter parts of a text, with those of its beginning and its end. */
const trigrams = (text: string): ReadonlySet<string> => {
  const padded = `  ${foldText(text.slice(0, MAX_ASKED))} `
  const parts = new Set<string>()
  for (let at = 0; at + 3 <= padded.length; at++) parts.add(padded.slice(at, at + 3))
  return parts
}

/** The share of the parts of both texts that they have in common: 0 to 1. */
const similarity = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let common = 0
  for (const part of a) if (b.has(part)) common++
  return common / (a.size + b.size - common)
}

const partsOf = new WeakMap<ReadonlyArray<FacetValue>, ReadonlyArray<ReadonlySet<string>>>()

/** The parts of each name, made once for the facets that many searches share. */
const partsOfNames = (values: ReadonlyArray<FacetValue>): ReadonlyArray<ReadonlySet<string>> => {
  const parts = partsOf.get(values) ?? values.map(({ name }) => trigrams(name))
  partsOf.set(values, parts)
  return parts
}

/** Each name with its likeness to one of those asked for, the most alike first. */
const rated = (asked: ReadonlyArray<string>, values: ReadonlyArray<FacetValue>) => {
  const partsAsked = asked.map(trigrams)
  const partsByName = partsOfNames(values)
  const scores = values.map(({ name }, index) => {
    const partsOfName = partsByName[index] ?? new Set()
    const score = Math.max(...partsAsked.map((parts) => similarity(parts, partsOfName)))
    return { name, score: score < LEAST_SIMILARITY ? 0 : score }
  })
  // The sort is stable, and the values are in the order of their counts.
  return scores.sort((a, b) => b.score - a.score).slice(0, HINTS)
}

/** The names most similar to one of those asked for, then the most common ones. */
const nearest = (asked: ReadonlyArray<string>, values: ReadonlyArray<FacetValue>): ReadonlyArray<string> =>
  (asked.length === 0 ? values.slice(0, HINTS) : rated(asked, values)).map(({ name }) => name)

/** The similar ones alone. */
const similar = (asked: ReadonlyArray<string>, values: ReadonlyArray<FacetValue>): ReadonlyArray<string> =>
  asked.length === 0 ? [] : rated(asked, values).flatMap(({ name, score }) => (score > 0 ? [name] : []))

const askedIn = ({ niches, query, languages }: SiteFilter) => ({
  niches: niches ?? (query === undefined ? [] : [query]),
  languages: languages ?? []
})

/** For agents, which go on with the most common names where none is similar. */
export const hintFor = (filter: SiteFilter, { niches, languages }: Facets): SearchHint => {
  const asked = askedIn(filter)
  return { niches: nearest(asked.niches, niches), languages: nearest(asked.languages, languages) }
}

/** For people, who are told of nothing that is not similar. */
export const similarNames = (filter: SiteFilter, { niches, languages }: Facets): SearchHint => {
  const asked = askedIn(filter)
  return { niches: similar(asked.niches, niches), languages: similar(asked.languages, languages) }
}
