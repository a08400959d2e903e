// The frame of every HTML page, its security headers, and times in it.
import { timestamp } from "#adapters/contract/schema/Text.ts"
import { Html, html, nothing } from "./Html.ts"
import { stylesheetUrl } from "./Stylesheet.ts"

export const HTML = "text/html; charset=utf-8"

/** Forbids inline scripts and styles, frames and requests to other hosts. */
export const PAGE_HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // URLs of payment and sign-in pages hold tokens.
  "referrer-policy": "no-referrer",
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
${body}
</body>
</html>`.text

/** For people, such as "22 November 2026 at 09:39 UTC"; the `datetime` attribute has the exact instant. */
const readable = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })

export const instant = (atMs: number): Html =>
  html`<time datetime="${timestamp(atMs)}">${readable.format(atMs)} UTC</time>`
