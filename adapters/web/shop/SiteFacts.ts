// What the Shop shows of sites: a row of the catalogue, and everything about one site, as the API does.
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { type Article, MAX_KEYWORDS, type Measured, type Site } from "#core/domain/catalogue/Catalogue.ts"
import { type ShelfTurnaround, turnaroundDays } from "#core/domain/catalogue/Turnaround.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { linePriceCents, type Tier2Prices } from "#core/domain/pricing/Pricing.ts"
import { shelfTerms, sitePriceCents } from "#core/domain/pricing/Shelf.ts"
import { type Column, column, money, named, numbers, term } from "../Tables.ts"
import { figure, languageName, linkRelText, withinDays } from "./SiteWording.ts"

const daysText = (site: Site, byShelf: ShelfTurnaround): string => withinDays(turnaroundDays(site, byShelf))

export const siteColumns = (byShelf: ShelfTurnaround): ReadonlyArray<Column<Site>> => [
  named(
    "Site",
    ({ siteId, domain, nicheLabel }) =>
      html`<a href="/account/shop/sites/${siteId}">${domain}</a><br><small>${nicheLabel}</small>`
  ),
  column("Language", ({ language }) => languageName(language)),
  numbers("Trust Flow", ({ tf }) => tf),
  numbers("Visits a month", ({ trafficMonthly }) => figure(trafficMonthly)),
  column("Links", ({ linkRel }) => linkRel),
  column("Online", (site) => html`<span class="num">${daysText(site, byShelf)}</span>`),
  money("Price", (site) => html`${formatEur(sitePriceCents(site))}<br><small>${site.shelf}</small>`)
]

const share = (ratio: number): string => `${Math.round(ratio * 100)} %`

const measuredFacts = (measured: Measured | null): Html => {
  if (measured === null)
    return html`<p class="empty">No link was ordered here yet, so there is no experience to show.</p>`
  const { orders, medianDaysToPublish, stillLiveRatio } = measured
  return html`<dl>
${term("Links ordered here", figure(orders))}
${medianDaysToPublish === null ? nothing : term("Days until half of them were online", figure(medianDaysToPublish))}
${stillLiveRatio === null ? nothing : term("Found online when checked", share(stillLiveRatio))}
</dl>`
}

export const siteFacts = (site: Site, measured: Measured | null, byShelf: ShelfTurnaround): Html => {
  const { criterion } = shelfTerms(site.shelf)
  return html`<dl>
${term("Niche", site.nicheLabel)}
${term("Language", languageName(site.language))}
${term("Shelf", site.shelf)}
${term("Links", linkRelText[site.linkRel])}
${term("Your link is online", daysText(site, byShelf))}
${term("Visits a month, estimated", figure(site.trafficMonthly))}
${term("Trust Flow, of 100", figure(site.tf))}
${term("Citation Flow, of 100", figure(site.cf))}
${term("Moz Domain Authority, of 100", figure(site.mozDa))}
${term("Domains that link to it", figure(site.rd))}
${term("Searches that it ranks for", figure(site.rankedKeywords))}
${term("Figures of", instant(site.updatedAtMs))}
</dl>
<p class="hint">${criterion}</p>
<h2>What this service measured</h2>
${measuredFacts(measured)}`
}

export const pricesOf = (site: Site, tier2: Tier2Prices): Html => html`<dl>
${term("A new article with your link", formatEur(sitePriceCents(site)))}
${term("with 1 tier-2 link that points at it", `+${formatEur(tier2[1])}`)}
${term("with 3 tier-2 links", `+${formatEur(tier2[3])}`)}
${term("with 5 tier-2 links", `+${formatEur(tier2[5])}`)}
</dl>`

export const insertionPrice = (article: Article, site: Site, tier2: Tier2Prices): string =>
  formatEur(linePriceCents({ tier2Links: 0 }, site, article, tier2))

const keywordsOf = ({ keywords }: Article): string =>
  keywords
    .slice(0, MAX_KEYWORDS)
    .map(({ query, position }) => `${isolated(query)} (${figure(position)})`)
    .join(", ")

/** The address is text and no link: it is data of others, and what is sold is a place in it. */
export const articleColumns = (site: Site, tier2: Tier2Prices): ReadonlyArray<Column<Article>> => [
  named("Article", ({ title, url }) => html`${title}<br><small>${url}</small>`),
  column("Online since", ({ publishedAtMs }) => instant(publishedAtMs)),
  column("Ranks for (place)", keywordsOf),
  money("Price", (article) => insertionPrice(article, site, tier2))
]
