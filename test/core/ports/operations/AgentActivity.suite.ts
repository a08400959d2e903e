// What every store promises of what agents did: refusals add up by key, day and rule, and what a key spent, reserved and did last is that of
// its quotes.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import {
  agentReport,
  REFUSALS_KEPT_DAYS,
  type RefusedAttempts,
  weekStart
} from "#core/domain/operations/AgentActivity.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { AgentActivity } from "#core/ports/operations/AgentActivity.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { buyer, issueKeyTo, linksOn, listSite, order } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

const today = Effect.map(Clock.currentTimeMillis, utcDay)

const refusedOf = (keyId: KeyId, over: Partial<RefusedAttempts> = {}): RefusedAttempts => ({
  ...{ keyId, day: 20_000, rule: "max_order_cents", count: 1, lastAtMs: 1_000, lastTarget: "one.example" },
  ...{ lastCents: 900, ...over }
})

const recordsOf = Effect.fnUntraced(function* (keyId: KeyId, sinceDay: number) {
  const activity = yield* AgentActivity
  const [records] = yield* activity.of([keyId], sinceDay)
  if (records === undefined) throw new Error(`nothing of ${keyId}`)
  return records
})

const reportOf = Effect.fnUntraced(function* (keyId: KeyId) {
  const day = yield* today
  return agentReport(yield* recordsOf(keyId, weekStart(day)), day)
})

export const agentActivitySuite = (name: string, store: StoreLayer): void =>
  storeSuite(`What agents did in ${name}`, store, (it) => {
    it.effect(
      "refusals add up by key, day and rule, and the last attempt stays, in whatever order they are noted",
      () =>
        Effect.gen(function* () {
          const { noteRefused, of } = yield* AgentActivity
          const { key, account } = yield* buyer()
          const other = yield* issueKeyTo({ accountId: account.accountId })
          const { keyId } = key
          const late = refusedOf(keyId, { count: 2, lastAtMs: 3_000, lastTarget: "two.example", lastCents: null })
          const unknown = refusedOf(KeyId.make("key_unknown"))
          yield* noteRefused([refusedOf(keyId), unknown, refusedOf(other.keyId, { rule: "paused", lastTarget: null })])
          yield* noteRefused([late, refusedOf(keyId, { rule: "paused" })])
          yield* noteRefused([refusedOf(keyId, { count: 4, lastAtMs: 2_000 }), refusedOf(keyId, { day: 20_001 })])
          yield* noteRefused([])
          const { refused } = yield* recordsOf(keyId, 20_000)
          const inOrder = refused.toSorted((one, two) => one.day - two.day || (one.rule < two.rule ? -1 : 1))
          expect(inOrder).toEqual([
            { ...late, count: 7 },
            refusedOf(keyId, { rule: "paused" }),
            refusedOf(keyId, { day: 20_001 })
          ])
          expect((yield* recordsOf(keyId, 20_001)).refused).toEqual([refusedOf(keyId, { day: 20_001 })])
          expect((yield* recordsOf(other.keyId, 0)).refused).toMatchObject([{ rule: "paused", count: 1 }])
          expect((yield* of([keyId, other.keyId], 20_000)).map((one) => one.keyId).toSorted()).toEqual(
            [keyId, other.keyId].toSorted()
          )
          expect(yield* of([], 0)).toEqual([])
        })
    )

    it.effect("none is lost of those that are noted at once", () =>
      Effect.gen(function* () {
        const { noteRefused } = yield* AgentActivity
        const keys = yield* Effect.all(times(4, () => Effect.map(buyer(), ({ key }) => key.keyId)))
        const batch = [...keys, ...keys.toReversed()].flatMap((keyId, nth) =>
          nth < keys.length ? [refusedOf(keyId)] : [refusedOf(keyId, { rule: "paused" })]
        )
        yield* concurrently(times(20, (nth) => noteRefused(nth % 2 === 0 ? batch : batch.toReversed())))
        for (const keyId of keys) {
          const { refused } = yield* recordsOf(keyId, 0)
          expect(refused.map(({ count }) => count)).toEqual([20, 20])
        }
      })
    )

    it.effect("what is older than its time is pruned", () =>
      Effect.gen(function* () {
        const { noteRefused, prune } = yield* AgentActivity
        const { key } = yield* buyer()
        const day = yield* today
        const kept = refusedOf(key.keyId, { day: day - REFUSALS_KEPT_DAYS })
        yield* noteRefused([kept, refusedOf(key.keyId, { day: day - REFUSALS_KEPT_DAYS - 1 })])
        yield* prune
        expect((yield* recordsOf(key.keyId, 0)).refused).toEqual([kept])
      })
    )

    it.effect("an unused key did nothing", () =>
      Effect.gen(function* () {
        const { key } = yield* buyer()
        const nothing = { orders: 0, cents: 0 }
        expect(yield* reportOf(key.keyId)).toEqual({
          ...{ today: nothing, week: nothing, refusedToday: [], refusedInWeek: 0, reservedTodayCents: 0 },
          ...{ waiting: { approvals: 0, payments: 0, cents: 0 }, lastPurchase: null, lastRefused: null }
        })
      })
    )

    it.effect("spent is what became an order; what is open is reserved, what was given up is neither", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { key, account, caller } = yield* buyer(1_500)
        const asking = yield* issueKeyTo({
          accountId: account.accountId,
          limits: { ...noLimits, approveAboveCents: 0 }
        })
        const site = yield* listSite()
        const items = linksOn(site)
        const bought = yield* order(caller, { items })
        const { totalCents: cents } = bought.quote
        yield* order({ ...caller, keyId: asking.keyId }, { items })
        const dear = yield* order(caller, { items: linksOn(site, site, site, site) })
        const { quoteId } = dear.quote
        expect(yield* reportOf(key.keyId)).toMatchObject({
          ...{ today: { orders: 1, cents }, week: { orders: 1, cents }, reservedTodayCents: 4 * cents },
          waiting: { approvals: 0, payments: 1, cents: 4 * cents },
          lastPurchase: { quoteId, status: "awaiting_payment", totalCents: 4 * cents }
        })
        yield* book.transact({ _tag: "ForQuote", quoteId }, abandonQuote(quoteId, "human"))
        const after = yield* reportOf(key.keyId)
        expect(after).toMatchObject({ today: { orders: 1, cents }, reservedTodayCents: 0, waiting: { cents: 0 } })
        expect(after.lastPurchase).toMatchObject({
          ...{ quoteId, status: "abandoned", orderId: null },
          ...{ abandonedBy: "human", declinedReason: null, paymentPendingAtMs: null }
        })
        const again = yield* order(caller, { items })
        expect((yield* reportOf(key.keyId)).lastPurchase).toEqual({
          ...{ quoteId: again.quote.quoteId, status: "paid", atMs: again.quote.createdAtMs, totalCents: cents },
          targets: items.map(({ targetUrl }) => targetUrl),
          ...{ orderId: again.quote.orderId, abandonedBy: null, declinedReason: null, paymentPendingAtMs: null }
        })
        expect(yield* reportOf(asking.keyId)).toMatchObject({
          ...{ today: { orders: 0, cents: 0 }, reservedTodayCents: cents },
          waiting: { approvals: 1, payments: 0, cents }
        })
      })
    )
  })
