// An account that owes something while credit is free: no order is paid from that credit, by whichever way it comes; by card alone they go on.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { type Decide, Draft } from "#core/decisions/Draft.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { post, resultIn, toolCall } from "#test/adapters/mcp/Post.ts"
import { hiddenIn, order as orderCart, orderForm, put } from "#test/adapters/web/CartSteps.ts"
import { signIn } from "#test/adapters/web/Visitors.ts"
import { movements } from "../core/BookReads.ts"
import { buyer, cart, freshKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { placedBy, postOrder, refusalIn } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

/**
 * What no call of the service leaves behind, because what is free pays what is owed at once. The rule holds all the same, for books that an
 * upgrade or a hand has made.
 */
const owe = Effect.fnUntraced(function* (accountId: AccountId, owedCents: number) {
  const decide: Decide<void, never> = (books, context) => {
    const draft = new Draft(books, context)
    draft.record({ _tag: "OwedChanged", accountId, owedCents })
    return Result.succeed(draft.decided(undefined))
  }
  yield* (yield* OrderBook).transact({ _tag: "ForAccount", accountId }, decide)
})

export const owedOrdersSuite = scenarios("credit of an account that owes", {}, (it) => {
  for (const { what, creditCents } of [
    { what: "wholly", creditCents: 2_000 },
    { what: "in part", creditCents: 300 }
  ])
    it.effect(`pays no order ${what}, by REST, by a tool or in the Shop`, () =>
      Effect.gen(function* () {
        const { url, books } = yield* RunningService
        const who = yield* buyer({ creditCents })
        const { siteId } = yield* listSite()
        yield* owe(who.accountId, 1_500)
        const before = movements(yield* books, who.accountId)
        const body = cart([item(siteId)])
        for (const sent of [body, { ...body, dry_run: true }]) {
          const refused = refusalIn(yield* postOrder(who.key, sent, freshKey()))
          expect(refused).toMatchObject({ status: 403, code: "spend_policy_refused" })
          expect(refused.details).toMatchObject({ rule: "credit_owed", owed_cents: 1_500 })
        }
        const called = resultIn(
          yield* post(`${url}/mcp`, toolCall("2025", "create_order", { ...body, idempotency_key: freshKey() }), {
            authorization: `Bearer ${who.key}`
          })
        )
        expect(called).toMatchObject({
          isError: true,
          body: { error: { code: "spend_policy_refused", details: { rule: "credit_owed" } } }
        })
        const [owner] = yield* (yield* Members).ofAccount(who.accountId)
        const token = yield* signIn(owner?.email ?? "")
        yield* put(token, siteId)
        const { text, form } = yield* orderForm(token)
        expect(text).toContain("no order is paid from your credit")
        const total = form.total === "" ? hiddenIn(text, "total") : form.total
        const answer = yield* orderCart(token, { ...form, total: total === "" ? "500" : total })
        expect(answer.status).not.toBe(303)
        expect(answer.text).toContain("no order is paid from your credit")
        expect(movements(yield* books, who.accountId)).toEqual(before)
        expect([...(yield* books).quotes].filter(([, { accountId }]) => accountId === who.accountId)).toEqual([])
      })
    )

  it.effect("lets orders by card alone go on, and is good again once nothing is owed", () =>
    Effect.gen(function* () {
      const poor = yield* buyer()
      const { siteId } = yield* listSite()
      yield* owe(poor.accountId, 1_500)
      expect(placedBy(yield* postOrder(poor.key, cart([item(siteId)]))).card_amount_cents).toBe(500)
      const rich = yield* buyer({ creditCents: 2_000 })
      yield* owe(rich.accountId, 1_500)
      expect(refusalIn(yield* postOrder(rich.key, cart([item(siteId)]))).status).toBe(403)
      yield* owe(rich.accountId, 0)
      expect(placedBy(yield* postOrder(rich.key, cart([item(siteId)]))).order_status).toBe("paid")
    })
  )
})
