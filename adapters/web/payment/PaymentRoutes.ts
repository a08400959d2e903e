// Routes of the payment page. Its URL is a capability: its token is the right to see, pay and abandon that quote, and an unknown token
// reveals nothing.
import { Clock, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerInTime, Patience } from "#adapters/concurrency/AnswerInTime.ts"
import { ServiceName } from "#adapters/contract/shared/ServiceDescription.ts"
import { PAGE_HEADERS, pageResponse } from "#adapters/html/Document.ts"
import { html, nothing } from "#adapters/html/Html.ts"
import { Imprint } from "#adapters/html/Imprint.ts"
import { readBody } from "#adapters/http/server/RequestBody.ts"
import type { ServedRoute } from "#adapters/http/server/RouteTable.ts"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import { isOpen, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import type { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import type { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { PayQuote } from "#core/usecases/ordering/PayQuote.ts"
import { makeCookies } from "../Cookies.ts"
import { storable } from "../form/FormBody.ts"
import { vatOf } from "../money/PriceVat.ts"
import { sitesOf } from "../QuoteMoney.ts"
import { closedPage, isAwaited, messagePage, type OfService, openPage, pagePath, UNNAMED } from "./PaymentPage.ts"
import { PaymentWaits } from "./PaymentWaits.ts"

export const paymentRoutes: ReadonlyArray<ServedRoute> = [
  { method: "GET", path: "/pay/:token" },
  { method: "POST", path: "/pay/:token/pay" },
  { method: "POST", path: "/pay/:token/abandon" }
]

/** A person who follows a link that is cut off may be a member. */
const findIt = html`<p>Are you a member of the account? <a href="/account/quotes?state=payment">See what awaits payment</a>.</p>`

const messagesOf = (service: OfService, hasPages: boolean) => {
  const message = (status: number, title: string, says: string, headers: Readonly<Record<string, string>> = {}) =>
    pageResponse(messagePage(title, says)(service), { status, headers })
  return {
    unknownPage: pageResponse(
      messagePage(
        "Payment link not found",
        "Nothing was charged. This link may have been cut off: open it again from where you got it, or ask your assistant for a new one.",
        hasPages ? findIt : nothing
      )(service),
      { status: 404 }
    ),
    tooLarge: message(
      413,
      "Too much was sent",
      "Nothing was charged. Open your payment link again, and press one of its buttons."
    ),
    incomplete: message(
      400,
      "Please try again",
      "Your request did not arrive in full, and nothing was charged. Go back and try again."
    ),
    /** For outages: nothing was charged twice, and trying again is safe. */
    unavailable: (status: number, retryAfterSeconds: number) =>
      message(
        status,
        "Please try again in a minute",
        "We could not do that just now. Nothing is lost, and trying again never charges twice.",
        {
          "retry-after": String(retryAfterSeconds)
        }
      )
  }
}

/** The URL of a form identifies the action; the body is ignored, but limited in size like any other. */
const discardBody = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => readBody(request))

const token = Effect.map(HttpRouter.params, ({ token = "" }) => storable(token))

/** Who asked for it, what is known of its sites, and its VAT. The name of a key is told to members alone. */
const toldOf = Effect.fnUntraced(function* (quote: Quote, isMember: boolean) {
  const { accountId, keyId } = quote
  const keys = isWebCredential(keyId) || !isMember ? [] : yield* (yield* ViewAccount).keys(accountId)
  const label = keys.find(({ key }) => key.keyId === keyId)?.key.label ?? UNNAMED
  return {
    agent: isWebCredential(keyId) ? null : label,
    sites: yield* sitesOf(quote),
    vat: isOpen(quote) ? yield* vatOf(quote) : null
  }
})

/** `members`: whether people sign in. */
export const layer = ({ publicUrl, members: hasPages }: { readonly publicUrl: string; readonly members: boolean }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const quotes = yield* PayQuote
      const context = yield* Effect.context<BrowseCatalogue | ReadInvoices | ViewAccount>()
      const tell = (quote: Quote, isMember: boolean) => Effect.provideContext(toldOf(quote, isMember), context)
      const waits = yield* PaymentWaits
      const sessions = yield* MemberSessions
      const cookies = makeCookies(publicUrl)
      const patienceMs = yield* Patience
      const service = { serviceName: yield* ServiceName, imprint: yield* Imprint }
      const { unknownPage, tooLarge, incomplete, unavailable } = messagesOf(service, hasPages)

      const isSignedInTo = Effect.fnUntraced(function* (accountId: AccountId) {
        const session = (yield* HttpServerRequest.HttpServerRequest).cookies[cookies.names.session]
        if (session === undefined) return false
        return yield* sessions.authenticate(session).pipe(
          Effect.map(({ account }) => account.accountId === accountId),
          Effect.catchTag("NotSignedIn", () => Effect.succeed(false))
        )
      })

      /** A person of the account comes back to the order; others see what became of the quote. */
      const showPaid = Effect.fnUntraced(function* (quote: Quote, orderPath: string) {
        if (!(yield* isSignedInTo(quote.accountId))) {
          const told = yield* tell(quote, false)
          return pageResponse(closedPage(quote, told, { path: orderPath, isMember: false })(service))
        }
        const response = HttpServerResponse.redirect(orderPath, { status: 303, headers: PAGE_HEADERS })
        return cookies.withDone(response, `${formatEur(quote.cardCents)} paid: thank you. The order is placed.`)
      })

      const show = Effect.gen(function* () {
        const text = yield* token
        const returned = (yield* HttpServerRequest.ParsedSearchParams)["returned"] === "paid"
        const read = Effect.map(quotes.view(text), ({ quote }) => quote)
        const seen = yield* read
        const { accountId, expiresAtMs } = seen
        const isOver = expiresAtMs <= (yield* Clock.currentTimeMillis)
        // To look at one that is over asks the processor to end it: once is enough.
        const isFinal = (quote: Quote) => isOver || !isAwaited(quote, returned)
        const quote = yield* waits.settled(seen, { accountId, look: read, isFinal })
        if (hasPages && quote.orderId !== null) return yield* showPaid(quote, `/account/orders/${quote.orderId}`)
        const isMember = hasPages && quote.status !== "paid" && (yield* isSignedInTo(accountId))
        const told = yield* tell(quote, isMember)
        const path = `/account/quotes/${quote.quoteId}`
        if (isOpen(quote)) return pageResponse(openPage(quote, told, returned, isMember ? path : null)(service))
        return pageResponse(closedPage(quote, told, hasPages ? { path, isMember } : null)(service))
      })

      /** Redirects to the page afterwards, so that a reload repeats nothing. */
      const submit = <E>(action: (token: string) => Effect.Effect<unknown, E>) =>
        Effect.gen(function* () {
          yield* discardBody
          const text = yield* token
          yield* action(text)
          return HttpServerResponse.redirect(pagePath(text), { status: 303, headers: PAGE_HEADERS })
        })

      const pay = submit(quotes.pay)
      const abandon = submit(quotes.abandon)

      const withErrorPages = <R>(
        effect: Effect.Effect<
          HttpServerResponse.HttpServerResponse,
          Effect.Error<typeof show | typeof pay | typeof abandon>,
          R
        >
      ) =>
        answerInTime(effect, patienceMs, Effect.succeed(unavailable(503, 2))).pipe(
          Effect.catchTags({
            BodyTooLarge: () => Effect.succeed(tooLarge),
            InvalidJson: () => Effect.succeed(incomplete),
            QuoteNotFound: () => Effect.succeed(unknownPage),
            ProcessorUnavailable: ({ retryAfterSeconds }) => Effect.succeed(unavailable(502, retryAfterSeconds)),
            StoreUnavailable: ({ retryAfterSeconds }) => Effect.succeed(unavailable(503, retryAfterSeconds)),
            // A simulated payment has the quote's own amount and currency.
            PaymentMismatch: Effect.die
          })
        )

      yield* router.add("GET", "/pay/:token", withErrorPages(show))
      yield* router.add("POST", "/pay/:token/pay", withErrorPages(pay), { uninterruptible: true })
      yield* router.add("POST", "/pay/:token/abandon", withErrorPages(abandon), { uninterruptible: true })
    })
  )
