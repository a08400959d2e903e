// Runs the handlers of pages: who is signed in and may do this, whether a form comes from an own page, and what its reply becomes.
import { Cause, Clock, Effect, Record, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerInTime, Patience } from "#adapters/concurrency/AnswerInTime.ts"
import { CONSENT_COOKIE } from "#adapters/contract/access/Consent.ts"
import { InternalError } from "#adapters/contract/errors/AdapterFailure.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { ServiceName } from "#adapters/contract/shared/ServiceDescription.ts"
import { PAGE_HEADERS, pageResponse } from "#adapters/html/Document.ts"
import { Imprint } from "#adapters/html/Imprint.ts"
import type { Member, MemberRole } from "#core/domain/members/Member.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { KnownDevices } from "#core/usecases/members/KnownDevices.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { type Cookies, makeCookies } from "./Cookies.ts"
import { failurePage, foreignFormPage, latePage, makeOwnersOnly, signedOutPage } from "./ErrorPages.ts"
import { confirmInPlace } from "./form/ConfirmInPlace.ts"
import { readForm, storable } from "./form/FormBody.ts"
import { areaPage, type Frame, NOTHING_WAITS, strangerFrame } from "./frame/AreaLayout.ts"
import { readerOf } from "./frame/Reader.ts"
import { type Audience, type Page, type PageRoute, type Reply, seeOther, type Visit } from "./Page.ts"
import { isFromOwnPage } from "./SameSite.ts"
import { nextOf, wayBack } from "./WayBack.ts"

export interface PageRouterOptions {
  readonly publicCatalogue: boolean
  /** Where the service is reached, by people and agents. */
  readonly publicUrl: string
  /** The network that a request comes from. */
  readonly networkOf: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<string>
  /** Is told of each cookie by which a member, or a browser of theirs, is known: their requests wait for no stranger's. */
  readonly recordCookie: (value: string, accountId: AccountId) => void
}

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Pages of the area may show secrets and change with every form. */
const headers = { ...PAGE_HEADERS, "cache-control": "no-store" }

/** The flash message is taken off by the page that shows it. */
const toResponse = (reply: Reply, frame: Frame, cookies: Cookies): Response => {
  const { done } = frame
  switch (reply._tag) {
    case "Page": {
      const page = pageResponse(areaPage(reply, frame), { status: reply.status, headers })
      const response = reply.next === undefined ? page : cookies.withNext(page, reply.next)
      return done === null ? response : cookies.withoutDone(response)
    }
    case "SeeOther": {
      const response = HttpServerResponse.redirect(reply.to, { status: 303, headers })
      const told = reply.done === undefined ? response : cookies.withDone(response, reply.done)
      // The page that waits for a mail shows its address no more once a session has begun or ended.
      const kept = reply.session === undefined ? reply.asked : null
      const asked = kept === undefined ? told : cookies.withAsked(told, kept)
      const led = reply.next === undefined ? asked : cookies.withNext(asked, reply.next)
      return reply.session === undefined ? led : cookies.withSession(led, reply.session)
    }
    case "Json":
      return HttpServerResponse.text(reply.text, { contentType: "application/json", headers })
    case "File": {
      const options = {
        contentType: reply.contentType,
        headers: { ...headers, "content-disposition": `attachment; filename="${reply.name}"` }
      }
      return reply.content instanceof Uint8Array
        ? HttpServerResponse.uint8Array(reply.content, options)
        : HttpServerResponse.stream(Stream.encodeText(reply.content), options)
    }
  }
}

/** Forms of viewers are for their own sign-in, which a reviewer does not change. */
const mayUse = (role: MemberRole, may: Audience, method: PageRoute["method"]): boolean => {
  switch (role) {
    case "owner":
      return true
    case "viewer":
      return may === "viewer" || may === "member"
    case "reviewer":
      return may === "reviewer" || may === "member" || (may === "viewer" && method === "GET")
  }
}

/** What visitors without a session are answered on a route that is not for anyone. */
const toSignIn = ({ method }: PageRoute, { pathname, search }: Pick<URL, "pathname" | "search">): Reply => {
  const next = wayBack(pathname, search)
  return {
    ...(method === "GET" ? seeOther("/account/sign-in") : signedOutPage(pathname)),
    ...(next === null ? {} : { next })
  }
}

const toClosedPage: Reply = { ...seeOther("/account/closed"), session: null }

/** A page that a sign-in led to may be another account's, which the overview takes the place of; what was done is told there. */
const isMissing = (reply: Reply): boolean => reply._tag === "Page" && reply.status === 404

/** Who is known by this browser from now on: who signs in, and who is there, whose mark is made anew from time to time. */
const memberToRemember = (reply: Reply, who: SignedIn | null): Member | null => {
  if (reply._tag === "SeeOther") return reply.member ?? null
  return reply._tag === "Page" ? (who?.member ?? null) : null
}

/** The use cases that pages ask. */
type AskedBy<P> = P extends Page<infer R> ? R : never

const isDefect = (cause: Cause.Cause<Failure>): boolean => !Cause.hasInterruptsOnly(cause)

/** Shown beside the navigation of a page, which is shown as well if the store does not answer this. */
const countWaiting =
  ({ waitingCounts }: ViewAccount["Service"]) =>
  (who: SignedIn | null, reply: Reply) =>
    who === null || reply._tag !== "Page" || reply.waiting !== undefined
      ? Effect.succeed(reply._tag === "Page" ? (reply.waiting ?? NOTHING_WAITS) : NOTHING_WAITS)
      : Effect.orElseSucceed(waitingCounts(who.account.accountId), () => NOTHING_WAITS)

/** What a page is given of a request. */
const makeVisitOf = ({ publicUrl, networkOf }: PageRouterOptions, { names }: Cookies) =>
  Effect.fnUntraced(function* (request: Request, who: SignedIn | null, form: URLSearchParams) {
    const { pathname: path, searchParams: query } = new URL(storable(request.url), publicUrl)
    const visit: Visit<SignedIn | null> = {
      who,
      path,
      form,
      params: Record.map(yield* HttpRouter.params, (text) => (text === undefined ? text : storable(text))),
      query,
      network: yield* networkOf(request),
      userAgent: request.headers["user-agent"] ?? "",
      devices: request.cookies[names.devices] ?? "",
      asked: request.cookies[names.asked] ?? "",
      refused: null,
      consentId: request.cookies[CONSENT_COOKIE] ?? "",
      next: nextOf(request.cookies[names.next])
    }
    return visit
  })

export const makePageRouter = (options: PageRouterOptions) =>
  Effect.gen(function* () {
    const { publicUrl, publicCatalogue, recordCookie } = options
    const router = yield* HttpRouter.HttpRouter
    const sessions = yield* MemberSessions
    const patienceMs = yield* Patience
    const confirming = yield* ConfirmAction
    const devices = yield* KnownDevices
    const ownersOnly = makeOwnersOnly(yield* ManageMembers)
    const waitingFor = countWaiting(yield* ViewAccount)
    const cookies = makeCookies(publicUrl)
    const service = { serviceName: yield* ServiceName, imprint: yield* Imprint }
    const stranger = strangerFrame({ ...service, members: true, publicCatalogue })
    const visitOf = makeVisitOf(options, cookies)
    const toStranger = (reply: Reply): Response => toResponse(reply, stranger, cookies)

    const whoIsSignedIn = (request: Request) => {
      const token = request.cookies[cookies.names.session]
      if (token === undefined) return Effect.succeed(null)
      return sessions.authenticate(token).pipe(
        Effect.tap(({ account }) => Effect.sync(() => recordCookie(token, account.accountId))),
        Effect.catchTag("NotSignedIn", () => Effect.succeed(null))
      )
    }

    /** Members are told why they are signed out; pressing the button that closes it once more leads there, too. */
    const isOfClosedAccount = (request: Request) => {
      const token = request.cookies[cookies.names.session]
      return token === undefined ? Effect.succeed(false) : sessions.wasOfClosedAccount(token)
    }

    const replyTo = Effect.fnUntraced(function* <R>(page: Page<R>, request: Request, who: SignedIn | null) {
      const url = new URL(request.url, publicUrl)
      const { may, method } = page
      if (who !== null && may !== "anyone" && !mayUse(who.member.role, may, method)) return yield* ownersOnly(who)
      if (who === null && may !== "anyone") {
        if (yield* isOfClosedAccount(request)) return toClosedPage
        const refusal = toSignIn(page, url)
        // Who never had a session here has lost nothing that was typed.
        if (method === "GET" || request.cookies[cookies.names.session] === undefined) return refusal
        const sent = yield* Effect.orElseSucceed(readForm(request), () => undefined)
        return { ...refusal, ...signedOutPage(url.pathname, sent) }
      }
      const form = method === "POST" ? yield* readForm(request, page.uploads) : new URLSearchParams()
      // A page that is not for anyone has been refused above without a session.
      const visit = (yield* visitOf(request, who, form)) as Visit<SignedIn>
      const asked =
        who === null ? null : yield* confirmInPlace(page, visit).pipe(Effect.provideService(ConfirmAction, confirming))
      return asked ?? (yield* page.answer(visit))
    })

    const respond = <R>(page: Page<R>) => {
      const responded = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (page.method === "POST" && !isFromOwnPage(request.headers, publicUrl)) return toStranger(foreignFormPage)
        const who = yield* whoIsSignedIn(request)
        const reply = yield* Effect.catch(replyTo(page, request, who), (failure) =>
          Effect.succeed(failurePage(failure))
        )
        const done = request.cookies[cookies.names.done] ?? null
        const shown = done !== null && isMissing(reply) ? seeOther("/account") : reply
        const waiting = yield* waitingFor(who, shown)
        const reader = who === null ? null : readerOf(who.member, yield* Clock.currentTimeMillis)
        const response = toResponse(shown, { ...stranger, who, done, waiting, reader }, cookies)
        const member = memberToRemember(shown, who)
        if (member === null) return response
        const kept = request.cookies[cookies.names.devices] ?? ""
        const marks = yield* devices.remember(kept, member)
        recordCookie(marks, member.accountId)
        return marks === kept ? response : cookies.withDevices(response, marks)
      }).pipe(
        Effect.catch((failure) => Effect.succeed(toStranger(failurePage(failure)))),
        Effect.catchCauseIf(isDefect, (cause) =>
          Effect.as(Effect.logError("A page failed on our side", cause), toStranger(failurePage(new InternalError())))
        )
      )
      const late = Effect.sync(() => toStranger(latePage(page)))
      return answerInTime(responded, patienceMs, late)
    }

    /** The use cases are taken once, for all pages and requests. */
    return <P extends Page<unknown>>(pages: ReadonlyArray<P>) =>
      Effect.flatMap(Effect.context<AskedBy<P>>(), (useCases) =>
        Effect.forEach(
          pages,
          (page) =>
            router.add(
              page.method,
              page.path,
              // What `P` asks, by the type above.
              respond(page as Page<AskedBy<P>>).pipe(Effect.provideContext(useCases)),
              // A client that goes away must not stop a form half way.
              { uninterruptible: page.method === "POST" }
            ),
          { discard: true }
        )
      )
  })
