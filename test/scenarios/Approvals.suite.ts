// Orders that wait for their human: what makes them wait, and each way in which they end.
import { Duration, Effect, Exit } from "effect"
import { expect } from "vitest"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { creditOf, operator, statusOf, waiting } from "./ApprovalSteps.ts"
import { type Buyer, buyer, by, cart, freshKey, insertion, issueKey, item, order } from "./Buyers.ts"
import { definePromo, listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, isReplay, ME, placedBy, postOrder, press, refusalIn, SANDBOX } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { scenarios } from "./ScenarioSuite.ts"

export const approvalsSuite = scenarios("approvals", { WELCOME_OFFER_PERCENT: "20" }, (it) => {
  it.effect("an order above the threshold waits, holds what it needs, and says where its human approves", () =>
    Effect.gen(function* () {
      const { who, quote, quoteId, answer, repeat } = yield* waiting()
      expect(quote).toMatchObject({ status: "awaiting_approval", payment_url: null, card_amount_cents: 0 })
      expect(quote.order_id).toBeUndefined()
      expect(quote.approval_url).toMatch(new RegExp(`/account/approvals/${quoteId}$`))
      expect(quote.next_action).toMatchObject({
        type: "open_approval_url",
        url: quote.approval_url,
        poll_after_seconds: 30,
        expires_at: quote.expires_at
      })
      expect(quote.next_action.tell_user).toContain(quote.approval_url)
      const shown = yield* statusOf(who, quoteId)
      expect(shown).toMatchObject({ status: "awaiting_approval", paid: false, approval_url: quote.approval_url })
      const { open_quotes, held_cents, holds, orders_today } = yield* creditOf(who)
      expect(holds).toMatchObject([{ quote_id: quoteId, cents: quote.credit_applied_cents }])
      expect(open_quotes).toMatchObject([{ quote_id: quoteId, status: "awaiting_approval" }])
      expect([held_cents, orders_today.used]).toEqual([quote.credit_applied_cents, 1])
      const again = yield* repeat
      expect([isReplay(again), again.text]).toEqual([true, answer.text])
    })
  )

  it.effect("the threshold is exact to the cent, a dry run tells the outcome, and GET /me the limits", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 5_000, limits: { approveAboveCents: 800, holdLookAlikes: true } })
      const two = [item(siteId), item(siteId)] // 8.00 with the welcome offer
      const dry = yield* order(who, two, { dry_run: true })
      expect([dry.total_eur, dry.outcome, dry.quote_id]).toEqual([8, "paid", null])
      yield* (yield* Credentials).limit(who.keyId, { approveAboveCents: 799 }, by)
      const above = yield* order(who, two, { dry_run: true })
      expect([above.outcome, above.approval_url, above.status]).toEqual(["awaiting_approval", undefined, "dry_run"])
      expect((yield* creditOf(who)).held_cents).toBe(0)
      expect((yield* call("GET", ME, { key: who.key })).text).toContain(
        '"approve_above_cents":799,"hold_look_alikes":true'
      )
      expect((yield* order(who, two)).status).toBe("awaiting_approval")
    })
  )

  it.effect("approved, credit makes the order, and its idempotency key replays that from then on", () =>
    Effect.gen(function* () {
      const { who, quoteId, repeat } = yield* waiting()
      const approvals = yield* DecideApproval
      const approved = yield* approvals.approve(quoteId, operator)
      expect([approved.status, approved.approvedBy]).toEqual(["paid", by])
      const frozen = yield* repeat
      expect([isReplay(frozen), placedBy(frozen).status]).toEqual([true, "paid"])
      expect(placedBy(frozen).order_id).toBe(approved.orderId)
      expect((yield* repeat).text).toBe(frozen.text)
      expect(yield* statusOf(who, quoteId)).toMatchObject({ status: "paid", paid: true, order_id: approved.orderId })
      expect(yield* Effect.exit(approvals.decline(quoteId, operator, ""))).toSatisfy(Exit.isFailure)
    })
  )

  it.effect("price, promotion and limits change while it waits: its price holds, and it is approved at that", () =>
    Effect.gen(function* () {
      const keys = yield* Credentials
      const site = yield* listSite()
      const promo = yield* definePromo({ maxRedemptions: 1, reduction: { kind: "percent", basisPoints: 5_000 } })
      const who = yield* buyer({ creditCents: 5_000, limits: { approveAboveCents: 0 } })
      const body = cart([item(site.siteId)], { promo_code: promo.code })
      const idempotencyKey = freshKey()
      const quote = placedBy(yield* postOrder(who.key, body, idempotencyKey))
      expect(quote).toMatchObject({ status: "awaiting_approval", total_eur: 2.5, discount: { source: "promo" } })
      yield* listSite({ ...site, shelf: "Nautilus", open: false })
      yield* definePromo({ ...promo, reduction: { kind: "percent", basisPoints: 100 }, endsAtMs: 1 })
      yield* keys.limit(who.keyId, { maxOrderCents: 1, maxDayCents: 1, allowedDomains: ["elsewhere.example"] }, by)
      const again = placedBy(yield* postOrder(who.key, body, idempotencyKey))
      expect(again).toMatchObject({ quote_id: quote.quote_id, status: "awaiting_approval", total_eur: 2.5 })
      const approved = yield* (yield* DecideApproval).approve(quote.quote_id ?? QuoteId.make(""), operator)
      expect([approved.status, approved.totalCents, approved.discount.source]).toEqual(["paid", 250, "promo"])
      expect((yield* creditOf(who)).available_cents).toBe(4_750)
      const other = yield* issueKey(who.accountId)
      const refused = refusalIn(
        yield* postOrder(other.key, cart([item((yield* listSite()).siteId)], { promo_code: promo.code }))
      )
      expect(refused.code).toBe("promo_code_invalid")
    })
  )

  it.effect("approved with a card part, it is paid at its link, with its whole life before it", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { who, quote, quoteId, repeat } = yield* waiting({ creditCents: 100 })
      expect(quote.card_amount_cents).toBeGreaterThan(0)
      yield* advance("20 hours")
      yield* (yield* DecideApproval).approve(quoteId, operator)
      const open = yield* statusOf(who, quoteId)
      expect(open).toMatchObject({ status: "awaiting_payment", paid: false })
      expect(open.approval_url).toBeUndefined()
      expect(Date.parse(open.expires_at) - Date.parse(quote.expires_at ?? "")).toBeGreaterThan(19 * 3_600_000)
      expect((yield* creditOf(who)).holds).toMatchObject([{ quote_id: quoteId, expires_at: open.expires_at }])
      const frozen = yield* repeat
      expect(placedBy(frozen)).toMatchObject({ status: "awaiting_payment", payment_url: open.payment_url })
      yield* advance("20 hours")
      yield* press("pay", open.payment_url ?? "")
      expect(yield* statusOf(who, quoteId)).toMatchObject({ status: "paid" })
      expect((yield* repeat).text).toBe(frozen.text)
    })
  )

  const ends = {
    declined: (_: Buyer, quoteId: QuoteId) =>
      Effect.flatMap(DecideApproval, ({ decline }) => decline(quoteId, operator, "Too dear; ask me next month.")),
    "declined without a word": (_: Buyer, quoteId: QuoteId) =>
      Effect.flatMap(DecideApproval, ({ decline }) => decline(quoteId, operator, "")),
    "abandoned by its agent": ({ api }: Buyer, quoteId: QuoteId) =>
      api.quotes.abandonQuote({ params: { id: quoteId } }),
    expired: () => Effect.flatMap(MovableClock, ({ advance }) => advance("25 hours")),
    "revoked with its key": ({ keyId }: Buyer) =>
      Effect.gen(function* () {
        yield* (yield* Credentials).revoke(keyId, by)
        yield* (yield* SweepQuotes).sweep()
      })
  }

  for (const [name, end] of Object.entries(ends)) {
    it.effect(`${name}, everything comes back once, and the article and the welcome offer are free again`, () =>
      Effect.gen(function* () {
        const { siteId } = yield* listSite()
        const article = yield* listArticle(siteId)
        const who = yield* buyer({ creditCents: 5_000, limits: { approveAboveCents: 0 } })
        const other = yield* issueKey(who.accountId)
        const body = cart([insertion(article)])
        const key = freshKey()
        const { quote_id } = placedBy(yield* postOrder(who.key, body, key))
        const quoteId = quote_id ?? QuoteId.make("")
        expect((yield* postOrder(other.key, body)).status).toBe(409)
        yield* end(who, quoteId)
        const after = yield* statusOf(other, quoteId)
        expect(after).toMatchObject({ status: "abandoned", paid: false, payment_url: null })
        expect(after.declined_reason).toBe(
          { declined: "Too dear; ask me next month.", "declined without a word": null }[name]
        )
        expect(yield* creditOf(other)).toMatchObject({ available_cents: 5_000, held_cents: 0, open_quotes: [] })
        expect(yield* Effect.exit((yield* DecideApproval).approve(quoteId, operator))).toSatisfy(Exit.isFailure)
        if (!name.startsWith("revoked")) {
          const frozen = yield* postOrder(who.key, body, key)
          expect([isReplay(frozen), placedBy(frozen).status]).toEqual([true, "abandoned"])
          expect((yield* postOrder(who.key, body, key)).text).toBe(frozen.text)
        }
        const bought = placedBy(yield* postOrder(other.key, body))
        expect([bought.status, bought.discount.source]).toEqual(["paid", "welcome"])
      })
    )
  }

  it.effect("the same cart again waits where look-alikes are held, under any key of the account", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const plain = yield* buyer({ creditCents: 5_000 })
      const careful = yield* issueKey(plain.accountId, { limits: { holdLookAlikes: true } })
      const body = cart([item(siteId)])
      const first = placedBy(yield* postOrder(plain.key, body, freshKey()))
      expect(first.status).toBe("paid")
      const second = placedBy(yield* postOrder(careful.key, body, freshKey()))
      expect(second.status).toBe("awaiting_approval")
      expect(second.warnings.map(({ code }) => code)).toEqual(["similar_recent_order", "site_already_links"])
      expect(second.warnings[0]?.message).toContain(first.quote_id)
      expect(placedBy(yield* postOrder(plain.key, body, freshKey())).status).toBe("paid")
      expect(placedBy(yield* postOrder(careful.key, cart([item(siteId, { anchor_text: "other" })]))).status).toBe(
        "paid"
      )
      const stranger = yield* buyer({ creditCents: 5_000, limits: { holdLookAlikes: true } })
      expect(placedBy(yield* postOrder(stranger.key, body, freshKey())).status).toBe("paid")
      yield* (yield* MovableClock).advance(Duration.minutes(11))
      expect(placedBy(yield* postOrder(careful.key, body, freshKey())).status).toBe("paid")
    })
  )

  it.effect("the sandbox plays it all and holds nothing", () =>
    Effect.gen(function* () {
      const { who, quoteId, body } = yield* waiting({ mode: "sandbox" })
      expect((yield* creditOf(who)).held_cents).toBe(0)
      const pay = yield* call("POST", `${SANDBOX}/quotes/${quoteId}/pay`, { key: who.key })
      expect([pay.status, pay.text.includes("quote_not_open")]).toEqual([409, true])
      yield* call("POST", `${SANDBOX}/quotes/${quoteId}/approve`, { key: who.key })
      expect((yield* statusOf(who, quoteId)).status).toBe("paid")
      const dear = placedBy(yield* postOrder(who.key, { ...body, sandbox_credit_cents: 0 }))
      yield* call("POST", `${SANDBOX}/quotes/${dear.quote_id}/approve`, { key: who.key })
      const open = yield* statusOf(who, dear.quote_id ?? QuoteId.make(""))
      expect(open.status).toBe("awaiting_payment")
      yield* press("pay", open.payment_url ?? "")
      expect((yield* statusOf(who, dear.quote_id ?? QuoteId.make(""))).status).toBe("paid")
      const third = placedBy(yield* postOrder(who.key, body))
      const declined = yield* call("POST", `${SANDBOX}/quotes/${third.quote_id}/decline`, {
        key: who.key,
        body: { reason: "No." }
      })
      expect(JSON.parse(declined.text)).toMatchObject({ status: "abandoned", declined_reason: "No." })
      const silent = placedBy(yield* postOrder(who.key, body))
      const withoutBody = yield* call("POST", `${SANDBOX}/quotes/${silent.quote_id}/decline`, { key: who.key })
      expect(JSON.parse(withoutBody.text)).toMatchObject({ status: "abandoned", declined_reason: null })
      const long = { key: who.key, body: { reason: "x".repeat(201) } }
      expect((yield* call("POST", `${SANDBOX}/quotes/${third.quote_id}/decline`, long)).status).toBe(422)
      expect((yield* creditOf(who)).available_cents).toBe(5_000)
    })
  )

  it.effect("a live key has no sandbox controls, so that no agent approves its own order", () =>
    Effect.gen(function* () {
      const { who, quoteId } = yield* waiting()
      for (const verb of ["approve", "decline"]) {
        expect((yield* call("POST", `${SANDBOX}/quotes/${quoteId}/${verb}`, { key: who.key, body: {} })).status).toBe(
          404
        )
      }
      expect((yield* statusOf(who, quoteId)).status).toBe("awaiting_approval")
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
