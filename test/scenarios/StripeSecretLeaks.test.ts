// Stripe's secret key and signing secret do not leak: after purchases, faults, forgeries and a refused key, neither is in any log, span,
// row, body or header. Payment tokens go to Stripe and to their humans alone.
import { layer } from "@effect/vitest"
import { Effect, HashMap, Layer, References } from "effect"
import { expect } from "vitest"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { SECRET_KEY, StripeStandIn, WEBHOOK_SECRET } from "#test/adapters/payments/StripeStandIn.ts"
import { buyer, cart, freshKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { call, type HttpResponse, OwnPage, postOrder, press, viewPage } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { LogLines, RunningService } from "./RunningService.ts"
import * as Recorder from "./SpanRecorder.ts"
import { deliver, openQuote, payUnnoticed } from "./StripeQuoteSteps.ts"
import { NOTICES, layer as stripeShop } from "./StripeService.ts"

/** Half of a secret would be as bad as the secret. */
const halves = (secret: string): ReadonlyArray<string> => {
  const rest = secret.slice(secret.lastIndexOf("_") + 1)
  return [rest.slice(0, rest.length / 2), rest.slice(rest.length / 2)]
}

const SECRETS = [SECRET_KEY, WEBHOOK_SECRET].flatMap(halves)

const found = (secrets: ReadonlyArray<string>, text: string) => secrets.filter((secret) => text.includes(secret))

/** A client that sends the secrets themselves, in every part of a request. */
const impostor = (path: string) => {
  const headers = { "stripe-signature": `t=1,v1=${WEBHOOK_SECRET}`, authorization: `Bearer ${SECRET_KEY}` }
  return call("POST", path, { headers, body: { key: SECRET_KEY } })
}

const session = Effect.gen(function* () {
  const { account, server } = yield* StripeStandIn
  const { advance } = yield* MovableClock
  const { sweep } = yield* SweepQuotes
  const answers: Array<HttpResponse> = []
  const bought = yield* openQuote
  const left = yield* openQuote
  const lapsed = yield* openQuote
  const tokens = [bought, left, lapsed].map(({ url }) => url)
  const ownPages = yield* Effect.map(OwnPage, (pageOf) => tokens.map(pageOf))
  answers.push(yield* press("pay", bought.url), yield* press("abandon", left.url), yield* viewPage(lapsed.url))
  const paid = yield* payUnnoticed(lapsed.sessionId)
  answers.push(yield* deliver(paid, { secret: "whsec_another" }), yield* deliver(paid, { signedSecondsAgo: 400 }))
  answers.push(yield* deliver(account.event("checkout.session.completed", { metadata: { quote_id: "q_1" } })))
  answers.push(
    yield* deliver({
      ...paid,
      data: { object: { ...account.retrieve(bought.sessionId), id: "cs_2", amount_total: 1 } }
    })
  )
  answers.push(yield* impostor(NOTICES), yield* impostor("/api/v1/agent/orders"))
  const { siteId } = yield* listSite()
  const who = yield* buyer()
  for (const troubles of [
    ["refuses", "refuses", "refuses"],
    ["hangs up", "hangs up", "hangs up"],
    ["limits"],
    ["breaks"]
  ] as const) {
    server.troubles.push(...troubles)
    answers.push(yield* postOrder(who.key, cart([item(siteId)]), freshKey()))
  }
  yield* advance("25 hours")
  server.troubles.push("limits", "limits")
  yield* sweep()
  yield* sweep()
  return { answers, tokens: ownPages.map((page) => new URL(page).pathname.slice("/pay/".length)) }
})

const played = Effect.runSync(Effect.cached(session))

const surroundings = Layer.merge(Recorder.layer, Layer.succeed(References.MinimumLogLevel, "All"))

layer(stripeShop().pipe(Layer.provideMerge(surroundings)), { excludeTestServices: true })("Stripe's secrets", (it) => {
  it.effect("are in no log", () =>
    Effect.gen(function* () {
      const { tokens } = yield* played
      const { lines } = yield* LogLines
      const text = lines.join("\n")
      expect(text).toContain("A call to Stripe failed")
      expect(text).toContain("A payment notice of Stripe fits no quote")
      expect(text).toContain("A payment notice was refused")
      expect(tokens.map(({ length }) => length > 20)).toEqual([true, true, true])
      expect(found([...SECRETS, ...tokens], text)).toEqual([])
    })
  )

  it.effect("are in no span, nor are payment tokens", () =>
    Effect.gen(function* () {
      const { tokens } = yield* played
      const { spans } = yield* Recorder.SpanRecorder
      const text = spans.join("\n")
      expect(text).toContain("Stripe.open")
      expect(text).toContain("Stripe.expire")
      expect(found([...SECRETS, ...tokens], text)).toEqual([])
    })
  )

  it.effect("are in no answer, and in no row", () =>
    Effect.gen(function* () {
      const { answers } = yield* played
      const { books } = yield* RunningService
      expect(answers.filter(({ status }) => status >= 400).length).toBeGreaterThanOrEqual(8)
      const responses = answers.map(({ text, headers }) => `${text}\n${[...headers].join("\n")}`)
      const rows = Object.values(yield* books).map((shelf) =>
        JSON.stringify(HashMap.isHashMap(shelf) ? HashMap.toEntries(shelf) : shelf)
      )
      expect(rows.length).toBeGreaterThan(10)
      expect(found(SECRETS, [...responses, ...rows].join("\n"))).toEqual([])
    })
  )
})
