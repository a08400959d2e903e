// Orders sent again after retention has freed their stored answers: the present state with a warning, and no second purchase.
import { Effect } from "effect"
import { expect } from "vitest"
import { defaultRetentionSpans } from "#core/domain/operations/Retention.ts"
import { FreeFinished } from "#core/usecases/operations/FreeFinished.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { bearer } from "#test/adapters/mcp/Clients.ts"
import { post, resultIn, toolCall } from "#test/adapters/mcp/Post.ts"
import { quotesOf } from "../core/BookReads.ts"
import { buyer, cart, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { isReplay, placedBy, postOrder, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const codesOf = (warnings: ReadonlyArray<{ readonly code: string }>) => warnings.map(({ code }) => code)

export const freedAnswersSuite = scenarios("a replay whose stored answer was freed", {}, (it) => {
  it.effect("shows the present state and says so, for an order under way only later", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { all } = yield* ServiceInstances
      const url = (yield* all).at(-1)?.url
      const { advance } = yield* MovableClock
      const { sweep } = yield* SweepQuotes
      const { pass } = yield* FreeFinished
      const who = yield* buyer()
      const rich = yield* buyer({ creditCents: 10_000 })
      const { siteId } = yield* listSite()
      const body = cart([item(siteId)])
      const first = yield* postOrder(who.key, body, "unpaid")
      expect(placedBy(first).status).toBe("awaiting_payment")
      const underWay = yield* postOrder(rich.key, body, "under-way")

      yield* advance("25 hours")
      yield* sweep()
      yield* advance("88 days")
      yield* pass(defaultRetentionSpans)
      expect((yield* postOrder(who.key, body, "unpaid")).text).toBe(first.text)
      yield* advance("3 days")
      expect((yield* pass(defaultRetentionSpans)).answers).toBe(1)

      const replay = yield* postOrder(who.key, body, "unpaid")
      expect([replay.status, isReplay(replay)]).toEqual([201, true])
      const now = placedBy(replay)
      expect(now).toMatchObject({ quote_id: placedBy(first).quote_id, status: "abandoned", payment_url: null })
      expect(now.next_action).toMatchObject({ type: "none" })
      expect(codesOf(now.warnings)).toEqual(["response_not_kept"])
      const tool = resultIn(
        yield* post(
          `${url}/mcp`,
          toolCall("2025", "create_order", { ...body, idempotency_key: "unpaid" }),
          bearer(who.key)
        )
      )
      expect(tool.body).toEqual(now)
      const other = yield* postOrder(who.key, cart([item(siteId), item(siteId)]), "unpaid")
      expect(refusalIn(other).code).toBe("idempotency_key_reused")

      expect((yield* postOrder(rich.key, body, "under-way")).text).toBe(underWay.text)
      expect(quotesOf(yield* books, who)).toHaveLength(1)
      expect(quotesOf(yield* books, rich)).toHaveLength(1)
      yield* expectConsistentBooks
    })
  )
})
