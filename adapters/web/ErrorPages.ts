// Pages for what could not be done. They never show an internal reason.

import { policyOf } from "#adapters/contract/errors/ErrorCode.ts"
import { errorTextOf, type Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { type Reply, titled } from "./Page.ts"

const problem = (status: number, title: string, body: Html): Reply => titled(title, body, { status })

const TITLES: Readonly<Record<number, string>> = {
  401: "You are signed out",
  403: "You may not do this",
  404: "Nothing here",
  409: "This cannot be done now",
  413: "Too much was sent",
  429: "Too often",
  500: "Something went wrong on our side",
  502: "Please try again",
  503: "Please try again"
}

export const failurePage = (failure: Failure): Reply => {
  const { code, message, status = policyOf(code).status, suggestion, errors = [] } = errorTextOf(failure)
  const retry = status < 500 ? nothing : html`<p>Nothing is lost, and trying again is safe.</p>`
  const list =
    errors.length === 0 ? nothing : html`<ul>${errors.map((one) => html`<li>${one.path}: ${one.message}</li>`)}</ul>`
  return problem(
    status,
    TITLES[status] ?? "This was not done",
    html`<p>${message}</p>${list}${suggestion === undefined ? nothing : html`<p>${suggestion}</p>`}${retry}
<p><a href="/account">To the overview</a></p>`
  )
}

export const signedOutPage = problem(
  401,
  "You are signed out",
  html`<p>Your session has ended, and nothing was done. <a href="/account/sign-in">Sign in again</a>, then repeat it.</p>`
)

export const ownerOnlyPage = problem(
  403,
  "Only an owner may do this",
  html`<p>You can look at everything in this account, but change nothing. Ask an owner of the account.</p>
<p><a href="/account">To the overview</a></p>`
)

export const foreignFormPage = problem(
  403,
  "This form came from elsewhere",
  html`<p>Nothing was done, because the form was not sent from a page of this service. If you want to do it, <a href="/account">open the member area</a> and do it there.</p>`
)
