// The filters of a search for sites, in one list. The type of a filter, its test on a site and the conditions of every store follow from it.
import type { Cents } from "../pricing/Money.ts"
import type { Shelf } from "../pricing/Shelf.ts"
import { sitePriceCents } from "../pricing/Shelf.ts"
import { type Article, foldText, type Site } from "./Catalogue.ts"
import type { TurnaroundWithin } from "./Turnaround.ts"

/** What sites are searched by: their fields, and the price of a link. */
type Searched = Required<Site> & { readonly priceCents: Cents }

type FieldOf<Value> = { [Field in keyof Searched]: Searched[Field] extends Value ? Field : never }[keyof Searched]
export type TextField = FieldOf<string>
export type NumberField = FieldOf<number>

/** What a filter demands of each site. Texts are folded like the field that they are compared with. */
export type SiteCondition =
  | { readonly kind: "any_of"; readonly field: TextField; readonly values: ReadonlyArray<string> }
  | { readonly kind: "none_of"; readonly field: NumberField; readonly values: ReadonlyArray<number> }
  | { readonly kind: "equal"; readonly field: TextField; readonly value: string }
  /** The text is part of one of the fields. */
  | { readonly kind: "contained"; readonly fields: ReadonlyArray<TextField>; readonly text: string }
  | { readonly kind: "at_least" | "at_most"; readonly field: NumberField; readonly bound: number }
  /** The field is at most the bound; a site without it is on one of these shelves. */
  | {
      readonly kind: "at_most_or_on"
      readonly field: NumberField
      readonly bound: number
      readonly shelves: ReadonlyArray<Shelf>
    }

type Fold = (text: string) => string

/** The fields that are compared folded. A store keeps the folded text beside the text. */
export const FOLDS: ReadonlyMap<TextField, Fold> = new Map([
  ["domain", foldText],
  ["nicheLabel", foldText],
  ["language", (code) => code.toLowerCase()]
])

const unfolded: Fold = (text) => text

const foldOf = (field: TextField): Fold => FOLDS.get(field) ?? unfolded

const anyOf =
  <Field extends TextField>(field: Field) =>
  (values: ReadonlyArray<Searched[Field]>): SiteCondition => ({
    kind: "any_of",
    field,
    values: values.map(foldOf(field))
  })

const noneOf =
  (field: NumberField) =>
  (values: ReadonlyArray<number>): SiteCondition => ({ kind: "none_of", field, values })

const equal =
  <Field extends TextField>(field: Field) =>
  (value: Searched[Field]): SiteCondition => ({ kind: "equal", field, value: foldOf(field)(value) })

const containedIn =
  (...fields: ReadonlyArray<TextField>) =>
  (text: string): SiteCondition => ({ kind: "contained", fields, text: foldText(text) })

const atLeast =
  (field: NumberField) =>
  (bound: number): SiteCondition => ({ kind: "at_least", field, bound })

const atMost =
  (field: NumberField) =>
  (bound: number): SiteCondition => ({ kind: "at_most", field, bound })

const withinDays =
  (field: NumberField) =>
  ({ days, shelves }: TurnaroundWithin): SiteCondition => ({ kind: "at_most_or_on", field, bound: days, shelves })

/** Each filter by name, with the condition that it makes of what is asked. The order is that of the conditions in a store's queries. */
const SITE_FILTERS = {
  niches: anyOf("nicheLabel"),
  shelves: anyOf("shelf"),
  query: containedIn("domain", "nicheLabel"),
  languages: anyOf("language"),
  exceptSiteIds: noneOf("siteId"),
  linkRel: equal("linkRel"),
  minTf: atLeast("tf"),
  minTraffic: atLeast("trafficMonthly"),
  minCf: atLeast("cf"),
  minRd: atLeast("rd"),
  minMozDa: atLeast("mozDa"),
  minRankedKeywords: atLeast("rankedKeywords"),
  maxPriceCents: atMost("priceCents"),
  turnaround: withinDays("turnaroundDays")
}

type Asked = { readonly [Name in keyof typeof SITE_FILTERS]: Parameters<(typeof SITE_FILTERS)[Name]>[0] }

/** All conditions hold; an absent one does not count. A list is met by one of its values. */
export type SiteFilter = Partial<Asked>

const filters: { readonly [Name in keyof Asked]: (asked: Asked[Name]) => SiteCondition } = SITE_FILTERS

const names = Object.keys(SITE_FILTERS) as ReadonlyArray<keyof SiteFilter> // The keys of a literal.

const conditionOf = <Name extends keyof Asked>(filter: SiteFilter, name: Name): ReadonlyArray<SiteCondition> => {
  const asked: Asked[Name] | undefined = filter[name]
  return asked === undefined ? [] : [filters[name](asked)]
}

/** The conditions of a filter, in the order of the list. */
export const conditionsOf = (filter: SiteFilter): ReadonlyArray<SiteCondition> =>
  names.flatMap((name) => conditionOf(filter, name))

/** A site without the field meets no condition on it. */
const textOf = (site: Site, field: TextField): string | undefined => {
  const text = site[field]
  return text === undefined ? undefined : foldOf(field)(text)
}

const numberOf = (site: Site, field: NumberField): number | undefined =>
  field === "priceCents" ? sitePriceCents(site) : site[field]

type SiteTest = (site: Site) => boolean

const testOf = (condition: SiteCondition): SiteTest => {
  switch (condition.kind) {
    case "any_of": {
      const values = new Set<string | undefined>(condition.values)
      return (site) => values.has(textOf(site, condition.field))
    }
    case "none_of": {
      const values = new Set<number | undefined>(condition.values)
      return (site) => !values.has(numberOf(site, condition.field))
    }
    case "equal":
      return (site) => textOf(site, condition.field) === condition.value
    case "contained":
      return (site) => condition.fields.some((field) => textOf(site, field)?.includes(condition.text))
    case "at_least":
      return (site) => (numberOf(site, condition.field) ?? Number.NEGATIVE_INFINITY) >= condition.bound
    case "at_most":
      return (site) => (numberOf(site, condition.field) ?? Number.POSITIVE_INFINITY) <= condition.bound
    case "at_most_or_on": {
      const shelves = new Set(condition.shelves)
      return (site) => {
        const value = numberOf(site, condition.field)
        return value === undefined ? shelves.has(site.shelf) : value <= condition.bound
      }
    }
  }
}

/** Prepares a filter once, to be applied to many sites. */
export const siteMatcher = (filter: SiteFilter): SiteTest => {
  const tests = conditionsOf(filter).map(testOf)
  return (site) => site.open && tests.every((test) => test(site))
}

/** What a search demands of the articles on a site that take a link now. Both conditions hold; an absent one does not count. */
export interface ArticleFilter {
  /** `false`: there is no such article. */
  readonly hasArticles?: boolean
  /** A keyword of one of them contains this text, which is of one line. */
  readonly articleQuery?: string
}

/** The keywords of an article as a search compares them, one a line. */
export const foldedKeywords = ({ keywords }: Pick<Article, "keywords">): string =>
  keywords.map(({ query }) => foldText(query)).join("\n")

/** Prepares a filter once, to be applied to the articles of many sites that take a link now. */
export const articlesMatcher = ({ hasArticles, articleQuery }: ArticleFilter) => {
  const text = articleQuery === undefined ? undefined : foldText(articleQuery)
  return (articles: ReadonlyArray<Article>): boolean =>
    (hasArticles === undefined || hasArticles === articles.length > 0) &&
    (text === undefined || articles.some((article) => foldedKeywords(article).includes(text)))
}
