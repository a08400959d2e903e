// Everything that can end a wait for approval at once: one end, and the money is right.
import { Effect } from "effect"
import { expect } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { QuoteEventType } from "#core/domain/webhooks/Event.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { inOrder, known, quotesOf } from "../core/BookReads.ts"
import { creditOf, operator, postForm, statusOf, waiting } from "./ApprovalSteps.ts"
import { buyer, by, cart, freshKey, insertion, issueKey, item } from "./Buyers.ts"
import { definePromo, listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, placedBy, postOrder, QUOTES } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

export const approvalRacesSuite = scenarios("races for approval", {}, (it) => {
  it.effect("20 equal carts at once under different idempotency keys: one is placed, the others wait", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 50_000, limits: { holdLookAlikes: true } })
      const answers = yield* concurrently(times(20, () => postOrder(who.key, cart([item(siteId)]), freshKey())))
      const statuses = answers.map((answer) => placedBy(answer).status)
      expect(statuses.filter((status) => status === "paid")).toHaveLength(1)
      expect(statuses.filter((status) => status === "awaiting_approval")).toHaveLength(19)
    })
  )

  /** Events of the quote, in their order. */
  const told = (books: Books, quoteId: QuoteId) =>
    inOrder(books.events, (event) => event.quoteId === quoteId).map(({ type }) => type)

  /** How often the quote was approved, declined and abandoned, by the audit. */
  const decisions = (books: Books, quoteId: QuoteId) =>
    inOrder(books.audit, ({ subject }) => subject === quoteId)
      .map(({ action }) => action)
      .filter((action) => ["quote.approve", "quote.decline", "quote.abandon"].includes(action))

  const endOf = ({ status, abandonedBy }: Quote): ReadonlyArray<string> => {
    if (status === "paid") return ["quote.paid"]
    return abandonedBy === "expiry" ? ["quote.expired"] : ["quote.abandoned"]
  }

  /** An order that reserves an article and the only use of a code. */
  const reserving = Effect.gen(function* () {
    const { siteId } = yield* listSite()
    const article = yield* listArticle(siteId)
    const { code: promo_code } = yield* definePromo({ maxRedemptions: 1 })
    return { articleId: article.articleId, code: promo_code, order: cart([insertion(article)], { promo_code }) }
  })

  /** What became of the article, and of the use of the code. */
  const reservations = (books: Books, { articleId, code }: { readonly articleId: number; readonly code: string }) => {
    const { redeemed, reservations: reserved } = known(books.promos, code)
    return [known(books.articles, articleId).sale.state, redeemed, reserved.length]
  }

  const RESERVATIONS = {
    paid: ["sold", 1, 0],
    awaiting_payment: ["reserved", 0, 1],
    abandoned: ["free", 0, 0]
  } as const

  /** The key of every second account is revoked in the race. */
  const isRevoked = (nth: number): boolean => nth % 2 === 0

  it.effect(
    "approval, decline, expiry, abandonment and revocation at once, on every instance: one end, one event, and the money is right",
    () =>
      Effect.gen(function* () {
        const { books, port } = yield* RunningService
        const { advance } = yield* MovableClock
        const { all: instances } = yield* ServiceInstances
        const approvals = yield* DecideApproval
        const keys = yield* Credentials
        const { sweepRevoked } = yield* SweepQuotes
        const all = yield* instances
        const sweepers = all.map(({ sweep }) => Effect.exit(sweep()))
        const urlOf = (nth: number): string => all[nth % all.length]?.url ?? ""
        for (const creditCents of [5_000, 100]) {
          const waits = yield* Effect.forEach(
            times(6, () => 0),
            () =>
              Effect.gen(function* () {
                const reserved = yield* reserving
                const told = { events: QuoteEventType.literals, port }
                return { ...(yield* waiting({ creditCents }, told, reserved.order)), reserved }
              })
          )
          yield* advance("23 hours")
          yield* concurrently([
            ...waits.flatMap(({ who, owner, quoteId, form, repeat }, nth) => [
              Effect.exit(postForm(owner, `${urlOf(nth)}/account/approvals/${quoteId}/approve`, form)),
              Effect.exit(postForm(owner, `${urlOf(nth + 1)}/account/approvals/${quoteId}/decline`, { reason: "no" })),
              Effect.exit(call("POST", `${urlOf(nth + 2)}${QUOTES}/${quoteId}/abandon`, { key: who.key })),
              isRevoked(nth)
                ? Effect.exit(Effect.andThen(keys.revoke(who.keyId, by), sweepRevoked(who.accountId)))
                : Effect.void,
              Effect.exit(approvals.approve(quoteId, operator)),
              Effect.exit(approvals.decline(quoteId, operator, "")),
              Effect.exit(repeat)
            ]),
            // Time runs out while the others are under way.
            Effect.andThen(call("GET", "/healthz"), advance("61 minutes")),
            ...sweepers
          ])
          yield* Effect.all(sweepers)
          const after = yield* books
          for (const [nth, { who, quoteId, quote, reserved }] of waits.entries()) {
            const [only, ...others] = quotesOf(after, who)
            if (only === undefined) throw new Error("the quote is not there")
            expect([only.quoteId, others]).toEqual([quoteId, []])
            if (only.status === "awaiting_approval") throw new Error("the quote still waits for approval")
            expect(reservations(after, reserved)).toEqual(RESERVATIONS[only.status])
            // The webhooks of a key end with it, so that there may be none to be told of the end.
            const [first, ...ends] = told(after, quoteId)
            expect(first).toBe("quote.approval_requested")
            expect(isRevoked(nth) && ends.length === 0 ? [] : endOf(only)).toEqual(ends)
            // What is approved and still has to be paid can be abandoned afterwards.
            const decided = decisions(after, quoteId)
            if (decided.length > 1) expect(decided.toSorted()).toEqual(["quote.abandon", "quote.approve"])
            const reader = yield* issueKey(who.accountId)
            const { held_cents, available_cents } = yield* creditOf(reader)
            const used = quote.credit_applied_cents
            const spent = only.status === "paid" ? used : 0
            expect(held_cents).toBe(only.status === "awaiting_payment" ? used : 0)
            expect(available_cents).toBe(creditCents - spent - held_cents)
          }
        }
      })
  )

  it.effect("approval races expiry: an order, or everything back", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const approvals = yield* DecideApproval
      const { all: instances } = yield* ServiceInstances
      const sweepers = (yield* instances).map(({ sweep }) => sweep())
      const all = yield* Effect.forEach(
        times(5, () => 0),
        () => waiting()
      )
      yield* concurrently([
        advance("24 hours"),
        ...all.map(({ quoteId }) => Effect.exit(approvals.approve(quoteId, operator))),
        ...sweepers
      ])
      yield* Effect.all(sweepers)
      for (const { who, quoteId, quote } of all) {
        const { status } = yield* statusOf(who, quoteId)
        expect(["paid", "abandoned"]).toContain(status)
        const { available_cents, held_cents } = yield* creditOf(who)
        expect([available_cents, held_cents]).toEqual([5_000 - (status === "paid" ? quote.credit_applied_cents : 0), 0])
      }
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
