// The form of an item of the cart: the fields of an item of an order, read by the API's own schema.
import { Result, Schema } from "effect"
import { faultsOf, fieldErrors } from "#adapters/contract/decoding/SchemaIssues.ts"
import { OrderItem } from "#adapters/contract/ordering/OrderRequest.ts"
import { isolated } from "#adapters/html/Html.ts"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import { AnchorType, Tier2 } from "#core/domain/pricing/Cart.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Tier2Prices } from "#core/domain/pricing/Pricing.ts"
import { sitePriceCents } from "#core/domain/pricing/Shelf.ts"
import { anyText } from "../form/FieldSchemas.ts"
import { type Choice, choice, type Fields, hidden, lines, text } from "../form/Fields.ts"
import { form } from "../form/Form.ts"
import type { FieldMessages } from "../form/FormBody.ts"
import { foldedUnder } from "../form/Groups.ts"
import { insertionPrice } from "./SiteFacts.ts"

const decodeItem = Schema.decodeUnknownResult(OrderItem, { errors: "all" })

/** Where the message for a field of the API stands, if the form's field has another name. */
const FIELDS: Readonly<Record<string, string>> = {
  article_id: "place",
  format: "place",
  project_id: "project",
  opportunity_id: "project"
}

export const messagesOf = (issue: Parameters<typeof faultsOf>[0]): FieldMessages =>
  new Map(fieldErrors(faultsOf(issue), "body").map(({ path, message }) => [FIELDS[path] ?? path, message] as const))

/** Browsers send line breaks as two characters. */
export const typed = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? "").replaceAll("\r\n", "\n").trim()

const numeric = (text: string): string | number => (/^\d{1,10}$/.test(text) ? Number(text) : text)

/** `place` is an article's id, or empty for a new one; `project` a project's, and an opportunity's after a blank. */
export const readItem = (form: URLSearchParams): Result.Result<OrderItem, FieldMessages> => {
  const place = typed(form, "place")
  const [project = "", opportunity = ""] = typed(form, "project").split(" ")
  const item = {
    site_id: numeric(typed(form, "site_id")),
    target_url: typed(form, "target_url"),
    anchor_text: typed(form, "anchor_text"),
    anchor_type: typed(form, "anchor_type"),
    format: place === "" ? "new_article" : "insertion",
    article_id: numeric(place),
    tier2_links: numeric(typed(form, "tier2_links")),
    project_id: project,
    opportunity_id: opportunity,
    brief: typed(form, "brief"),
    reference: typed(form, "reference")
  }
  const given = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== ""))
  return Result.mapError(decodeItem(given), ({ issue }) => messagesOf(issue))
}

const purposeOf = ({ project_id: project, opportunity_id: opportunity }: OrderItem): string =>
  project === undefined ? "" : opportunity === undefined ? project : `${project} ${opportunity}`

export type ItemValues = Readonly<Record<string, string>>

/** What is in the form of an item that is in the cart. */
export const valuesOf = (id: string, item: OrderItem): ItemValues => ({
  id,
  site_id: String(item.site_id),
  target_url: item.target_url,
  anchor_text: item.anchor_text,
  anchor_type: item.anchor_type,
  place: item.article_id === undefined ? "" : String(item.article_id),
  tier2_links: String(item.tier2_links),
  project: purposeOf(item),
  brief: item.brief ?? "",
  reference: item.reference ?? ""
})

export const emptyItem = (id: string, siteId: number): ItemValues => ({
  id,
  site_id: String(siteId),
  anchor_type: "branded",
  tier2_links: "0"
})

export const ANCHOR_TYPES: Readonly<Record<AnchorType, string>> = {
  exact: "exact: the words that people search for",
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
      { value: "", label: `in a new article: ${formatEur(sitePriceCents(site))}` },
      ...articles.map((article) => ({
        value: String(article.articleId),
        label: `in “${isolated(article.title)}”: ${insertionPrice(article, site, tier2)}`
      }))
    ],
    chosen,
    `in article ${chosen}, as chosen before`
  )

const purposes = ({ projects }: ItemContext, chosen: string): ReadonlyArray<Choice> =>
  withChosen([{ value: "", label: "none" }, ...projects], chosen, "as chosen before")

/** Left out where there is nothing to choose. */
const projectField = (context: ItemContext, chosen: string): Fields =>
  context.projects.length === 0 && chosen === ""
    ? {}
    : { project: choice(anyText, "AI-visibility project", purposes(context, chosen)) }

const tier2Choices = ({ tier2 }: ItemContext): ReadonlyArray<Choice> =>
  Tier2.literals.map((links) => ({
    value: String(links),
    label: links === 0 ? "none" : `${links}: +${formatEur(tier2[links])}`
  }))

/** What a writer writes by. */
export const textFields = {
  target_url: text(anyText, "Page to link to", {
    hint: "Its whole address, such as https://shop.example/spring",
    required: true
  }),
  anchor_text: text(anyText, "Anchor text", {
    hint: "The words that carry the link, 120 characters at most.",
    required: true
  }),
  anchor_type: choice(
    anyText,
    "Kind of anchor text",
    AnchorType.literals.map((type) => ({ value: type, label: ANCHOR_TYPES[type] }))
  ),
  brief: lines(anyText, "Wishes for the writer", {
    hint: "Tone, facts, words to avoid; 2,000 characters at most. Leave it empty for none."
  })
}

const { brief, ...linkFields } = textFields

/** `values`: what was chosen before. */
export const itemFields = (context: ItemContext, values: ItemValues) => ({
  id: hidden(anyText),
  site_id: hidden(anyText),
  ...linkFields,
  place: choice(anyText, "Where the link stands", places(context, values["place"] ?? ""), {
    hint: "A new article is written for you."
  }),
  tier2_links: choice(anyText, "Tier-2 links, which point at the new link", tier2Choices(context)),
  ...foldedUnder("Wishes for the writer, your reference and more", {
    brief,
    reference: text(anyText, "Your reference for this link", {
      hint: "Such as a project or a purchase order number; 100 characters at most. Leave it empty for none."
    }),
    ...projectField(context, values["project"] ?? "")
  })
})

/** Its fields follow from the site; they are read by `readItem`. */
export const itemForm = form({
  path: "/account/shop/cart",
  fields: {},
  kind: "pay",
  button: "Add to the cart"
})
