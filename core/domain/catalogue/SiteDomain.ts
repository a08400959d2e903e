// The domain of a site: one site has it, and once a link was ordered there it changes only on purpose.

/** What two spellings of one domain have in common: the host of a URL, in plain letters (NFKC) and then ASCII. */
export const domainKey = (domain: string): string => {
  const plain = domain.normalize("NFKC").replace(/\.$/, "")
  return URL.parse(`https://${plain}/`)?.hostname ?? plain.toLowerCase()
}

/** The domains of sites as a listing finds them. */
export interface SiteDomains {
  /** Domains of the listed sites, and of those that have a listed domain, by their ids. */
  readonly bySite: ReadonlyMap<number, string>
  /** Sites with a live link, cancelled or not, or in an open live quote; of those whose domain the listing changes. */
  readonly ordered: ReadonlySet<number>
  /** Changes with every listing of sites; empty where no other process lists any. */
  readonly stem: string
}

export const noSiteDomains: SiteDomains = { bySite: new Map(), ordered: new Set(), stem: "" }
