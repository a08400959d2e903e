// Payment with Stripe: redirects, pages afterwards, bank debits that take days, failures of Stripe at every step, and a sandbox that never
// calls it; and a service without Stripe.
import { Effect } from "effect"
import { expect } from "vitest"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import type { Trouble } from "#test/adapters/payments/StripeServer.ts"
import { StripeStandIn } from "#test/adapters/payments/StripeStandIn.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { movements, ordersOf } from "../core/BookReads.ts"
import { buyer, cart, freshKey, insertion, issueKey, item, order, quoteOf } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, OwnPage, placedBy, postOrder, press, refusalIn, viewPage } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { whileSessionOpens } from "./QuoteSteps.ts"
import { RunningService } from "./RunningService.ts"
import { paidByStripe, scenarios } from "./ScenarioSuite.ts"
import { deliver, type OpenQuote, openQuote, payUnnoticed } from "./StripeQuoteSteps.ts"
import { NOTICES } from "./StripeService.ts"

const sweep = Effect.flatMap(SweepQuotes, ({ sweep }) => sweep())

const advance = (by: "16 seconds" | "25 hours") => Effect.flatMap(MovableClock, ({ advance }) => advance(by))

export const stripePaymentsSuite = paidByStripe("with Stripe", {}, (it) => {
  it.effect("a human is redirected to Stripe's page and back to the service's, which never asks for money twice", () =>
    Effect.gen(function* () {
      const stripe = yield* StripeStandIn
      const { url: shopUrl } = yield* RunningService
      const { url, status, sessionId } = yield* openQuote
      expect(new URL(url).origin).toBe(stripe.url)
      const [session] = stripe.account.sessionsOf((yield* status).quote_id)
      expect(session).toMatchObject({ id: sessionId, amount_total: 300, currency: "eur" })
      const endsAtMs = Date.parse((yield* status).expires_at ?? "")
      expect(endsAtMs - (session?.expires_at ?? 0) * 1_000).toBeGreaterThanOrEqual(60_000)
      const keys = stripe.server.asked.flatMap(({ idempotencyKey }) => idempotencyKey ?? [])
      expect(keys).toEqual([session?.client_reference_id])

      const page = yield* viewPage(url)
      expect(page.text).toContain(`href="${url}">Pay 3.00 EUR</a>`)
      expect(page.text).not.toMatch(/simulated|\/pay"/)
      expect((yield* call("POST", `${(yield* OwnPage)(url)}/pay`)).status).toBe(404)
      expect((yield* status).status).toBe("awaiting_payment")

      const waiting = yield* call("GET", session?.success_url ?? "")
      expect(waiting.text).toContain("Your payment is being confirmed")
      expect(waiting.text).toContain("<dt>Being confirmed</dt><dd>3.00 EUR</dd>")
      expect(waiting.text).not.toContain("Left to pay")
      expect(waiting.text).toMatch(/<a class="btn main" href="[^"]*[?]returned=paid">Look again</)
      expect(waiting.text).not.toMatch(/<form|http-equiv|<a class="btn main" href="[^"]*(?<!returned=paid)"/)
      const answer = yield* press("pay", url)
      expect([answer.status, answer.headers.get("location")]).toEqual([303, session?.success_url])
      expect(session?.success_url.startsWith(`${shopUrl}/pay/`)).toBe(true)
      expect((yield* call("GET", session?.success_url ?? "")).text).toContain("Paid: thank you")
      expect((yield* viewPage(url)).text).not.toContain("simulated")
      expect(yield* status).toMatchObject({ paid: true, payment_url: null })
      expect(stripe.server.asked.filter(({ idempotencyKey }) => idempotencyKey?.endsWith("-without-end"))).toEqual([])
    })
  )

  it.effect("abandoning expires the session; if it was paid without notice, the quote is settled instead", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const left = yield* openQuote
      expect((yield* press("abandon", left.url)).status).toBe(303)
      expect(account.retrieve(left.sessionId)).toMatchObject({ status: "expired" })
      const paid = yield* openQuote
      yield* payUnnoticed(paid.sessionId)
      const refused = yield* Effect.flip(paid.who.api.quotes.abandonQuote({ params: { id: paid.quoteId } }))
      expect(refused).toMatchObject({ error: { code: "quote_not_open", details: { status: "paid" } } })
      const lapsed = yield* openQuote
      yield* payUnnoticed(lapsed.sessionId)
      yield* advance("25 hours")
      yield* sweep
      for (const { status, who } of [paid, lapsed]) {
        expect(yield* status).toMatchObject({ status: "paid", paid: true })
        expect((yield* who.api.balance.getBalance()).available_cents).toBe(0)
      }
    })
  )

  const MEANWHILE: Readonly<
    Record<
      string,
      readonly [
        (quote: OpenQuote) => Effect.Effect<unknown, unknown, MovableClock | SweepQuotes | RunningService>,
        string
      ]
    >
  > = {
    "nothing happened": [() => Effect.void, "settled"],
    "its time was over": [() => Effect.andThen(advance("25 hours"), sweep), "settled"],
    "the human pressed “Do not buy”": [({ url }) => press("abandon", url), "settled"]
  }
  for (const [what, [happen, outcome]] of Object.entries(MEANWHILE)) {
    it.effect(`a bank debit arrives days after the human paid, and ${what}: ${outcome}`, () =>
      Effect.gen(function* () {
        const { account } = yield* StripeStandIn
        const quote = yield* openQuote
        expect((yield* deliver(account.pay(quote.sessionId, { by: "debit" }))).text).toContain("kept")
        expect((yield* quote.status).status).toBe("awaiting_payment")
        yield* happen(quote)
        const answers = yield* concurrently(times(3, () => deliver(account.arrive(quote.sessionId))))
        expect(answers.map(({ text }) => JSON.parse(text).outcome).sort()).toEqual(
          ["repeated", "repeated", outcome].sort()
        )
        expect((yield* quote.status).paid).toBe(outcome === "settled")
        const { available_cents, held_cents } = yield* quote.who.api.balance.getBalance()
        expect([available_cents, held_cents]).toEqual([outcome === "settled" ? 0 : 500, 0])
      })
    )
  }

  it.effect("an expired quote whose article was sold meanwhile: the debit becomes credit", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const quote = yield* openQuote
      account.pay(quote.sessionId, { by: "debit" })
      yield* advance("25 hours")
      yield* order(yield* buyer({ creditCents: 500 }), [insertion(quote.article)])
      expect((yield* deliver(account.arrive(quote.sessionId))).text).toContain("credited")
      expect(yield* quote.status).toMatchObject({ status: "abandoned", credited_cents: 300 })
      expect((yield* viewPage(quote.url)).text).toContain("A payment of 3.00 EUR arrived")
    })
  )

  const AWAY: ReadonlyArray<readonly [what: string, troubles: ReadonlyArray<Trouble>, sessions: number]> = [
    ["is out of reach", ["refuses", "refuses", "refuses"], 0],
    ["makes the session and hangs up", ["hangs up", "hangs up", "hangs up"], 1],
    ["limits the rate", ["limits"], 0]
  ]
  for (const [what, troubles, made] of AWAY) {
    it.effect(`Stripe ${what}: 502, then by replay or sweeper the same quote and one session`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { account, server } = yield* StripeStandIn
        const { siteId } = yield* listSite()
        for (const bySweeper of [false, true]) {
          const who = yield* buyer({ creditCents: 200 })
          const idempotencyKey = freshKey()
          const send = postOrder(who.key, cart([item(siteId)]), idempotencyKey)
          server.troubles.push(...troubles)
          expect(refusalIn(yield* send)).toMatchObject({ code: "payment_processor_unavailable", status: 502 })
          const find = quoteOf(who, idempotencyKey)
          const { quote_id } = yield* find
          expect(account.sessionsOf(quote_id).length).toBe(made)
          yield* advance("16 seconds")
          if (bySweeper) expect((yield* sweep).resumed).toBe(1)
          const answers = yield* concurrently(times(5, () => send))
          expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
          expect(placedBy(yield* send)).toMatchObject({ quote_id, card_amount_cents: 300 })
          expect(account.sessionsOf(quote_id).map(({ url }) => url)).toEqual([(yield* find).payment_url])
          expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200"])
        }
      })
    )
  }

  it.effect("abandoned while its session is made but not stored: the session is found and expired", () =>
    Effect.gen(function* () {
      const { account, server } = yield* StripeStandIn
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 200 })
      server.troubles.push("hangs up", "hangs up", "hangs up")
      refusalIn(yield* postOrder(who.key, cart([item(siteId)])))
      const { holds } = yield* who.api.balance.getBalance()
      const id = holds[0]?.quote_id ?? QuoteId.make("")
      expect(account.sessionsOf(id).map(({ status }) => status)).toEqual(["open"])
      expect(yield* who.api.quotes.abandonQuote({ params: { id } })).toMatchObject({ status: "abandoned" })
      expect(account.sessionsOf(id).map(({ status }) => status)).toEqual(["expired"])
      expect((yield* who.api.balance.getBalance()).available_cents).toBe(200)
    })
  )

  it.effect("abandoned before its session is made: the session is expired as soon as it exists", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 200 })
      const send = postOrder(who.key, cart([item(siteId)]), freshKey())
      const late = yield* whileSessionOpens(send, (id) =>
        who.api.quotes.abandonQuote({ params: { id: QuoteId.make(id) } })
      )
      const { quote_id } = refusalIn(late).details ?? {}
      const sessions = account.sessionsOf(String(quote_id))
      expect(sessions.map(({ status }) => status)).toEqual(["expired"])
      expect(refusalIn(yield* send).code).toBe("quote_not_open")
    })
  )

  it.effect("the sandbox never reaches Stripe", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { server } = yield* StripeStandIn
      const { siteId } = yield* listSite()
      const live = yield* buyer()
      const test = yield* issueKey(live.accountId, { mode: "sandbox" })
      // Quotes that other tests left open have ended before anything is counted.
      yield* advance("25 hours")
      yield* sweep
      const before = server.asked.length
      const quotes = yield* Effect.all(times(4, () => order(test, [item(siteId)])))
      const [byPage, byAgent, left, lapsing] = quotes.map((quote) => ({
        id: quote.quote_id ?? QuoteId.make(""),
        url: quote.payment_url ?? ""
      }))
      const page = yield* call("GET", byPage?.url ?? "")
      expect(page.text).toContain("sandbox order")
      expect(page.text).toContain('/pay"')
      expect((yield* press("pay", byPage?.url ?? "")).status).toBe(303)
      yield* test.api.sandbox.paySandboxQuote({ params: { id: byAgent?.id ?? QuoteId.make("") } })
      yield* press("abandon", left?.url ?? "")
      yield* advance("25 hours")
      yield* sweep
      expect((yield* test.api.quotes.getQuote({ params: { id: lapsing?.id ?? QuoteId.make("") } })).status).toBe(
        "abandoned"
      )
      expect(ordersOf(yield* books, test).length).toBe(2)
      expect(server.asked.length).toBe(before)
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})

export const withoutStripeSuite = scenarios("a service without Stripe", {}, (it) => {
  it.effect("has no route for its notices", () =>
    Effect.gen(function* () {
      expect(refusalIn(yield* call("POST", NOTICES, { body: {} })).code).toBe("route_not_found")
    })
  )
})
