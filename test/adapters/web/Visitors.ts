// People in front of the member area: accounts with an owner and a viewer, their sessions, and requests as their browsers send them.
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import type { Session } from "#core/domain/members/Session.ts"
import { MemberId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { ManageReviewers } from "#core/usecases/members/ManageReviewers.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"

const CLIENT = { network: "192.0.2.0/24", userAgent: FIREFOX, who: null }

/** The token of a new session of the member with this address. */
export const signIn = Effect.fnUntraced(function* (email: string, method: Session["method"] = "link") {
  const known = yield* (yield* Members).byEmail(email)
  if (known === null) throw new Error(`${email} is no member`)
  const { token } = yield* (yield* MemberSessions).start(known, method, CLIENT)
  return Redacted.value(token)
})

/** The token of a sign-in link that was sent to this address. */
export const linkTo = Effect.fnUntraced(function* (email: string) {
  const url = new URL(yield* (yield* SignInLinks).demo(email))
  return url.searchParams.get("token") ?? ""
})

/** A new account with an owner and a viewer, and a session of each. */
export const openAccount = Effect.gen(function* () {
  const number = yield* (yield* UniqueNumbers).next
  const ownerEmail = `owner-${number}@example.com`
  const viewerEmail = `viewer-${number}@example.com`
  const accounts = yield* ManageAccounts
  const account = yield* accounts.open({ name: `Account ${number}`, email: ownerEmail }, "test")
  const owner = yield* (yield* Members).byEmail(ownerEmail)
  const by = { memberId: owner?.member.memberId ?? MemberId.make("") }
  const viewerMember = yield* joinAs({ accountId: account.accountId, email: viewerEmail, role: "viewer" })
  const tokens = { owner: yield* signIn(ownerEmail), viewer: yield* signIn(viewerEmail) }
  return { account, ownerEmail, viewerEmail, viewerMember, by, ...tokens }
})

/** A new reviewer with its password, and a session that does not begin with it, because that takes long. */
export const openReviewFor = Effect.fnUntraced(function* (days: number) {
  const number = yield* (yield* UniqueNumbers).next
  const { reviewer, password } = yield* (yield* ManageReviewers).create({ name: `reviewer-${number}`, days }, "test")
  const known = yield* (yield* Members).byId(reviewer.memberId)
  if (known === null) throw new Error(`${reviewer.memberId} is no member`)
  const { email } = known.member
  return { reviewer, password: Redacted.value(password), email, token: yield* signIn(email, "password") }
})

export const openReview = openReviewFor(30)

/** A page as it is read: what is marked for its line breaks is one text with what is around it. */
export const withoutBreaks = (text: string): string =>
  text.replaceAll("<wbr>", "").replaceAll(/<span class="(?:amount|long)">([^<]*)<\/span>/g, "$1")

export interface PageRequest {
  readonly method?: "GET" | "POST"
  readonly path: string
  readonly token?: string
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Cookies without what the browser keeps of its request for a sign-in mail, which is another text each time, and as long for each address. */
export const withoutAsked = (cookie: string): string => cookie.replace(/^asked=[^;]{100,};/, "asked;")

/** A byte order mark stays. */
const asSent = new TextDecoder("utf-8", { ignoreBOM: true })

/** What a browser that shows this service's page sends, unless `headers` say otherwise. */
export const visit = Effect.fnUntraced(function* ({
  method = "GET",
  path,
  token,
  form = {},
  headers = {}
}: PageRequest) {
  const { url } = yield* RunningService.RunningService
  // Requests go to the instances in turn, if there are several.
  const fetch = yield* FetchHttpClient.Fetch
  const isForm = method === "POST"
  const response = yield* Effect.promise(() =>
    fetch(new URL(path, url), {
      method,
      redirect: "manual",
      headers: {
        ...(isForm ? { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" } : {}),
        ...(token === undefined ? {} : { cookie: `session=${token}` }),
        ...headers
      },
      ...(isForm ? { body: new URLSearchParams(form).toString() } : {})
    })
  )
  const bytes = yield* Effect.promise(() => response.arrayBuffer())
  const text = withoutBreaks(asSent.decode(bytes))
  return {
    status: response.status,
    text,
    location: response.headers.get("location"),
    cookies: response.headers.getSetCookie(),
    headers: response.headers
  }
})
