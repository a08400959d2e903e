// The facets of the catalogue: what sites can be filtered by, with the number of sites.
import { Schema } from "effect"
import { LinkRel } from "#core/domain/catalogue/Catalogue.ts"
import { type Facets, MAX_NICHES } from "#core/domain/catalogue/CatalogueFacets.ts"
import { Shelf } from "#core/domain/pricing/Shelf.ts"
import { Count } from "../schema/Amount.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"

const SiteCount = Count.annotate({ description: "Open sites that have it." })

const valuesOf = <Name extends Schema.Top>(name: Name) =>
  Schema.Array(
    Schema.Struct({
      name: name.annotate({ description: "The value, as the filter takes it." }),
      sites: SiteCount
    })
  )

export const FacetsResponse = Schema.Struct({
  ok: Ok,
  niches: valuesOf(Schema.String).annotate({
    description: `For \`niche\`; at most ${MAX_NICHES}, and \`query\` finds the others.`
  }),
  languages: valuesOf(Schema.String).annotate({ description: "For `language`." }),
  shelves: valuesOf(Shelf).annotate({ description: "For `shelf`." }),
  link_rel: valuesOf(LinkRel).annotate({ description: "For `link_rel`." }),
  sandbox: Sandbox
}).annotate({
  identifier: "Facets",
  description: "What sites can be filtered by, the most common values first, with the number of open sites."
})
export type FacetsResponse = typeof FacetsResponse.Type

export const showFacets = (facets: Facets, sandbox: boolean): FacetsResponse => ({
  ok: true,
  niches: facets.niches,
  languages: facets.languages,
  shelves: facets.shelves,
  link_rel: facets.linkRels,
  sandbox
})
