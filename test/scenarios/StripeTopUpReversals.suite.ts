// Refunds and disputes of top-ups over Stripe: told repeatedly, out of order and to every instance at once, while the credit is spent,
// comes back, is held, or waits for approval.
import { Effect } from "effect"
import { expect } from "vitest"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { CloseAccount } from "#core/usecases/members/CloseAccount.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { StripeStandIn } from "#test/adapters/payments/StripeStandIn.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, ordersOf } from "../core/BookReads.ts"
import { by, issueKey, item, order, topUp } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, refusalIn } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { paidByStripe } from "./ScenarioSuite.ts"
import { deliver, outcomeOf, payUnnoticed } from "./StripeQuoteSteps.ts"
import { booked, CENTS, opened } from "./StripeTopUpSteps.ts"

const told = Effect.fnUntraced(function* (type: string, object: (charge: object) => object, sessionId: string) {
  const { account } = yield* StripeStandIn
  const answer = yield* deliver(account.event(type, object(account.charge(`ch_${sessionId}`))))
  expect(answer.status, answer.text).toBe(200)
  return outcomeOf(answer)
})

const refund = (sessionId: string, cents: number) =>
  told("charge.refunded", (charge) => ({ ...charge, amount_refunded: cents }), sessionId)

const dispute = (sessionId: string, type: "created" | "closed", status: string) => {
  const charge = `ch_${sessionId}`
  const object = { id: `du_${sessionId}`, object: "dispute", charge, amount: CENTS, currency: "eur", status }
  return told(`charge.dispute.${type}`, () => object, sessionId)
}

/** 25.00 EUR paid by card; 15.00 of them spent by an agent, and the site that sells for 15.00 EUR. */
const spent = Effect.gen(function* () {
  const topUpOf = yield* opened
  yield* deliver(yield* payUnnoticed(topUpOf.sessionId))
  const agent = yield* issueKey(topUpOf.accountId)
  const { siteId } = yield* listSite({ shelf: "Corail" })
  const placed = yield* order(agent, [item(siteId)])
  expect(placed.status).toBe("paid")
  return { ...topUpOf, agent, siteId }
})

const balanceOf = Effect.fnUntraced(function* ({ agent }: { readonly agent: { readonly key: string } }) {
  const { text } = yield* call("GET", "/api/v1/agent/balance", { key: agent.key })
  const { available_cents, held_cents, owed_cents } = JSON.parse(text)
  return [available_cents, held_cents, owed_cents]
})

export const stripeTopUpReversalsSuite = paidByStripe("top-ups that go back over Stripe", {}, (it) => {
  it.effect(
    "a refund of half-spent credit, ten notices at once: the balance falls once, the rest is owed and named",
    () =>
      Effect.gen(function* () {
        const buyer = yield* spent
        const answers = yield* concurrently(times(10, () => refund(buyer.sessionId, CENTS)))
        expect(countEach(answers)).toEqual({ recorded: 1, repeated: 9 })
        expect((yield* booked(buyer)).slice(-2)).toEqual(["capture 1500", "adjustment 1000"])
        expect(yield* balanceOf(buyer)).toEqual([0, 0, 1_500])
        const refused = yield* order(buyer.agent, [item(buyer.siteId)]).pipe(Effect.flip)
        expect(refused).toMatchObject({ error: { code: "spend_policy_refused", details: { rule: "agents_stopped" } } })
        const { owing } = yield* (yield* Reconcile).reconcile()
        expect(owing).toContainEqual({ accountId: buyer.accountId, name: "Ada", owedCents: 1_500 })
        const links = yield* FulfilLinks
        const [placed] = ordersOf(yield* (yield* RunningService).books, buyer.agent)
        expect(yield* links.atRisk(placed?.linkIds ?? [])).toEqual(placed?.linkIds)
        // What the operator gives back for the link pays the debt in the same transaction, with its own entry.
        yield* links.cancelOrder(placed?.orderId ?? expect.fail(), "the site went away", by)
        expect((yield* booked(buyer)).slice(-2)).toEqual(["recredit 1500", "adjustment 1500"])
        expect(yield* balanceOf(buyer)).toEqual([0, 0, 0])
        yield* expectConsistentBooks
      })
  )

  it.effect("refunds before the payment is told, in parts and out of order: taken once it is", () =>
    Effect.gen(function* () {
      const topUpOf = yield* opened
      const paid = yield* payUnnoticed(topUpOf.sessionId)
      const early = [refund(topUpOf.sessionId, 1_100), refund(topUpOf.sessionId, 400)]
      expect((yield* concurrently(early)).every((outcome) => ["recorded", "repeated"].includes(outcome))).toBe(true)
      expect(yield* booked(topUpOf)).toEqual([])
      yield* concurrently(times(5, () => deliver(paid)))
      expect(yield* booked(topUpOf)).toEqual([`top_up ${CENTS}`, "adjustment 1100"])
      expect(yield* refund(topUpOf.sessionId, 400)).toBe("repeated")
      expect(yield* refund(topUpOf.sessionId, CENTS)).toBe("recorded")
      expect((yield* booked(topUpOf)).at(-1)).toBe("adjustment 1400")
      yield* expectConsistentBooks
    })
  )

  it.effect(
    "a dispute stops the agents; resumed, they order nothing from credit until a top-up settles what is owed",
    () =>
      Effect.gen(function* () {
        const buyer = yield* spent
        expect(yield* dispute(buyer.sessionId, "created", "needs_response")).toBe("recorded")
        expect(yield* balanceOf(buyer)).toEqual([0, 0, 1_500])
        yield* (yield* StopAgents).setStopped(buyer.accountId, false, by)
        // An order by card alone takes no credit, and is placed.
        const byCard = yield* order(buyer.agent, [item(buyer.siteId)])
        expect(byCard).toMatchObject({ status: "awaiting_payment", credit_applied_cents: 0 })
        yield* concurrently([topUp(buyer.accountId, 500), topUp(buyer.accountId, 700)])
        expect(yield* balanceOf(buyer)).toEqual([0, 0, 300])
        // Told again, it does not stop the agents again.
        expect(yield* dispute(buyer.sessionId, "created", "needs_response")).toBe("repeated")
        const { accounts } = yield* (yield* RunningService).books
        expect([...accounts].find(([id]) => id === buyer.accountId)?.[1].agentsStoppedAtMs).toBe(undefined)
        const answers = yield* concurrently(times(6, () => dispute(buyer.sessionId, "closed", "won")))
        expect(countEach(answers)).toEqual({ recorded: 1, repeated: 5 })
        expect((yield* booked(buyer)).at(-1)).toBe("adjustment_reversed 2200")
        expect(yield* balanceOf(buyer)).toEqual([2_200, 0, 0])
        yield* expectConsistentBooks
      })
  )

  it.effect(
    "what is held for an approval stays held; approving it is refused while something is owed, and says why",
    () =>
      Effect.gen(function* () {
        const topUpOf = yield* opened
        yield* deliver(yield* payUnnoticed(topUpOf.sessionId))
        const agent = yield* issueKey(topUpOf.accountId, { limits: { approveAboveCents: 0 } })
        const { siteId } = yield* listSite({ shelf: "Corail" })
        const waiting = yield* order(agent, [item(siteId)])
        expect(waiting.status).toBe("awaiting_approval")
        yield* refund(topUpOf.sessionId, CENTS)
        expect(yield* balanceOf({ agent })).toEqual([0, 1_500, 1_500])
        const quoteId = waiting.quote_id ?? expect.fail()
        const { approve } = yield* DecideApproval
        expect(yield* Effect.flip(approve(quoteId, { operator: by }))).toMatchObject({
          _tag: "SpendPolicyRefused",
          rule: "credit_owed",
          owedCents: 1_500
        })
        yield* topUp(topUpOf.accountId, 1_500)
        expect((yield* approve(quoteId, { operator: by })).status).toBe("paid")
        expect(yield* balanceOf({ agent })).toEqual([0, 0, 0])
        yield* expectConsistentBooks
      })
  )

  it.effect("refund, dispute, re-credits and top-ups at once on every instance: no cent is taken or given twice", () =>
    Effect.gen(function* () {
      const { account } = yield* StripeStandIn
      const buyer = yield* spent
      const [placed] = ordersOf(yield* (yield* RunningService).books, buyer.agent)
      const links = yield* FulfilLinks
      yield* concurrently([
        refund(buyer.sessionId, 900),
        refund(buyer.sessionId, CENTS),
        dispute(buyer.sessionId, "created", "needs_response"),
        dispute(buyer.sessionId, "closed", "lost"),
        topUp(buyer.accountId, 100),
        Effect.orDie(links.cancelOrder(placed?.orderId ?? expect.fail(), "the buyer asked", by)),
        topUp(buyer.accountId, 200)
      ])
      // 10.00 were free, 15.00 came back, and 3.00 were added; 25.00 went to the payer.
      expect(yield* balanceOf(buyer)).toEqual([300, 0, 0])
      yield* expectConsistentBooks
      const unknown = { ...account.charge(`ch_${buyer.sessionId}`), metadata: { quote_id: "top_unknown" } }
      expect(refusalIn(yield* deliver(account.event("charge.refunded", unknown))).code).toBe("top_up_not_found")
    })
  )

  it.effect(
    "paid after its account was closed, which ended its payment page: set aside, told once, and no credit",
    () =>
      Effect.gen(function* () {
        const { account } = yield* StripeStandIn
        const topUpOf = yield* opened
        yield* (yield* CloseAccount).close({ accountId: topUpOf.accountId, reason: "moved away" }, by)
        expect(account.retrieve(topUpOf.sessionId)).toMatchObject({ status: "expired" })
        const paid = account.pay(topUpOf.sessionId, { late: true })
        const answers = yield* concurrently(times(4, () => Effect.map(deliver(paid), outcomeOf)))
        expect(countEach(answers)).toEqual({ set_aside: 1, repeated: 3 })
        expect(yield* booked(topUpOf)).toEqual([])
        expect(yield* refund(topUpOf.sessionId, CENTS)).toBe("recorded")
        expect(yield* booked(topUpOf)).toEqual([])
        yield* expectConsistentBooks
      })
  )

  it.effect("paid while its account is closed: set aside by the closing, before any notice, and no credit", () =>
    Effect.gen(function* () {
      const topUpOf = yield* opened
      const paid = yield* payUnnoticed(topUpOf.sessionId)
      const close = (yield* CloseAccount).close({ accountId: topUpOf.accountId, reason: "moved away" }, by)
      const told = times(4, () => Effect.map(deliver(paid), outcomeOf))
      yield* close
      expect(countEach(yield* concurrently(told))).toEqual({ repeated: 4 })
      expect(yield* booked(topUpOf)).toEqual([])
      yield* expectConsistentBooks
    })
  )
})
