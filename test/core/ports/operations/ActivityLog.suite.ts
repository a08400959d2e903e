// What every store promises of ActivityLog: all events after a position, in order, each at its own position, in pages of any size.
import { Effect } from "effect"
import { expect } from "vitest"
import { type ActivityEvent, type Position, positionAt } from "#core/domain/operations/ActivityEvent.ts"
import { idTimeMs } from "#core/domain/shared/DecisionContext.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { ActivityLog } from "#core/ports/operations/ActivityLog.ts"
import { abandon, cancelLinkById, moveLinkTo, pay } from "../ordering/OrderSteps.ts"
import { actor, buyer, linksOn, listSite, order, topUpAccount } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

const MANY = 1_000

/** The events after the position that concern this account. */
const since = Effect.fnUntraced(function* (place: Position, accountId: string, limit = MANY) {
  const log = yield* ActivityLog
  const seen: Array<ActivityEvent> = []
  let from = place
  for (;;) {
    const page: ReadonlyArray<ActivityEvent> = yield* log.after({ position: from, limit })
    seen.push(...page)
    if (page.length < limit) break
    from = page.at(-1)?.position ?? from
  }
  return seen.filter((one) => {
    switch (one._tag) {
      case "WalletCredited":
        return one.entry.accountId === accountId
      case "OperatorActed":
        return one.record.subject === accountId
      default:
        return one.accountId === accountId
    }
  })
})

const now = Effect.flatMap(ActivityLog, (log) => log.now)

export const activityLogSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`ActivityLog of ${name}`, store, (it) => {
    it.effect("returns events of quotes, orders, credit and operators in the order in which they happened", () =>
      Effect.gen(function* () {
        const start = yield* now
        const { account, caller } = yield* buyer(700)
        const { accountId } = account
        const items = linksOn(yield* listSite())
        const { order: placed, links, quote: covered } = yield* order(caller, { items })
        const { quote: given } = yield* order(caller, { items })
        yield* abandon(given, "agent")
        const { quote: bought } = yield* order(caller, { items })
        const linkId = links[0]?.linkId ?? LinkId.make("")
        yield* moveLinkTo(linkId, "published")
        const { quote: paid } = yield* pay(bought)
        const seen = yield* since(start, accountId)
        const end = seen.findIndex(({ _tag }) => _tag === "QuoteAbandoned")
        expect(seen[end]).toMatchObject({ quoteId: given.quoteId, accountId, by: "agent", mode: "live" })
        // Its position has only the millisecond: it comes after its own opening, but other events of that time may come before it.
        expect(end).toBeGreaterThan(5)
        expect(seen.toSpliced(end, 1)).toMatchObject([
          { _tag: "OperatorActed", record: { actor, action: "account.open", details: { name: "Ada" } } },
          { _tag: "WalletCredited", entry: { kind: "top_up", amountCents: 700, balanceAfterCents: 700 } },
          { _tag: "OperatorActed", record: { action: "account.top_up", details: { cents: 700 } } },
          {
            _tag: "QuoteOpened",
            quoteId: covered.quoteId,
            mode: "live",
            totalCents: 500,
            creditCents: 500,
            cardCents: 0
          },
          { _tag: "OrderEvent", type: "order.accepted", orderId: placed?.orderId, linkId: null },
          { _tag: "QuoteOpened", quoteId: given.quoteId, totalCents: 500, creditCents: 200, cardCents: 300 },
          { _tag: "QuoteOpened", quoteId: bought.quoteId },
          { _tag: "OrderEvent", type: "order.published", linkId },
          { _tag: "OrderEvent", type: "order.accepted", orderId: paid.orderId, linkId: null }
        ])
        const places = seen.map(({ position: place }) => place)
        expect(new Set(places).size).toBe(places.length)
        expect([...places].sort()).toEqual(places)
        for (const one of seen) expect(Math.abs(one.atMs - account.createdAtMs)).toBeLessThan(60_000)
        const third = seen[2]?.position ?? ""
        expect(yield* since(third, accountId)).toEqual(seen.slice(3))
      })
    )

    it.effect("keeps the abandonment of a quote, whatever is paid for it afterwards", () =>
      Effect.gen(function* () {
        const start = yield* now
        const { account, caller } = yield* buyer()
        const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
        yield* abandon(quote, "human")
        const end = Effect.map(since(start, account.accountId), (seen) =>
          seen.filter(({ _tag }) => _tag === "QuoteAbandoned")
        )
        const before = yield* end
        expect(before).toHaveLength(1)
        expect((yield* pay(quote)).outcome).toBe("credited")
        expect(yield* end).toEqual(before)
      })
    )

    it.effect("includes the sandbox", () =>
      Effect.gen(function* () {
        const start = yield* now
        const { account, caller } = yield* buyer(0, { mode: "sandbox" })
        const site = yield* listSite()
        const { links } = yield* order(caller, { items: linksOn(site), sandboxCreditCents: 1_000 })
        yield* cancelLinkById(links[0]?.linkId ?? LinkId.make(""))
        const seen = (yield* since(start, account.accountId)).filter(({ _tag }) => _tag !== "OperatorActed")
        expect(seen).toMatchObject([
          { _tag: "QuoteOpened", mode: "sandbox" },
          { _tag: "OrderEvent", type: "order.accepted", mode: "sandbox" },
          { _tag: "OrderEvent", type: "order.cancelled", mode: "sandbox" }
        ])
      })
    )

    it.effect("returns every event once, in pages of any size, while others are written", () =>
      Effect.gen(function* () {
        const start = yield* now
        const { accountId } = (yield* buyer()).account
        const rival = yield* buyer()
        yield* concurrently(
          times(40, (index) => topUpAccount(index % 2 === 0 ? accountId : rival.account.accountId, index + 1))
        )
        const all = yield* since(start, accountId)
        const deposits = all.filter(({ _tag }) => _tag === "WalletCredited")
        expect(deposits.length).toBe(20)
        for (const limit of [1, 7, 41]) expect(yield* since(start, accountId, limit)).toEqual(all)
        // `now` is before all events of the same millisecond, which may include the last ones. The positions of an account's events
        // within one millisecond run ahead of the clock.
        const lastMs = Math.max(...all.map(({ atMs }) => atMs))
        expect((yield* now) >= positionAt(lastMs)).toBe(true)
        const furthestMs = idTimeMs(all.at(-1)?.position ?? "") ?? 0
        expect(furthestMs).toBeGreaterThanOrEqual(lastMs)
        expect(yield* since(positionAt(furthestMs + 1), accountId)).toEqual([])
      })
    )

    it.effect("begins with the first event for an invalid position", () =>
      Effect.gen(function* () {
        yield* now
        const { accountId } = (yield* buyer(5)).account
        const found = yield* since("", accountId)
        expect(found.map(({ _tag }) => _tag)).toEqual(["OperatorActed", "WalletCredited", "OperatorActed"])
        expect(yield* since("~", accountId)).toEqual([])
      })
    )
  })
