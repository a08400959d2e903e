// The frame of every HTML page, and its response with the security headers.
import { HttpServerResponse } from "effect/http"
import { type Html, html, isolated, nothing } from "./Html.ts"
import { type Imprint, imprintFoot } from "./Imprint.ts"
import { withBreaks } from "./LineBreaks.ts"
import { markUrl, stylesheetUrl } from "./Stylesheet.ts"

/** Forbids inline scripts and styles, frames and requests to other hosts. */
export const PAGE_HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // URLs of payment and sign-in pages hold tokens, so that others, and logs, get the origin alone. Without any referrer, browsers send
  // `Origin: null` over plain http, by which no form could be told from one of another site.
  "referrer-policy": "strict-origin",
  "x-robots-tag": "noindex, nofollow"
}

export interface DocumentOptions {
  /** The name of the service alone unless said otherwise. */
  readonly title?: string
  readonly serviceName: string
  readonly head?: Html
  /** More than a column of text. */
  readonly wide?: boolean
}

export interface ColumnOptions extends DocumentOptions {
  /** Who runs the service, at the foot of the page. */
  readonly imprint: Imprint
  /** List items at the foot of the page. */
  readonly links?: Html
}

export const documentOf = ({ title, serviceName, head = nothing }: DocumentOptions, body: Html): string =>
  html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === undefined ? serviceName : `${isolated(title)} – ${serviceName}`}</title>
<link rel="icon" type="image/svg+xml" href="${markUrl}">
<link rel="stylesheet" href="${stylesheetUrl}">
${head}
</head>
<body>
${withBreaks(body)}
</body>
</html>`.text

/** The mark and the name of the service. */
export const brand = (serviceName: string, path = "/"): Html =>
  html`<a class="brand" href="${path}"><img src="${markUrl}" width="28" height="28" alt=""><span class="name">${serviceName}</span></a>`

/** `look`: as wide as the page above it. */
export const footer = (foot: Html, look: string): Html =>
  foot.text === "" ? nothing : html`\n<footer class="${look}">${foot}</footer>`

/** A page of a single column, such as the payment page. `top`: at the end of its header. */
export const columnPage = (options: ColumnOptions, body: Html, top: Html = nothing): string =>
  documentOf(
    options,
    html`<header class="top">${brand(options.serviceName)}${top}</header>
<main class="${options.wide === true ? "front" : "narrow"}">${body}</main>${footer(imprintFoot(options.imprint, options.links), options.wide === true ? "foot front" : "foot narrow")}`
  )

/** A page with the headers of all pages, and these. */
export const pageResponse = (
  text: string,
  { status = 200, headers = {} }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { ...PAGE_HEADERS, ...headers }
  })
