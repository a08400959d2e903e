// Pages for what could not be done. They never show an internal reason.

import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { policyOf } from "#adapters/contract/errors/ErrorCode.ts"
import { errorTextOf, type Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { pageResponse } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { MemberRole } from "#core/domain/members/Member.ts"
import { makeCookies } from "./Cookies.ts"
import { fieldWords, wordsOf } from "./ErrorWords.ts"
import { areaPage, strangerFrame } from "./frame/AreaLayout.ts"
import { type PageReply, type PageRoute, titled } from "./Page.ts"

const problem = (status: number, title: string, body: Html): PageReply => titled(title, body, { status })

const TITLES: Readonly<Record<number, string>> = {
  401: "You are signed out",
  403: "You may not do this",
  404: "Not found",
  405: "This address is not a page",
  409: "This cannot be done now",
  413: "Too much was sent",
  429: "Too often",
  500: "Something went wrong on our side",
  502: "Please try again",
  503: "Please try again"
}

export const failurePage = (failure: Failure): PageReply => {
  const { code, status = policyOf(code).status } = errorTextOf(failure)
  const { says, next } = wordsOf(failure)
  const fields = fieldWords(failure)
  const list = fields.length === 0 ? nothing : html`<ul>${fields.map((one) => html`<li>${one}</li>`)}</ul>`
  const retry = status < 500 ? nothing : html`<p>Nothing is lost, and trying again is safe.</p>`
  return problem(
    status,
    TITLES[status] ?? "This was not done",
    html`<p>${says}</p>${list}${next === undefined ? nothing : html`<p>${next}</p>`}${retry}
<p><a class="btn" href="/account">To the overview</a></p>`
  )
}

const LATE = html`<p>What you asked for may still be done. Look whether it is, before you do it again.</p>`

const LATE_REPEATABLE = html`<p>What you asked for may still be done. Load this page again, and let your browser send the form once more: that does nothing twice, and shows what became of it.</p>`

/** What was asked is still under way: a form may be done, and its page has what became of it. */
export const latePage = ({ method, repeats }: Pick<PageRoute, "method" | "repeats">): PageReply =>
  method === "GET"
    ? failurePage({ _tag: "StoreUnavailable", retryAfterSeconds: 2 })
    : problem(
        503,
        "This takes longer than usual",
        html`${repeats ? LATE_REPEATABLE : LATE}
<p><a class="btn" href="/account">To the overview</a></p>`
      )

export const signedOutPage = problem(
  401,
  "You are signed out",
  html`<p>Your session has ended, and nothing was done. Sign in, then do it again.</p>
<p><a class="btn main" href="/account/sign-in">Sign in</a></p>`
)

/** Nothing was done, and what the person may do instead. */
export const ownerOnlyPage = (role: MemberRole): PageReply =>
  problem(
    403,
    "Only an owner may do this",
    role === "reviewer"
      ? html`<p>Nothing was done. As a reviewer you can look at everything, and order and decide in the sandbox.</p>
<p><a class="btn" href="/account">To the overview</a></p>`
      : html`<p>Nothing was done. As a viewer you can look at everything in this account, but change nothing: ask an owner to do it, or to make you an owner.</p>
<p class="row"><a class="btn" href="/account">To the overview</a> <a class="btn" href="/account/settings">See who the owners are</a></p>`
  )

export const foreignFormPage = problem(
  403,
  "This form came from elsewhere",
  html`<p>Nothing was done, because the form was not sent from a page of this service. If you want to do it, do it in the member area.</p>
<p><a class="btn" href="/account">Open the member area</a></p>`
)

const STRAY_TEXTS: Readonly<Record<number, string>> = {
  400: "What your browser sent did not arrive as it should. Nothing was changed.",
  404: "There is no page at this address. It may have been mistyped or cut off: check the link that you followed. Nothing was changed.",
  405: "Only a form or a program can use it. Nothing was changed.",
  413: "More was sent than this address takes. Nothing was changed."
}

/** Ways on for a browser that has a session. Whether it still lasts is not asked: whatever address is tried costs the store nothing. */
const MEMBER_LINKS = html`<nav class="front" aria-label="Member area"><a href="/account">Overview</a><a href="/account/shop">Shop</a><a href="/account/orders">Orders</a><a href="/account/approvals">Approvals</a><a href="/help">Help</a></nav>`

const START = html`<a href="/">To the start page</a>`

/** The page instead of an answer for programs; it keeps what the answer says to browsers and proxies. */
export const strayPage =
  (service: Parameters<typeof strangerFrame>[0] & { readonly publicUrl: string }) =>
  (
    failure: Failure,
    { status, headers: { allow, "retry-after": retryAfter } }: HttpServerResponse.HttpServerResponse,
    { cookies }: Pick<HttpServerRequest.HttpServerRequest, "cookies">
  ): HttpServerResponse.HttpServerResponse => {
    const hasSession = service.members && cookies[makeCookies(service.publicUrl).names.session] !== undefined
    const stranger = strangerFrame(service)
    const frame = hasSession ? { ...stranger, top: MEMBER_LINKS } : stranger
    const text = STRAY_TEXTS[status]
    const shown =
      text === undefined
        ? failurePage(failure)
        : problem(
            status,
            TITLES[status] ?? "This was not done",
            html`<p>${text}</p>
${hasSession ? html`<p><a class="btn main" href="/account">To your overview</a></p>\n` : nothing}<p>${START}</p>`
          )
    return pageResponse(areaPage(shown, frame), {
      status,
      headers: {
        ...(allow === undefined ? {} : { allow }),
        ...(retryAfter === undefined ? {} : { "retry-after": retryAfter })
      }
    })
  }
