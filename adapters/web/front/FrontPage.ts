// The pages for people who have not signed in, such as `/` and `/sites`: their frame, and what search engines are told of them.
import { Option } from "effect"
import type { HttpServerResponse } from "effect/http"
import { columnPage, pageResponse } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { HELP } from "../help/HelpTopics.ts"
import { contactLink, type LegalPage, legalItems } from "../LegalPages.ts"

export interface FrontOptions {
  readonly serviceName: string
  /** Ends without a slash. */
  readonly publicUrl: string
  /** Whether people can sign in. */
  readonly members: boolean
  /** Whether sites are named to everyone. */
  readonly publicCatalogue: boolean
  /** Whether search engines may list these pages. */
  readonly indexed: boolean
  /** The operator's address for questions, or a URL. */
  readonly contact: Option.Option<string>
  readonly legal: ReadonlyArray<LegalPage>
}

/** One of these pages. */
export interface FrontPage {
  /** The name of the service alone unless said otherwise. */
  readonly title?: string
  /** What a search engine shows below the title. */
  readonly description: string
  /** The address under which a search engine knows it, without filters and places in a list. */
  readonly path: string
  readonly body: Html
  /** Whether it is the page at `path` itself. */
  readonly canonical?: boolean
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export const SITES = "/sites"

/** Search engines may list a shop that shows its sites to everyone, but not one whose published keys are for trying things out. */
export const isIndexed = ({ publicCatalogue, demo }: { readonly publicCatalogue: boolean; readonly demo: boolean }) =>
  publicCatalogue && !demo

/** "Sign in" leads those who are signed in to their overview. */
const headerLinks = ({ members, publicCatalogue }: FrontOptions): Html => {
  const sites = publicCatalogue ? html`<a href="${SITES}">Sites</a>` : nothing
  const help = members ? html`<a href="${HELP}">Help</a>` : nothing
  const signIn = members ? html`<a class="btn sm" href="/account">Sign in</a>` : nothing
  return html`<nav class="front" aria-label="Service">${sites}<a href="/docs">For developers</a>${help}</nav>${signIn}`
}

const foot = ({ members, contact, legal }: FrontOptions): Html => {
  const questions = Option.match(contact, {
    onNone: () => nothing,
    onSome: (to) => html`<li>Questions? ${contactLink(to)}</li>`
  })
  const help = members ? html`<li><a href="${HELP}">Help</a></li>` : nothing
  return html`<ul class="links">${questions}${help}<li><a href="/docs">For developers</a></li>${legalItems(legal)}</ul>`
}

export const frontPage = (
  options: FrontOptions,
  { title, description, path, body, canonical = true, status = 200, headers = {} }: FrontPage
): HttpServerResponse.HttpServerResponse => {
  const head = html`<meta name="description" content="${description}">
<link rel="canonical" href="${options.publicUrl}${path}">`
  const text = columnPage(
    {
      ...(title === undefined ? {} : { title }),
      serviceName: options.serviceName,
      head,
      wide: true,
      foot: foot(options)
    },
    body,
    headerLinks(options)
  )
  const robots = !options.indexed || status !== 200 ? {} : { "x-robots-tag": canonical ? "all" : "noindex, follow" }
  return pageResponse(text, { status, headers: { ...robots, ...headers } })
}
