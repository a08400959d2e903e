// The form of an item of the cart: the fields of an item of an order, read by the API's own schema.
import { Result, Schema } from "effect"
import { faultsOf, fieldErrors } from "#adapters/contract/decoding/SchemaIssues.ts"
import { OrderItem } from "#adapters/contract/ordering/OrderRequest.ts"
import { type Html, html } from "#adapters/html/Html.ts"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import { AnchorType, Tier2 } from "#core/domain/pricing/Cart.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Tier2Prices } from "#core/domain/pricing/Pricing.ts"
import { sitePriceCents } from "#core/domain/pricing/Shelf.ts"
import { type Choice, type FormState, formProblem, fresh, hidden, input, select, textarea } from "../Fields.ts"
import type { FieldMessages } from "../FormBody.ts"
import { insertionPrice } from "./SiteFacts.ts"

const decodeItem = Schema.decodeUnknownResult(OrderItem, { errors: "all" })

/** Where the message for a field of the API stands, if the form's field has another name. */
const FIELDS: Readonly<Record<string, string>> = {
  article_id: "place",
  format: "place",
  project_id: "project",
  opportunity_id: "project"
}

const messagesOf = (issue: Parameters<typeof faultsOf>[0]): FieldMessages =>
  new Map(fieldErrors(faultsOf(issue), "body").map(({ path, message }) => [FIELDS[path] ?? path, message] as const))

/** Browsers send line breaks as two characters. */
const typed = (form: URLSearchParams, name: string): string => (form.get(name) ?? "").replaceAll("\r\n", "\n").trim()

const given = <Name extends string>(name: Name, value: string | number): { readonly [Key in Name]?: unknown } =>
  // A record of one name.
  value === "" ? {} : ({ [name]: value } as { readonly [Key in Name]: unknown })

const numeric = (text: string): string | number => (/^\d{1,10}$/.test(text) ? Number(text) : text)

/** `place` is an article's id, or empty for a new one; `project` a project's, and an opportunity's after a blank. */
export const readItem = (form: URLSearchParams): Result.Result<OrderItem, FieldMessages> => {
  const place = typed(form, "place")
  const [project = "", opportunity = ""] = typed(form, "project").split(" ")
  const raw = {
    ...given("site_id", numeric(typed(form, "site_id"))),
    ...given("target_url", typed(form, "target_url")),
    ...given("anchor_text", typed(form, "anchor_text")),
    ...given("anchor_type", typed(form, "anchor_type")),
    format: place === "" ? "new_article" : "insertion",
    ...given("article_id", numeric(place)),
    ...given("tier2_links", numeric(typed(form, "tier2_links"))),
    ...given("project_id", project),
    ...given("opportunity_id", opportunity),
    ...given("brief", typed(form, "brief"))
  }
  return Result.mapError(decodeItem(raw), ({ issue }) => messagesOf(issue))
}

const purposeOf = ({ project_id: project, opportunity_id: opportunity }: OrderItem): string =>
  project === undefined ? "" : opportunity === undefined ? project : `${project} ${opportunity}`

/** The form of an item that is in the cart. */
export const formOf = (id: string, item: OrderItem): FormState =>
  fresh({
    id,
    site_id: String(item.site_id),
    target_url: item.target_url,
    anchor_text: item.anchor_text,
    anchor_type: item.anchor_type,
    place: item.article_id === undefined ? "" : String(item.article_id),
    tier2_links: String(item.tier2_links),
    project: purposeOf(item),
    brief: item.brief ?? ""
  })

export const emptyItem = (id: string, siteId: number): FormState =>
  fresh({ id, site_id: String(siteId), anchor_type: "branded", tier2_links: "0" })

const ANCHOR_TYPES: Readonly<Record<AnchorType, string>> = {
  exact: "exact: the very words that people search for",
  partial: "partial: those words among others",
  branded: "branded: a name",
  generic: "generic: such as “read more”",
  naked_url: "naked URL: the address itself"
}

export interface ItemContext {
  readonly site: Site
  readonly articles: ReadonlyArray<Article>
  readonly projects: ReadonlyArray<Choice>
  readonly tier2: Tier2Prices
}

/** What was chosen stays a choice, also if it is on another page of the articles or not offered any more. */
const withChosen = (choices: ReadonlyArray<Choice>, chosen: string, label: string): ReadonlyArray<Choice> =>
  choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, label }]

const places = ({ site, articles, tier2 }: ItemContext, chosen: string): ReadonlyArray<Choice> =>
  withChosen(
    [
      { value: "", label: `in a new article, written for you: ${formatEur(sitePriceCents(site))}` },
      ...articles.map((article) => ({
        value: String(article.articleId),
        label: `in “${article.title}”: ${insertionPrice(article, site, tier2)}`
      }))
    ],
    chosen,
    `in article ${chosen}, as chosen before`
  )

const purposes = ({ projects }: ItemContext, chosen: string): ReadonlyArray<Choice> =>
  withChosen([{ value: "", label: "none" }, ...projects], chosen, "as chosen before")

const tier2Choices = ({ tier2 }: ItemContext): ReadonlyArray<Choice> =>
  Tier2.literals.map((links) => ({
    value: String(links),
    label: links === 0 ? "none" : `${links}: +${formatEur(tier2[links])}`
  }))

export const itemForm = (state: FormState, context: ItemContext, button: string): Html => {
  const value = (name: string) => state.values.get(name) ?? ""
  const projects = purposes(context, value("project"))
  return html`${formProblem(state)}
<form class="wide" method="post" action="/account/shop/cart">
${hidden("id", value("id"))}${hidden("site_id", String(context.site.siteId))}
${input(state, { name: "target_url", label: "Page to link to", hint: "Its whole address, such as https://shop.example/spring.", required: true })}
${input(state, { name: "anchor_text", label: "Anchor text", hint: "The words that carry the link, 120 characters at most.", required: true })}
${select(state, { name: "anchor_type", label: "Kind of anchor text", choices: AnchorType.literals.map((type) => ({ value: type, label: ANCHOR_TYPES[type] })) })}
${select(state, { name: "place", label: "Where the link stands", choices: places(context, value("place")) })}
${select(state, { name: "tier2_links", label: "Tier-2 links, which point at the new link", choices: tier2Choices(context) })}
${select(state, { name: "project", label: "AI-visibility project", choices: projects })}
${textarea(state, { name: "brief", label: "Wishes for the writer", hint: "2,000 characters at most." })}
<button class="pay" type="submit">${button}</button>
</form>`
}
