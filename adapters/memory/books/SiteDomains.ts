// The domains of sites, as a listing finds them.
import { HashMap } from "effect"
import { type Books, find } from "#core/decisions/Books.ts"
import type { SiteDomains } from "#core/domain/catalogue/SiteDomain.ts"
import { isOpen } from "#core/domain/ordering/Quote.ts"

/** All domains, and which of the sites that get another one were ordered. */
export const siteDomainsFor = (
  books: Books,
  listed: ReadonlyArray<{ readonly siteId: number; readonly domain: string }>
): SiteDomains => {
  const moved = new Set(
    listed.flatMap(({ siteId, domain }) => (find(books.sites, siteId)?.domain === domain ? [] : [siteId]))
  )
  const linked = Array.from(HashMap.values(books.links)).filter(({ mode }) => mode === "live")
  const quoted = Array.from(HashMap.values(books.quotes)).filter((one) => one.mode === "live" && isOpen(one))
  const all = [
    ...linked.map(({ siteId }) => siteId),
    ...quoted.flatMap(({ lines }) => lines.map(({ item }) => item.siteId))
  ]
  return {
    bySite: new Map(Array.from(HashMap.values(books.sites), ({ siteId, domain }) => [siteId, domain] as const)),
    ordered: new Set(all.filter((siteId) => moved.has(siteId))),
    stem: ""
  }
}
