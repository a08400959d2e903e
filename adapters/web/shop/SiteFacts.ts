// What the Shop shows of sites: a row of the catalogue, and everything about one site, as the API does.
import { dayOf, type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { type Article, MAX_KEYWORDS, type Measured, type Site } from "#core/domain/catalogue/Catalogue.ts"
import { type ShelfTurnaround, turnaroundDays } from "#core/domain/catalogue/Turnaround.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { linePriceCents, type Tier2Prices } from "#core/domain/pricing/Pricing.ts"
import { shelfTerms, sitePriceCents } from "#core/domain/pricing/Shelf.ts"
import { attribute } from "../form/Fields.ts"
import { helpLink } from "../help/HelpTopics.ts"
import { actions, type Column, column, money, named, numbers, plainly, term } from "../Tables.ts"
import { UNTIL_WHEN } from "../Wording.ts"
import { figure, languageName, linkRelText, withinDays } from "./SiteWording.ts"

const daysText = (site: Site, byShelf: ShelfTurnaround): string => withinDays(turnaroundDays(site, byShelf))

/** Where an order on a site begins, on its page. */
export const ORDER_HERE = "order"

const sitePath = ({ siteId }: Site): string => `/account/shop/sites/${siteId}`

/** The longest name that stays on one line where the table has its columns. */
const ONE_LINE = 28

/** What is not as usual stands below the name. */
const siteName = (site: Site): Html =>
  html`<a href="${sitePath(site)}"${attribute("class", site.domain.length > ONE_LINE ? undefined : "site")}>${site.domain}</a>${site.linkRel === "dofollow" ? nothing : html`<br><small>${site.linkRel}</small>`}`

/** `orders`: whether the reader may order. */
export const siteColumns = (byShelf: ShelfTurnaround, orders: boolean): ReadonlyArray<Column<Site>> => [
  named("Site", siteName),
  plainly(
    "Niche and shelf",
    ({ nicheLabel, language, shelf }) => html`${nicheLabel}<br><small>${languageName(language)}, ${shelf}</small>`
  ),
  numbers("Trust Flow", ({ tf }) => tf),
  numbers("Visits a month", ({ trafficMonthly }) => figure(trafficMonthly), "Visits"),
  column("Online", (site) => html`<span class="num">${daysText(site, byShelf)}</span>`),
  money("Price", (site) => formatEur(sitePriceCents(site))),
  ...(orders
    ? [
        actions<Site>(
          (site) =>
            html`<a class="btn sm" href="${sitePath(site)}#${ORDER_HERE}" aria-label="Order on ${site.domain}">Order</a>`
        )
      ]
    : [])
]

const share = (ratio: number): string => `${Math.round(ratio * 100)} %`

/** What became of orders there. */
const measuredTerms = (measured: Measured | null): Html => {
  if (measured === null) return term("Links ordered here", "none yet")
  const { orders, medianDaysToPublish, stillLiveRatio } = measured
  return html`${term("Links ordered here", figure(orders))}
${medianDaysToPublish === null ? nothing : term("Half of them were online within", `${figure(medianDaysToPublish)} days`)}
${stillLiveRatio === null ? nothing : term("Found online when checked", share(stillLiveRatio))}`
}

interface Offer {
  readonly byShelf: ShelfTurnaround
  readonly tier2: Tier2Prices
  /** What VAT is in the price; `null` where there is nothing to say. */
  readonly vat: string | null
  readonly mayOrder: boolean
}

/** What a buyer asks first: what it costs, what one gets, when, and what if one changes one's mind. */
export const offerCard = (site: Site, { byShelf, tier2, vat, mayOrder }: Offer): Html => {
  const order = mayOrder ? html`<a class="btn main" href="#${ORDER_HERE}">Order a link here</a>` : nothing
  return html`<section class="card pad gap" aria-label="The offer">
<div class="row between"><p class="stack"><span class="figure num">${formatEur(sitePriceCents(site))}</span><span class="small">a link, in a new article${vat === null ? "" : `. ${vat}`}</span></p>${order}</div>
<dl class="facts">
${term("You get", "an article that we write for you, with your link in it, on this site")}
${term("Online", `${daysText(site, byShelf)} of your order`)}
${term("Changes", html`${UNTIL_WHEN} ${helpLink("cancelling")}`)}
${term("Link", linkRelText[site.linkRel])}
${term("Extras", `1, 3 or 5 links that point at your link (tier 2): +${formatEur(tier2[1])}, +${formatEur(tier2[3])} or +${formatEur(tier2[5])}`)}
</dl></section>`
}

export const siteFacts = (site: Site, measured: Measured | null): Html => html`<div class="cards">
<section class="card pad stack"><h2>The site</h2>
<dl>
${term("Niche", site.nicheLabel)}
${term("Language", languageName(site.language))}
${term("Shelf", site.shelf)}
${measuredTerms(measured)}
</dl>
<p class="small">${shelfTerms(site.shelf).criterion}</p></section>
<section class="card pad stack"><h2>Its figures</h2>
<dl>
${term("Trust Flow, of 100", figure(site.tf))}
${term("Citation Flow, of 100", figure(site.cf))}
${term("Domain Authority, of 100", figure(site.mozDa))}
${term("Visits a month, estimated", figure(site.trafficMonthly))}
${term("Domains that link to it", figure(site.rd))}
${term("Searches that it ranks for", figure(site.rankedKeywords))}
</dl>
<p class="small">As of ${instant(site.updatedAtMs)}. ${helpLink("figures")}</p></section>
</div>`

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
  column("Online since", ({ publishedAtMs }) => dayOf(publishedAtMs)),
  column("Ranks for (place)", keywordsOf),
  money("Price", (article) => insertionPrice(article, site, tier2))
]
