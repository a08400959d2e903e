// An agent cancels links of its order: all that it asks for or none, while no work has begun, and never what another credential or a human
// has decided.
import { Effect } from "effect"
import { expect } from "vitest"
import { LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderEventType } from "#core/domain/webhooks/Event.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, eventsOf, known } from "../core/BookReads.ts"
import { creditOf, operator } from "./ApprovalSteps.ts"
import { buyer, by, cart, insertion, issueKey, item } from "./Buyers.ts"
import { cancel, cancelledIn, cancelOnly, cancelPath, ordered, orderOf, ROUNDS, recredits } from "./CancelSteps.ts"
import { listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, placedBy, postOrder, press, refusalIn } from "./HttpCalls.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

export const cancellationsSuite = scenarios("cancellations by agents", {}, (it) => {
  it.effect("one link, then the rest: each net price comes back, and the order is cancelled once all are", () =>
    Effect.gen(function* () {
      const { books, port } = yield* RunningService
      const site = yield* listSite({ shelf: "Corail" })
      const article = yield* listArticle(site.siteId)
      const who = yield* buyer({ creditCents: 10_000 })
      const { literals: events } = OrderEventType
      yield* who.api.webhooks.createWebhook({ payload: { url: `http://127.0.0.1:${port}/healthz`, events } })
      const placed = placedBy(
        yield* postOrder(who.key, cart([item(site.siteId), insertion(article), item(site.siteId)]))
      )
      const { order_id: orderId = OrderId.make("") } = placed
      const { items } = yield* orderOf(who, orderId)
      const first = items[1]?.link_id ?? LinkId.make("")
      const answer = yield* cancel(who, orderId, [first])
      expect(answer.status, answer.text).toBe(200)
      const after = JSON.parse(answer.text)
      expect(after.items.map(({ status }: { status: string }) => status)).toEqual([
        "to_assign",
        "cancelled",
        "to_assign"
      ])
      expect(after).toMatchObject({ ok: true, order_id: orderId, order_status: "paid" })
      expect(after.items[1].status_reason).toMatch(/agent/)
      expect(after.credited_cents).toBe(Math.round((items[1]?.net_price_eur ?? 0) * 100))
      expect(known((yield* books).articles, article.articleId).sale).toEqual({ state: "free" })
      // A body may be left out.
      expect(
        JSON.parse(
          (yield* cancel(who, orderId, [items[0]?.link_id ?? LinkId.make(""), items[2]?.link_id ?? LinkId.make("")]))
            .text
        )
      ).toMatchObject({
        order_status: "cancelled",
        credited_cents: Math.round(placed.total_eur * 100)
      })
      expect((yield* creditOf(who)).available_cents).toBe(10_000)
      const told = ["order.accepted", "order.updated", "order.cancelled", "order.updated"]
      expect(eventsOf(yield* books, orderId)).toEqual(told)
      yield* expectConsistentBooks
    })
  )

  it.effect("the whole order, with and without a body", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 10_000 })
      for (const body of [undefined, {}]) {
        const { orderId } = yield* ordered(who, 2)
        const answer = yield* call("POST", cancelPath(orderId), {
          key: who.key,
          ...(body === undefined ? {} : { body })
        })
        expect(JSON.parse(answer.text)).toMatchObject({ ok: true, order_status: "cancelled", published_count: 0 })
      }
      expect((yield* creditOf(who)).available_cents).toBe(10_000)
    })
  )

  it.effect("none of the links if one is assigned, cancelled, or not of the order", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { assign } = yield* FulfilLinks
      const who = yield* buyer({ creditCents: 20_000 })
      const { orderId, linkIds } = yield* ordered(who, 3)
      const [first = LinkId.make(""), second = "", third = ""] = linkIds
      yield* assign(first, by)
      const before = yield* books
      const refused = refusalIn(yield* cancel(who, orderId))
      expect(refused).toMatchObject({ code: "not_cancellable", status: 409, recovery: "human", retryable: false })
      expect(refused.details).toEqual({
        order_id: orderId,
        links: [{ link_id: first, status: "assigned" }],
        who_can: "operator"
      })
      expect(refused.suggestion).toMatch(/operator/)
      expect(refusalIn(yield* cancel(who, orderId, [second, first])).code).toBe("not_cancellable")
      const unknown = refusalIn(yield* cancel(who, orderId, [second, "lnk_other"]))
      expect(unknown).toMatchObject({ code: "validation_failed", status: 422, param: "link_ids[1]" })
      for (const linkIds of [[], [second, second], times(21, (n) => `lnk_${n}`)]) {
        expect(refusalIn(yield* cancel(who, orderId, linkIds))).toMatchObject({ code: "validation_failed" })
      }
      expect(yield* books).toBe(before)
      expect((yield* cancel(who, orderId, [second])).status).toBe(200)
      // What is cancelled already is cancelled, also by another.
      yield* (yield* FulfilLinks).cancelLink(LinkId.make(third), "not wanted", by)
      const done = yield* books
      expect(cancelledIn(yield* cancel(who, orderId, [second, third]))).toMatchObject({
        cancelled: [second, third],
        kept: []
      })
      expect(yield* books).toBe(done)
    })
  )

  it.effect("what another key placed, or a human placed, paid for or approved, is not the agent's to cancel", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const who = yield* buyer({ creditCents: 20_000 })
      const { orderId } = yield* ordered(who, 1)
      const sibling = yield* issueKey(who.accountId)
      const poor = yield* buyer({ creditCents: 100 })
      const { siteId } = yield* listSite({ shelf: "Corail" })
      const { quote_id: byCard = "", payment_url } = placedBy(yield* postOrder(poor.key, cart([item(siteId)])))
      yield* press("pay", payment_url ?? "")
      const asked = yield* issueKey(who.accountId, { limits: { approveAboveCents: 0 } })
      const { quote_id: byApproval = "" } = placedBy(yield* postOrder(asked.key, cart([item(siteId)])))
      yield* (yield* DecideApproval).approve(QuoteId.make(byApproval ?? QuoteId.make("")), operator)
      const orderOfQuote = (quoteId: string | null) =>
        Effect.map(books, ({ quotes }) => known(quotes, quoteId ?? QuoteId.make("")).orderId ?? OrderId.make(""))
      const cases = [
        [sibling, orderId, "another_credential"],
        [poor, yield* orderOfQuote(byCard), "human"],
        [asked, yield* orderOfQuote(byApproval), "human"]
      ] as const
      const before = yield* books
      for (const [caller, id, decided_by] of cases) {
        const refused = refusalIn(yield* cancel(caller, id))
        expect(refused).toMatchObject({ code: "not_cancellable", status: 409, details: { order_id: id, decided_by } })
        expect(refused.details).toMatchObject({ who_can: "owner" })
        expect(refused.suggestion).toMatch(/owner .*operator/)
        expect(refusalIn(yield* cancelOnly(caller, id))).toEqual(refused)
      }
      expect(yield* books).toBe(before)
    })
  )

  it.effect(
    `${ROUNDS} links are cancelled by their agent on every instance while the operator assigns them: credit or work`,
    () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { assign } = yield* FulfilLinks
        const instances = yield* (yield* ServiceInstances).all
        const who = yield* buyer({ creditCents: 100_000 })
        const all = yield* Effect.forEach(
          times(ROUNDS, () => 0),
          () => ordered(who, 1)
        )
        const spent = (yield* creditOf(who)).available_cents
        const ends = yield* concurrently(
          all.flatMap(({ orderId, linkIds: [linkId = LinkId.make("")] }, nth) => {
            const work = Effect.map(Effect.exit(assign(linkId, by)), ({ _tag }) => `assign ${_tag}`)
            const cancels = instances.map(({ url }) =>
              Effect.map(
                call("POST", `${url}${cancelPath(orderId)}`, { key: who.key }),
                ({ status }) => `cancel ${status}`
              )
            )
            return nth % 2 === 0 ? [work, ...cancels] : [...cancels, work]
          })
        )
        const after = yield* books
        const statuses = all.map(({ linkIds: [linkId = ""] }) => known(after.links, linkId).status)
        const cancelled = statuses.filter((status) => status === "cancelled").length
        expect(statuses.filter((status) => status === "assigned")).toHaveLength(ROUNDS - cancelled)
        const { "cancel 200": cancels = 0, "assign Success": assigns = 0 } = countEach(ends)
        // What is cancelled already is a success on every instance, and is credited once.
        expect([cancels, assigns]).toEqual([cancelled * instances.length, ROUNDS - cancelled])
        let credited = 0
        for (const [nth, { orderId, items }] of all.entries()) {
          const entries = recredits(after, who.accountId, orderId)
          expect(entries).toHaveLength(statuses[nth] === "cancelled" ? 1 : 0)
          if (entries.length > 0) credited += Math.round((items[0]?.net_price_eur ?? 0) * 100)
        }
        expect((yield* creditOf(who)).available_cents).toBe(spent + credited)
        yield* expectConsistentBooks
      })
  )
})
