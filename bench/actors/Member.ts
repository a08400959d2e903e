// The human in the member area: signs in by the link in a mail, asks for a top-up there, and decides on what waits for approval.
import { Effect } from "effect"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { Mailbox } from "../service/Mailbox.ts"
import { TestService } from "../service/TestService.ts"
import { Actors, Refused, type StepResult } from "./Actors.ts"
import { headingOf, hiddenField, makeBrowser, payLinkOf } from "./Browser.ts"

const SIGN_IN = "/account/sign-in"
const TOP_UPS = "/account/credit/top-ups"

export const makeMember = Effect.fnUntraced(function* (actorId: string, email: string) {
  const run = (yield* Actors).runAs(actorId)
  const browser = yield* makeBrowser
  const { nextLink } = yield* Mailbox
  const { url } = yield* TestService
  /** Where the mailed link led to: cookies are of that host. */
  let area = url

  const signIn = Effect.gen(function* () {
    const asks = yield* browser.open(`${url}${SIGN_IN}`)
    yield* browser.send(asks, SIGN_IN, { email })
    const link = yield* browser.open(yield* nextLink(email))
    area = new URL(link.url).origin
    return yield* browser.send(link, `${SIGN_IN}/use`, { token: hiddenField(link, "token") })
  })

  const topUp = Effect.fnUntraced(function* (cents: number) {
    const form = yield* browser.open(`${area}${TOP_UPS}`)
    const fields = { top_up: hiddenField(form, "top_up"), amount: (cents / 100).toFixed(2) }
    const page = yield* browser.send(form, TOP_UPS, fields)
    const paymentUrl = payLinkOf(page)
    if (paymentUrl === undefined) return yield* new Refused({ code: "no_pay_link", message: headingOf(page) })
    return { page, paymentUrl }
  })

  /** An approval sends the page's hidden fields, which name what is approved. */
  const decide = Effect.fnUntraced(function* (quoteId: QuoteId, button: "approve" | "decline", word: string) {
    const path = `/account/approvals/${quoteId}`
    const page = yield* browser.open(`${area}${path}`)
    const seen = Object.fromEntries(["quote", "state", "total"].map((name) => [name, hiddenField(page, name)]))
    return yield* browser.send(page, `${path}/${button}`, button === "approve" ? seen : { reason: word })
  })

  return {
    decide: (quoteId: QuoteId, button: "approve" | "decline", word = "") =>
      run(`${button}s ${quoteId}`, decide(quoteId, button, word), (page) => `the page says: ${headingOf(page)}`),
    signIn: run("signs in by the link in a mail", signIn, (page) => `the page says: ${headingOf(page)}`),
    /** The result has the address of the payment page. */
    topUp: (cents: number): Effect.Effect<StepResult<{ readonly paymentUrl: string }>> =>
      run(`asks for a top-up of ${formatEur(cents)}`, topUp(cents), ({ page }) => `the page says: ${headingOf(page)}`)
  }
})

export type Member = Effect.Success<ReturnType<typeof makeMember>>
