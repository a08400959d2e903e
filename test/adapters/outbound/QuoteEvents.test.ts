// Events of quotes for webhooks that name them: which ones, once each, and what they show.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { QuoteEventBody } from "#adapters/contract/webhooks/Events.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { QuoteEventType } from "#core/domain/webhooks/Event.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { PayQuote } from "#core/usecases/ordering/PayQuote.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { eventError } from "#test/adapters/http/docs/DocumentedResponses.ts"
import { type Buyer, type BuyerWish, buyer, by, item, order } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { call, press, SANDBOX } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { createWebhook, layer as shop } from "./WebhookService.ts"

const read = Schema.decodeUnknownSync(Schema.fromJsonString(QuoteEventBody), { onExcessProperty: "error" })
const operator = { operator: by }

layer(shop, { excludeTestServices: true })("quote events", (it) => {
  /** A buyer with one order, and what its webhook gets next. */
  const ordered = Effect.fnUntraced(function* (wish: BuyerWish) {
    const who = yield* buyer(wish)
    const own = yield* createWebhook(who, undefined, QuoteEventType.literals)
    const { siteId } = yield* listSite()
    const { quote_id, payment_url } = yield* order(who, [item(siteId)])
    const next = Effect.map(own.next, ({ body }) => {
      const event = read(body.toString())
      expect(eventError(event.type, event)).toBeUndefined()
      expect(event.data.quote.quote_id).toBe(quote_id)
      return event
    })
    return { who, quoteId: quote_id ?? QuoteId.make(""), payment_url, next, own }
  })

  const shown = ({ api }: Buyer, id: QuoteId) => api.quotes.getQuote({ params: { id } })

  it.effect("approval is requested once, with the page where it is given, and payment told once", () =>
    Effect.gen(function* () {
      const { who, quoteId, next, own } = yield* ordered({ creditCents: 5_000, limits: { approveAboveCents: 0 } })
      const requested = yield* next
      expect(requested).toMatchObject({ type: "quote.approval_requested", sandbox: false })
      expect(requested.data.quote).toEqual(yield* shown(who, quoteId))
      expect(requested.data.quote.approval_url).toContain(quoteId)
      yield* (yield* DecideApproval).approve(quoteId, operator)
      const paid = yield* next
      expect(paid.type).toBe("quote.paid")
      expect(paid.data.quote).toMatchObject({ status: "paid", paid: true, order_status: "paid" })
      expect(paid.data.quote).toEqual(yield* shown(who, quoteId))
      expect(own.received).toHaveLength(2)
    })
  )

  it.effect("an order from credit, and one that a human pays, tell their payment alone", () =>
    Effect.gen(function* () {
      expect((yield* (yield* ordered({ creditCents: 5_000 })).next).type).toBe("quote.paid")
      const { payment_url, next, own } = yield* ordered({})
      expect(own.received).toEqual([])
      yield* press("pay", payment_url ?? "")
      expect((yield* next).type).toBe("quote.paid")
      expect(own.received).toHaveLength(1)
    })
  )

  for (const [name, wish] of [
    ["awaited payment", {}],
    ["awaited approval", { creditCents: 5_000, limits: { approveAboveCents: 0 } }]
  ] as const) {
    it.effect(`a quote that ${name} and lapsed is told once, however often it is swept and read`, () =>
      Effect.gen(function* () {
        const { who, quoteId, next, own } = yield* ordered(wish)
        if (name === "awaited approval") expect((yield* next).type).toBe("quote.approval_requested")
        yield* (yield* MovableClock).advance("25 hours")
        const { sweep } = yield* SweepQuotes
        yield* Effect.all([sweep(), sweep(), Effect.exit(shown(who, quoteId))], {
          concurrency: "unbounded"
        })
        const expired = yield* next
        expect(expired.type).toBe("quote.expired")
        expect(expired.data.quote).toMatchObject({ status: "abandoned", paid: false, payment_url: null })
        yield* sweep()
        const { count } = yield* who.api.deliveries.listDeliveries({ params: { id: own.id }, query: {} })
        expect(count).toBe(name === "awaited approval" ? 2 : 1)
      })
    )
  }

  it.effect("a decline and an abandonment are told once with who did it, and are neither paid nor expired", () =>
    Effect.gen(function* () {
      const approvals = yield* DecideApproval
      const { abandonAs } = yield* PayQuote
      const ends = {
        decline: { by: "operator", declined_reason: "too dear" },
        "abandonment by the agent": { by: "agent", declined_reason: null },
        "abandonment by the operator": { by: "operator", declined_reason: null }
      }
      for (const [end, told] of Object.entries(ends)) {
        const { who, quoteId, next, own } = yield* ordered({ creditCents: 5_000, limits: { approveAboveCents: 0 } })
        yield* next
        if (end === "decline") yield* approvals.decline(quoteId, operator, "too dear")
        else if (end === "abandonment by the agent") yield* who.api.quotes.abandonQuote({ params: { id: quoteId } })
        else yield* abandonAs(quoteId, by)
        const { type, data } = yield* next
        expect({ type, by: data.by, declined_reason: data.declined_reason }).toEqual({
          type: "quote.abandoned",
          ...told
        })
        expect(data.quote).toMatchObject({ status: "abandoned", paid: false })
        yield* (yield* MovableClock).advance("25 hours")
        yield* (yield* SweepQuotes).sweep()
        const { count } = yield* who.api.deliveries.listDeliveries({ params: { id: own.id }, query: {} })
        expect(count).toBe(2)
      }
    })
  )

  it.effect("a human who gives up on the payment page is named as one", () =>
    Effect.gen(function* () {
      const { payment_url, next } = yield* ordered({})
      yield* press("abandon", payment_url ?? "")
      expect(yield* next).toMatchObject({ type: "quote.abandoned", data: { by: "human", declined_reason: null } })
    })
  )

  it.effect("the sandbox tells them too, and a revoked key has no webhook left to tell", () =>
    Effect.gen(function* () {
      const { who, quoteId, next } = yield* ordered({
        mode: "sandbox",
        creditCents: 5_000,
        limits: { approveAboveCents: 0 }
      })
      expect(yield* next).toMatchObject({ type: "quote.approval_requested", sandbox: true })
      yield* call("POST", `${SANDBOX}/quotes/${quoteId}/approve`, { key: who.key })
      expect(yield* next).toMatchObject({ type: "quote.paid", sandbox: true })
      const live = yield* ordered({ creditCents: 5_000, limits: { approveAboveCents: 0 } })
      yield* live.next
      yield* (yield* Credentials).revoke(live.who.keyId, by)
      yield* (yield* SweepQuotes).sweep()
      expect(live.own.received).toHaveLength(1)
    })
  )
})
