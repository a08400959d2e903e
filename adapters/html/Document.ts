// The frame of every HTML page, and its response with the security headers.
import { HttpServerResponse } from "effect/http"
import { Html, html, nothing } from "./Html.ts"
import { withBreaks } from "./LineBreaks.ts"
import { stylesheetUrl } from "./Stylesheet.ts"

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
  readonly title: string
  /** A single column, as of the payment page. */
  readonly narrow?: boolean
  readonly head?: Html
}

/** Names an empty icon, because a browser would ask for `/favicon.ico`, which is no route. */
export const documentOf = ({ title, narrow = false, head = nothing }: DocumentOptions, body: Html): string =>
  html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheetUrl}">
${head}
</head>
<body${narrow ? new Html(' class="narrow"') : nothing}>
${withBreaks(body)}
</body>
</html>`.text

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
