// Sites of one version of the catalogue in memory: of a page that was never read before, the database is then asked for the ids alone.
import type { Site } from "#core/domain/catalogue/Catalogue.ts"

/** About 30 MB. */
const MAX_SITES = 100_000

/** A page whose ids are read and whose sites are not all kept costs a second statement. */
export const KNOWN_PAGES = 8

export class KeptSites {
  readonly #capacity: number
  readonly #sites = new Map<number, Site>()
  #version: string | undefined
  /** Pages in a row whose sites were all known. */
  #knownPages = 0

  constructor(capacity = MAX_SITES) {
    this.#capacity = capacity
  }

  /** Whether all sites of the last `KNOWN_PAGES` pages were known: then those of the next one are likely to be, too. */
  get areLikelyKnown(): boolean {
    return this.#knownPages >= KNOWN_PAGES
  }

  /** The sites of a page whose ids were read with this version, or `undefined` unless all are known. */
  find(version: string, ids: ReadonlyArray<number>): ReadonlyArray<Site> | undefined {
    const found = version === this.#version ? ids.flatMap((id) => this.#sites.get(id) ?? []) : []
    const areKnown = found.length === ids.length
    this.#count(areKnown)
    return areKnown ? found : undefined
  }

  /** Keeps the sites of a page that was read with this version. A full cache is cleared: finding its oldest sites would take longer. */
  keep(version: string, sites: ReadonlyArray<Site>): void {
    if (version !== this.#version || this.#sites.size + sites.length > this.#capacity) this.#sites.clear()
    this.#version = version
    const unknown = sites.filter(({ siteId }) => !this.#sites.has(siteId))
    for (const site of unknown) this.#sites.set(site.siteId, site)
    this.#count(unknown.length === 0)
  }

  #count(areKnown: boolean): void {
    this.#knownPages = areKnown ? this.#knownPages + 1 : 0
  }
}
