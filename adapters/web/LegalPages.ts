// What the operator says of itself: where questions go, and privacy and terms, each a page where the operator has given its text.
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import { columnPage, pageResponse } from "#adapters/html/Document.ts"
import { type Html, html } from "#adapters/html/Html.ts"
import { contactLink, type Imprint } from "#adapters/html/Imprint.ts"
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

/** Whom a person writes to, within a sentence. */
export const operatorOf = (contact: string | null): Html =>
  contact === null ? html`the operator of this service` : contactLink(contact)

export const operatorLink = Effect.map(SupportContact, operatorOf)

const documentFor = ({ title, text }: LegalPage, serviceName: string, imprint: Imprint): string => {
  const { title: heading = title, body } = renderMarkdown(text)
  return columnPage(
    { title, serviceName, imprint },
    html`<h1>${heading}</h1>
${body}`
  )
}

export const layer = (pages: ReadonlyArray<LegalPage>, serviceName: string, imprint: Imprint) =>
  pages.reduce<Layer.Layer<never, never, HttpRouter.HttpRouter>>(
    (served, one) =>
      Layer.merge(served, HttpRouter.add("GET", one.path, pageResponse(documentFor(one, serviceName, imprint)))),
    Layer.empty
  )
