// Sites of one version of the catalogue in memory: of a page that was never read before, the database is then asked for the ids alone.
import { BoundedMap } from "#core/domain/BoundedMap.ts"
import type { Site } from "#core/domain/Catalogue.ts"

/** About 15 MB. */
const MAX_SITES = 50_000

export class KeptSites {
  #version: string | undefined
  readonly #sites: BoundedMap<number, Site>
  #areLikelyKnown = false

  constructor(capacity = MAX_SITES) {
    this.#sites = new BoundedMap(capacity)
  }

  /** Whether all sites of the page before were known: then those of the next one are likely to be, too. */
  get areLikelyKnown(): boolean {
    return this.#areLikelyKnown
  }

  /** The sites of a page whose ids were read with this version, or `undefined` unless all are known. */
  find(version: string, ids: ReadonlyArray<number>): ReadonlyArray<Site> | undefined {
    const found = version === this.#version ? ids.flatMap((id) => this.#sites.get(id) ?? []) : []
    this.#areLikelyKnown = found.length === ids.length
    return this.#areLikelyKnown ? found : undefined
  }

  /** Keeps the sites of a page that was read with this version. */
  keep(version: string, sites: ReadonlyArray<Site>): void {
    if (version !== this.#version) this.#sites.clear()
    this.#version = version
    this.#areLikelyKnown = sites.every(({ siteId }) => this.#sites.has(siteId))
    for (const site of sites) this.#sites.set(site.siteId, site)
  }
}
