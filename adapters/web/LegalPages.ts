// What the operator says of itself: where questions go, and privacy and terms, each a page where the operator has given its text.
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import { columnPage, pageResponse } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { renderMarkdown } from "#adapters/html/Markdown.ts"

export interface LegalTexts {
  readonly privacy: Option.Option<string>
  readonly terms: Option.Option<string>
}

export interface LegalPage {
  readonly path: "/privacy" | "/terms"
  readonly title: string
  readonly text: string
}

/** Those that are there. */
export const legalPagesOf = ({ privacy, terms }: LegalTexts): ReadonlyArray<LegalPage> => [
  ...Option.toArray(privacy).map((text) => ({ path: "/privacy" as const, title: "Privacy", text })),
  ...Option.toArray(terms).map((text) => ({ path: "/terms" as const, title: "Terms", text }))
]

export const legalRoutes = (pages: ReadonlyArray<LegalPage>) =>
  pages.map(({ path }) => ({ method: "GET", path }) as const)

/** An address of mail or of the web as a link; the setting is the operator's text and may be neither. */
export const contactLink = (contact: string): Html => {
  const address = /^[^\s@:]+@[^\s@]+$/.test(contact) ? `mailto:${contact}` : contact
  return /^(?:mailto|https?):/i.test(address) ? html`<a href="${address}">${contact}</a>` : html`${contact}`
}

/** Whom a person writes to, within a sentence. */
export const operatorOf = (contact: string | null): Html =>
  contact === null ? html`the operator of this service` : contactLink(contact)

export const operatorLink = Effect.map(SupportContact, operatorOf)

/** For a list of links. */
export const legalItems = (pages: ReadonlyArray<LegalPage>): Html =>
  html`${pages.map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}`

/** For the foot of other pages. */
export const legalLinks = (pages: ReadonlyArray<LegalPage>): Html =>
  pages.length === 0 ? nothing : html`<ul class="links">${legalItems(pages)}</ul>`

const documentFor = ({ title, text }: LegalPage, serviceName: string): string => {
  const { title: heading = title, body } = renderMarkdown(text)
  return columnPage(
    { title, serviceName },
    html`<h1>${heading}</h1>
${body}`
  )
}

export const layer = (pages: ReadonlyArray<LegalPage>, serviceName: string) =>
  pages.reduce<Layer.Layer<never, never, HttpRouter.HttpRouter>>(
    (served, one) => Layer.merge(served, HttpRouter.add("GET", one.path, pageResponse(documentFor(one, serviceName)))),
    Layer.empty
  )
