// `/`: what this service is, what a link costs, what protects the person who pays, and where its documentation is; with demo data the keys
// and a first command.
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { ServedRoute } from "#adapters/http/server/RouteTable.ts"
import type { Site } from "#core/domain/catalogue/Catalogue.ts"
import type { Facets } from "#core/domain/catalogue/CatalogueFacets.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { SHELVES, type Shelf, sitePriceCents } from "#core/domain/pricing/Shelf.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { type HelpTopic, helpLink } from "../help/HelpTopics.ts"
import { operatorOf } from "../LegalPages.ts"
import { figure, languageName, withinDays } from "../shop/SiteWording.ts"
import { type Column, column, money, named, numbers, table } from "../Tables.ts"
import { UNTIL_WHEN } from "../Wording.ts"
import { type FrontOptions, frontPage, SITES } from "./FrontPage.ts"
import { siteLink } from "./SitesPage.ts"
import { approvalPicture, connectPicture, linkPicture, orderPicture } from "./StepPictures.ts"

export const startRoutes: ReadonlyArray<ServedRoute> = [{ method: "GET", path: "/" }]

export interface StartPageOptions extends FrontOptions {
  /** Whether assistants can be connected. */
  readonly connects: boolean
  /** Whether an unknown address may open an account. */
  readonly signUp: boolean
  /** Within how many days a link is online, unless its site says otherwise. */
  readonly turnaroundDays: Readonly<Record<Shelf, number>>
  /** The published keys of the demo, in the order of printing; empty without demo data. */
  readonly demoKeys: ReadonlyArray<{ readonly label: string; readonly text: string }>
}

/** What is for sale now; without the five sites, `sites` is empty. */
interface Offer {
  readonly facets: Facets
  readonly sites: ReadonlyArray<Site>
}

const SITES_SHOWN = 5

const sitesIn = ({ shelves }: Facets): number => shelves.reduce((sum, { sites }) => sum + sites, 0)

const [cheapest] = SHELVES

const callToAct = ({ members, connects, signUp, imprint }: StartPageOptions): Html => {
  if (!members) return nothing
  if (signUp)
    return html`<p class="row"><a class="btn main" href="/account/sign-in">Open an account, free</a>${connects ? html` <a class="btn" href="/account/connections">Connect Claude or ChatGPT</a>` : nothing}</p>`
  return html`<p>For an account, write to ${operatorOf(imprint.contact)}. Have you one already? <a href="/account/sign-in">Sign in</a>.</p>`
}

const heroText = ({ members }: StartPageOptions, offer: Offer | null): string => {
  const from = cheapest === undefined ? "" : `, from ${formatEur(cheapest.priceCents)} a link`
  const sites = offer === null || sitesIn(offer.facets) === 0 ? "Sites" : counted(sitesIn(offer.facets), "site")
  const hand = members
    ? "; you set its spending limits and the amount above which it asks you, and stop it with one button"
    : ", within the limits of its key"
  return `${sites} that we publish ourselves${from}. Your AI assistant or program orders${hand}. No card is ever charged without you.`
}

const shelves = ({ vat }: StartPageOptions, offer: Offer | null): Html => {
  const countOf = (name: string): number => offer?.facets.shelves.find((one) => one.name === name)?.sites ?? 0
  return html`<h2 class="row between"><span>What a link costs</span> <small>${vat ?? nothing}</small></h2>
<ul class="cards figures">
${SHELVES.map(
  ({
    shelf,
    priceCents,
    criterion
  }) => html`<li class="card pad stack"><h3>${shelf}${countOf(shelf) === 0 ? nothing : html` <small>${counted(countOf(shelf), "site")}</small>`}</h3><span class="figure">${formatEur(priceCents)}</span><span class="small">${criterion}</span></li>
`
)}</ul>`
}

/** Limits are chosen, and orders decided, by people who can sign in. */
const howToConnect = ({ members, connects }: StartPageOptions): string => {
  if (!members) return "Give your agent the key that you got from the operator, who sets what it may spend."
  const how = connects ? "Add one address to your assistant" : "Give your agent a key"
  return `${how}, and choose what it may spend: per order, per day, and above which amount it asks you.`
}

const steps = (options: StartPageOptions): Html => html`<h2>How it works</h2>
<ol class="cards steps">
<li class="card stack">${connectPicture(options)}<div class="pad stack"><h3>1 · Connect</h3><span class="small">${howToConnect(options)}</span></div></li>
${
  options.members
    ? html`<li class="card stack">${approvalPicture}<div class="pad stack"><h3>2 · It orders, you decide</h3><span class="small">Every order explains its price. Above the amount that you set, it waits for you; above a limit, it is refused. You can require your passkey.</span></div></li>`
    : html`<li class="card stack">${orderPicture}<div class="pad stack"><h3>2 · It orders</h3><span class="small">Every order explains its price. What credit does not cover, you pay by card on a page of the payment provider.</span></div></li>`
}
<li class="card stack">${linkPicture}<div class="pad stack"><h3>3 · Follow each link</h3><span class="small">From written to online, with its date and its address. Each paid order has its invoice within a minute.</span></div></li>
</ol>`

type Card = readonly [title: string, says: string, topic: HelpTopic]

const cardsOf = (heading: string, cards: ReadonlyArray<Card>): Html => html`<h2>${heading}</h2>
<ul class="cards">
${cards.map(
  ([title, says, topic]) =>
    html`<li class="card pad stack"><h3>${title}</h3><span class="small">${says}</span><span class="small">${helpLink(topic)}</span></li>
`
)}</ul>`

/** What people can rely on who let an agent spend. */
const promise = ({ members }: StartPageOptions): Html => {
  if (!members) return nothing
  return cardsOf("What protects you", [
    [
      "Limits that hold",
      "Per order, per day and by domain. An order above a limit is refused, whatever the agent says.",
      "limits"
    ],
    [
      "Nothing big without you",
      "Above the amount that you set, an order waits for you. If you do nothing, nothing is bought.",
      "approval"
    ],
    [
      "One button stops it",
      "Stop all agents from every page; pause one from the overview. It applies from the next order on.",
      "stopping"
    ],
    [
      "Invoices in order",
      "An invoice for each order, a credit note for each cancelled link, as PDF and XML.",
      "invoices"
    ]
  ])
}

/** What a person who pays asks before they do. */
const value = ({ members, turnaroundDays }: StartPageOptions): Html => {
  if (!members) return nothing
  const days = SHELVES.map(({ shelf }) => `${shelf} ${withinDays(turnaroundDays[shelf])}`).join(", ")
  return cardsOf("What you get for your money", [
    [
      "One price, all included",
      "The text is written for you and reviewed before it goes online. No subscription, and an account costs nothing.",
      "prices"
    ],
    [
      "A date for each link",
      `${days}, unless the site says otherwise. A link that is late says so on its order.`,
      "due-dates"
    ],
    ["Change or cancel", `${UNTIL_WHEN} What you cancel comes back as credit at once.`, "cancelling"],
    [
      "If a link goes away",
      "Tell us, and we look into it. What is cancelled comes back as credit, with a credit note.",
      "lost-links"
    ]
  ])
}

const siteColumns = (members: boolean): ReadonlyArray<Column<Site>> => [
  named("Site", (site) => html`${siteLink(site, members)}<br><small>${site.nicheLabel}</small>`),
  column("Language", ({ language }) => languageName(language)),
  numbers("Trust Flow", ({ tf }) => tf),
  numbers("Visits a month", ({ trafficMonthly }) => figure(trafficMonthly)),
  money("Price", (site) => formatEur(sitePriceCents(site)))
]

const NAMES_SHOWN = 8

/** Niches and languages with their numbers of sites, which are not named. */
const namesOf = ({ niches, languages }: Facets): Html => {
  const list = (values: Facets["niches"], nameOf: (name: string) => string): Html =>
    html`${values
      .slice(0, NAMES_SHOWN)
      .map(({ name, sites }, nth) => html`${nth === 0 ? "" : ", "}${nameOf(name)} (${sites})`)}`
  return html`<h2>What the sites are about</h2>
<p>${list(niches, (name) => name)}${niches.length > NAMES_SHOWN ? " and more" : ""}.</p>
<p>In ${list(languages, languageName)}${languages.length > NAMES_SHOWN ? " and more" : ""}.</p>`
}

const catalogueOf = ({ members }: StartPageOptions, offer: Offer | null): Html => {
  if (offer === null || sitesIn(offer.facets) === 0) return nothing
  if (offer.sites.length === 0) return namesOf(offer.facets)
  return html`<h2 class="row between"><span>${offer.sites.length} of ${counted(sitesIn(offer.facets), "site")}</span> <a class="small" href="${SITES}">See all ${counted(sitesIn(offer.facets), "site")}</a></h2>
${table(siteColumns(members), offer.sites)}`
}

const developers = ({ publicUrl, connects }: StartPageOptions): Html => html`<details>
<summary>For developers and their agents</summary>
<ul>
<li><a href="/docs">API reference</a>, and the same as <a href="/openapi.json">OpenAPI</a></li>
<li><a href="/llms.txt">llms.txt</a>: a guide in plain text for language models</li>
<li>MCP endpoint: <code>${publicUrl}/mcp</code>, with more tools <code>${publicUrl}/mcp/full</code>${connects ? html`, and for reading alone <code>${publicUrl}/mcp/catalog</code>` : nothing}</li>
<li><a href="/.well-known/mcp/server-card.json">Server card</a> and <a href="/server.json">registry entry</a> of the MCP endpoint</li>
</ul></details>`

const demo = ({ publicUrl, demoKeys }: StartPageOptions): Html => {
  const [first] = demoKeys
  if (first === undefined) return nothing
  const command = `curl -s -H "Authorization: Bearer ${first.text}" "${publicUrl}/api/v1/agent/catalog?limit=3"`
  return html`<details>
<summary>Try it with the demo data</summary>
<p>This server runs with demo data. Its keys are published, so use them for nothing of value.</p>
<dl>${demoKeys.map(({ label, text }) => html`<dt>${label}</dt><dd><code class="copied">${text}</code></dd>`)}</dl>
<p>A first command, which looks at three sites:</p>
<pre>${command}</pre></details>`
}

const descriptionOf = ({ members }: StartPageOptions): string =>
  members
    ? "Backlinks that your AI agent orders within your limits: you approve what is over them, and stop it with one button."
    : "Backlinks that your AI agent orders, within the limits of its key."

/** `offer`: `null` while the store does not answer. */
export const startPage = (options: StartPageOptions, offer: Offer | null) =>
  frontPage(options, {
    description: descriptionOf(options),
    path: "/",
    body: html`<section class="hero stack">
<h1>Let your AI agent order backlinks. You keep control of the money.</h1>
<p>${heroText(options, offer)}</p>
${callToAct(options)}
</section>
${shelves(options, offer)}
${promise(options)}
${steps(options)}
${catalogueOf(options, offer)}
${value(options)}
${developers(options)}
${demo(options)}`
  })

export const layer = (options: StartPageOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const { facets, search } = yield* BrowseCatalogue
      const best = { filter: {}, sort: "-tf", start: { kind: "offset", offset: 0 }, limit: SITES_SHOWN } as const
      const sites = options.publicCatalogue ? Effect.map(search(best), (found) => found.sites) : Effect.succeed([])
      const offer = Effect.all({ facets, sites }).pipe(Effect.orElseSucceed(() => null))
      // Strangers load this page: it is made, and the store is asked, once in a while, however many they are.
      const page = yield* Effect.cachedWithTTL(
        Effect.map(offer, (found) => startPage(options, found)),
        "30 seconds"
      )
      yield* router.add("GET", "/", page)
    })
  )
