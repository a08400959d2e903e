// Pages for what could not be done. They never show an internal reason.

import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { policyOf } from "#adapters/contract/errors/ErrorCode.ts"
import { errorTextOf, type Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { pageResponse } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { MemberRole } from "#core/domain/members/Member.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { makeCookies } from "./Cookies.ts"
import { fieldWords, wordsOf } from "./ErrorWords.ts"
import { actionOf } from "./form/Confirmation.ts"
import { hiddenInput } from "./form/Fields.ts"
import { areaPage, strangerFrame } from "./frame/AreaLayout.ts"
import { type PageReply, type PageRoute, titled } from "./Page.ts"

const problem = (status: number, title: string, body: Html): PageReply => titled(title, body, { status })

const TITLES: Readonly<Record<number, string>> = {
  401: "You are signed out",
  403: "You may not do this",
  404: "Page not found",
  405: "This address is not a page",
  409: "This cannot be done now",
  413: "Too much was sent",
  429: "Please wait a moment",
  500: "Something went wrong on our side",
  502: "Please try again in a minute",
  503: "Please try again in a minute"
}

/** What is not found, and where the rest of its kind is. */
const MISSING: Readonly<Partial<Record<Failure["_tag"], readonly [title: string, path: string, label: string]>>> = {
  OrderNotFound: ["Order not found", "/account/orders", "To your orders"],
  QuoteNotFound: ["Order not found", "/account/quotes?state=all", "To your unpaid orders"],
  LinkNotFound: ["Link not found", "/account/links", "To your links"],
  LinkNotOfOrder: ["Link not found", "/account/links", "To your links"],
  InvoiceNotFound: ["Document not found", "/account/invoices", "To your invoices"],
  KeyNotFound: ["Key or connection not found", "/account/keys", "To your keys"],
  WebhookNotFound: ["Webhook not found", "/account/webhooks", "To your webhooks"],
  DeliveryNotFound: ["Delivery not found", "/account/webhooks", "To your webhooks"],
  TopUpNotFound: ["Top-up not found", "/account/credit/top-ups", "To your top-ups"],
  SheetNotFound: ["Sheet not found", "/account/shop/sheets", "To your sheets"],
  SiteNotFound: ["Site not found", "/account/shop", "To the Shop"],
  MemberNotFound: ["Member not found", "/account/settings", "To the settings"],
  InvitationNotFound: ["Invitation not found", "/account/settings", "To the settings"]
}

const ELSEWHERE = "Check the link, and whether you are signed in to the right account."

export const failurePage = (failure: Failure): PageReply => {
  const { code, status = policyOf(code).status } = errorTextOf(failure)
  const { says, next } = wordsOf(failure)
  const fields = fieldWords(failure)
  const list = fields.length === 0 ? nothing : html`<ul>${fields.map((one) => html`<li>${one}</li>`)}</ul>`
  const retry = status < 500 ? nothing : html` Nothing is lost, and nothing is done twice.`
  const advice = next ?? (failure._tag in MISSING ? ELSEWHERE : undefined)
  const after = advice === undefined ? nothing : html` ${advice}`
  const [title, path, label] = MISSING[failure._tag] ?? [
    TITLES[status] ?? "This was not done",
    "/account",
    "To the overview"
  ]
  return problem(
    status,
    title,
    html`<p>${says}${list === nothing ? after : nothing}${retry}</p>${list}${list === nothing ? nothing : html`<p>${after}</p>`}
<p><a class="btn" href="${path}">${label}</a></p>`
  )
}

const LATE = html`<p>What you asked for may still be done. Check whether it was before you do it again.</p>`

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

const SIGN_IN = "/account/sign-in"

/** More fields than any form of a page has. */
const MOST_KEPT = 200

/** What was sent is on the page, but for proofs, which count once: it is sent again after a sign-in in another tab. */
export const signedOutPage = (path: string, form = new URLSearchParams()): PageReply => {
  const { fields } = actionOf(path, form)
  const kept = fields.length > MOST_KEPT ? [] : fields.map(([name, value]) => hiddenInput(name, value))
  return problem(
    401,
    "You are signed out",
    kept.length === 0
      ? html`<p>Your session has ended, and nothing was changed. Sign in, then do it again.</p>
<p><a class="btn main" href="${SIGN_IN}">Sign in</a></p>`
      : html`<p>Your session has ended, and nothing was changed yet. What you sent is kept on this page: sign in, then come back to it and send it again.</p>
<p><a class="btn main" href="${SIGN_IN}" target="_blank">Sign in (opens a new tab)</a></p>
<form class="inline" method="post" action="${path}">${kept}<button type="submit">Send it again</button></form>`
  )
}

const SETTINGS = "/account/settings#members"

/** Many are all in the settings. */
const OWNERS_NAMED = 3

const askOf = (owners: ReadonlyArray<string>): Html =>
  owners.length === 0 || owners.length > OWNERS_NAMED
    ? html`Ask an owner to do it, or to make you an owner.`
    : html`Ask ${owners.map((email, nth) => html`${nth === 0 ? nothing : " or "}<bdi>${email}</bdi>`)} to do it, or to make you an owner.`

/** Nothing was done, and what the person may do instead. `owners`: the addresses of those whom a viewer can ask. */
const ownerOnlyPage = (role: MemberRole, owners: ReadonlyArray<string>): PageReply =>
  problem(
    403,
    "Only an owner may do this",
    role === "reviewer"
      ? html`<p>Nothing was changed. As a reviewer you can look at everything, and order and decide in the sandbox.</p>
<p><a class="btn" href="/account">To the overview</a></p>`
      : html`<p>Nothing was changed. As a viewer you can look at everything in this account, but not change it. ${askOf(owners)}</p>
<p class="row"><a class="btn" href="/account">To the overview</a> <a class="btn" href="${SETTINGS}">Members of the account</a></p>`
  )

export const makeOwnersOnly =
  ({ list }: ManageMembers["Service"]) =>
  ({ member: { role }, account }: SignedIn) =>
    Effect.map(
      role === "viewer" ? Effect.orElseSucceed(list(account.accountId), () => []) : Effect.succeed([]),
      (members) => {
        const owners = members.filter((one) => one.role === "owner")
        return ownerOnlyPage(
          role,
          owners.map(({ email }) => email)
        )
      }
    )

export const foreignFormPage = problem(
  403,
  "This form came from another site",
  html`<p>Nothing was changed, because the form was not sent from a page of this service. If you want to do what it says, do it in your account.</p>
<p><a class="btn" href="/account">Open your account</a></p>`
)

const STRAY_TEXTS: Readonly<Record<number, string>> = {
  400: "What your browser sent could not be read, and nothing was changed. Go back and try again.",
  404: "There is no page at this address. It may have been mistyped or cut off: check the link that you followed. Nothing was changed.",
  405: "Only forms and programs use it, and nothing was changed.",
  413: "More was sent than fits, and nothing was changed. Go back and send less."
}

/** Ways on for a browser that has a session. Whether it still lasts is not asked: whatever address is tried costs the store nothing. */
const MEMBER_LINKS = html`<nav class="front" aria-label="Member area"><a href="/account">Overview</a><a href="/account/shop">Shop</a><a href="/account/orders">Orders</a><a href="/account/approvals">Approvals</a></nav>`

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
