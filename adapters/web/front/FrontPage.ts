// The pages for people who have not signed in, such as `/` and `/sites`: their frame, and what search engines are told of them.
import type { HttpServerResponse } from "effect/http"
import { columnPage, pageResponse } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { Imprint } from "#adapters/html/Imprint.ts"
import { HELP } from "../help/HelpTopics.ts"

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
  readonly imprint: Imprint
  /** What VAT is in the prices; `null` where no seller is configured. */
  readonly vat: string | null
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
export const headerLinks = ({ members, publicCatalogue }: Pick<FrontOptions, "members" | "publicCatalogue">): Html => {
  const sites = publicCatalogue ? html`<a href="${SITES}">Sites</a>` : nothing
  const help = members ? html`<a href="${HELP}">Help</a>` : nothing
  const signIn = members ? html`<a class="btn sm" href="/account">Sign in</a>` : nothing
  return html`<nav class="front" aria-label="Service">${sites}<a href="/docs">For developers</a>${help}</nav>${signIn}`
}

/** At the foot of all pages of people. */
export const footLinks = (members: boolean): Html =>
  html`${members ? html`<li><a href="${HELP}">Help</a></li>` : nothing}<li><a href="/docs">For developers</a></li>`

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
      imprint: options.imprint,
      links: footLinks(options.members)
    },
    body,
    headerLinks(options)
  )
  const robots = !options.indexed || status !== 200 ? {} : { "x-robots-tag": canonical ? "all" : "noindex, follow" }
  return pageResponse(text, { status, headers: { ...robots, ...headers } })
}
