// An agent cancels those links of its order that can be cancelled, and is told why the others stay: beside the operator, beside itself, and
// after an answer was lost.
import { Effect } from "effect"
import { expect } from "vitest"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { known } from "../core/BookReads.ts"
import { creditOf } from "./ApprovalSteps.ts"
import { buyer, by } from "./Buyers.ts"
import { cancelledIn, cancelOnly, ordered, orderOf, ROUNDS, recredits } from "./CancelSteps.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { OrderBookFaults } from "./FaultyOrderBook.ts"
import { refusalIn } from "./HttpCalls.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

export const cancelOnlySuite = scenarios("cancellations of what can be", {}, (it) => {
  it.effect("with `only`, those that can be, and for each other one its reason and who can; sent again, the same", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { assign, advance, publish, cancelLink } = yield* FulfilLinks
      const who = yield* buyer({ creditCents: 20_000 })
      const { orderId, items, linkIds } = yield* ordered(who, 5)
      const idAt = (nth: number) => LinkId.make(linkIds[nth] ?? "")
      const [first, second, third, fourth, fifth] = [idAt(0), idAt(1), idAt(2), idAt(3), idAt(4)]
      yield* assign(first, by)
      yield* advance(second, "in_review", by)
      yield* publish(third, `https://${items[2]?.domain}/post`, by)
      yield* cancelLink(fourth, "not wanted", by)
      const kept = [
        { link_id: first, status: "assigned", reason: "Work on it has begun: it is assigned.", who_can: "operator" },
        { link_id: second, status: "in_review", reason: "Work on it has begun: it is in review.", who_can: "operator" },
        { link_id: third, status: "published", reason: "It is online.", who_can: "operator" }
      ]
      const answer = cancelledIn(yield* cancelOnly(who, orderId))
      expect(answer).toMatchObject({ order_id: orderId, order_status: "in_progress", cancelled: [fourth, fifth], kept })
      const after = yield* books
      expect(recredits(after, who.accountId, orderId).map(({ linkId }) => linkId)).toEqual([fourth, fifth])
      expect(cancelledIn(yield* cancelOnly(who, orderId))).toEqual(answer)
      // None of them can be: nothing is wrong with asking.
      expect(cancelledIn(yield* cancelOnly(who, orderId, [third, first]))).toMatchObject({
        cancelled: [],
        kept: [kept[2], kept[0]]
      })
      expect(yield* books).toBe(after)
      expect(refusalIn(yield* cancelOnly(who, orderId, ["lnk_other"]))).toMatchObject({
        code: "validation_failed",
        param: "link_ids[0]"
      })
      yield* expectConsistentBooks
    })
  )

  it.effect("whose answer is lost after the commit are told by the next one, and credited once", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { injectFaults } = yield* OrderBookFaults
      const { assign } = yield* FulfilLinks
      const who = yield* buyer({ creditCents: 20_000 })
      for (const fate of ["is refused", "loses its answer", "breaks"] as const) {
        const { orderId, linkIds } = yield* ordered(who, 3)
        yield* assign(LinkId.make(linkIds[0] ?? ""), by)
        yield* injectFaults(fate)
        expect((yield* cancelOnly(who, orderId)).status).toBeGreaterThanOrEqual(500)
        const written = fate === "loses its answer" ? 2 : 0
        expect(recredits(yield* books, who.accountId, orderId)).toHaveLength(written)
        const answer = cancelledIn(yield* cancelOnly(who, orderId))
        expect([answer.cancelled, answer.kept.map(({ link_id }) => link_id)]).toEqual([linkIds.slice(1), [linkIds[0]]])
        expect(recredits(yield* books, who.accountId, orderId)).toHaveLength(2)
        expect(answer.items).toEqual((yield* orderOf(who, orderId)).items)
      }
      yield* expectConsistentBooks
    })
  )

  it.effect(
    `${ROUNDS} orders are cancelled with \`only\` twice on every instance while the operator assigns some links: each is credited once or kept`,
    () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { assign } = yield* FulfilLinks
        const instances = yield* (yield* ServiceInstances).all
        const who = yield* buyer({ creditCents: 500_000 })
        const all = yield* Effect.forEach(
          times(ROUNDS, () => 0),
          () => ordered(who, 3)
        )
        const spent = (yield* creditOf(who)).available_cents
        const answers = yield* concurrently(
          all.flatMap(({ orderId, linkIds }, nth) => {
            const work = linkIds
              .slice(0, 2)
              .map((linkId) => Effect.as(Effect.exit(assign(LinkId.make(linkId), by)), null))
            const cancels = instances.flatMap(({ url }) =>
              times(2, () => Effect.map(cancelOnly(who, orderId, undefined, url), cancelledIn))
            )
            return nth % 2 === 0 ? [...work, ...cancels] : [...cancels, ...work]
          })
        )
        const after = yield* books
        let credited = 0
        for (const { orderId, items } of all) {
          const cancelled = items.filter(({ link_id }) => known(after.links, link_id).status === "cancelled")
          const kept = items.filter(({ link_id }) => known(after.links, link_id).status !== "cancelled")
          const ids = cancelled.map(({ link_id }) => link_id)
          expect(
            recredits(after, who.accountId, orderId)
              .map(({ linkId }) => linkId)
              .toSorted()
          ).toEqual(ids.toSorted())
          credited += cancelled.reduce((cents, { net_price_eur }) => cents + Math.round(net_price_eur * 100), 0)
          const told = answers.filter((answer) => answer?.order_id === orderId)
          expect(told).toHaveLength(2 * instances.length)
          for (const answer of told)
            expect([answer?.cancelled, answer?.kept.map(({ link_id, status }) => [link_id, status])]).toEqual([
              ids,
              kept.map(({ link_id }) => [link_id, "assigned"])
            ])
          // The state does not change any more, and so the answer does not.
          const again = cancelledIn(yield* cancelOnly(who, orderId))
          expect(again.items).toEqual((yield* orderOf(who, orderId)).items)
        }
        expect((yield* creditOf(who)).available_cents).toBe(spent + credited)
        yield* expectConsistentBooks
      })
  )
})
