// What every store promises of quotes that wait: for an approval, for a payment, or for the end of a payment under way.
import { Effect } from "effect"
import { expect } from "vitest"
import { keepWhilePending } from "#core/decisions/ordering/PaymentSessionProgress.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { type Buyer, buyer, linksOn, listSite, order, plainSettings } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { abandon, pay } from "./OrderSteps.ts"

const lasting = (quoteTtlMs: number) => ({ ...plainSettings, quoteTtlMs })

const MINUTE_MS = 60_000
const YEAR_MS = 365 * 86_400_000

export const pendingQuotesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Pending quotes of ${name}`, store, (it) => {
    it.effect("lists open quotes past their expiry whose payment is under way, which are not due", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const { caller } = yield* buyer()
        const { accountId } = caller
        const items = linksOn(yield* listSite())
        // This quote has no payment under way, so that it is due and not pending.
        const lapsed = yield* order(caller, { items, settings: lasting(-21 * YEAR_MS) })
        const [first, second, fresh] = yield* Effect.all(
          [-20, -19, 1].map((years) => order(caller, { items, settings: lasting(years * YEAR_MS) }))
        )
        const kept = Effect.fnUntraced(function* ({ quote: { quoteId } }: Effect.Success<ReturnType<typeof order>>) {
          const book = yield* OrderBook
          const decide = keepWhilePending({ quoteId, sessionId: PaymentSessionId.make(`ses_${quoteId}`) })
          const { quote } = yield* book.transact({ _tag: "ForQuote", quoteId }, decide)
          expect(yield* quotes.byId(quoteId)).toEqual(quote)
          return quote
        })
        if (first === undefined || second === undefined || fresh === undefined) throw new Error("an order failed")
        const toPay = Effect.map(quotes.waitingCounts(accountId), ({ payments }) => payments)
        expect(yield* toPay).toBe(1)
        for (const one of [first, second, fresh]) expect((yield* kept(one)).paymentPendingAtMs).not.toBeNull()
        expect(yield* toPay).toBe(0)
        const nowMs = fresh.quote.createdAtMs
        const ids = [first, second].map(({ quote }) => quote.quoteId)
        expect((yield* quotes.pending({ nowMs, limit: 2 })).slice(0, 2)).toEqual(ids)
        expect(yield* quotes.pending({ nowMs, limit: 1, after: ids[0] ?? QuoteId.make("") })).toEqual(ids.slice(1))
        expect(yield* quotes.due({ nowMs, limit: 9, accountId })).toEqual([lapsed.quote.quoteId])
        const due = yield* quotes.due({ nowMs, limit: 1_000 })
        expect(due).toContain(lapsed.quote.quoteId)
        expect(ids.filter((id) => due.includes(id))).toEqual([])
        expect(yield* quotes.open({ accountId, mode: "live", limit: 9 })).toHaveLength(4)
        yield* pay(first.quote)
        expect((yield* quotes.pending({ nowMs, limit: 1 }))[0]).toBe(ids[1])
        expect(yield* quotes.byId(ids[0] ?? QuoteId.make(""))).toMatchObject({
          status: "paid",
          paymentPendingAtMs: null
        })
      })
    )

    it.effect("lists what waits of an account, the first to expire first and page by page, and counts all of it", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const limits = { ...noLimits, approveAboveCents: 0 }
        const { caller } = yield* buyer(5_000, { limits })
        const { accountId } = caller
        const items = linksOn(yield* listSite())
        const ask = (hours: number, who = caller) =>
          Effect.map(order(who, { items, settings: lasting(hours * 60 * MINUTE_MS) }), ({ quote }) => quote.quoteId)
        const [second, first, third] = [yield* ask(2), yield* ask(1), yield* ask(3)]
        const poor = yield* buyer(0)
        const payable = yield* ask(4, poor.caller)
        yield* ask(1, (yield* buyer(5_000, { limits })).caller)
        const waiting = Effect.fnUntraced(function* (over: Partial<Parameters<typeof quotes.waiting>[0]> = {}) {
          const query = { accountId, mode: "live", status: "awaiting_approval", limit: 9, ...over } as const
          return (yield* quotes.waiting(query)).map(({ quoteId }) => quoteId)
        })
        expect(yield* waiting()).toEqual([first, second, third])
        expect(yield* waiting({ limit: 2 })).toEqual([first, second])
        expect(yield* waiting({ limit: 2, after: second })).toEqual([third])
        expect(yield* waiting({ after: third })).toEqual([])
        expect(yield* waiting({ status: "awaiting_payment" })).toEqual([])
        expect(yield* waiting({ mode: "sandbox" })).toEqual([])
        expect(yield* waiting({ accountId: poor.caller.accountId, status: "awaiting_payment" })).toEqual([payable])
        const asked = yield* quotes.byId(first)
        const other = yield* order(caller, { items: linksOn(yield* listSite()) })
        const like = (itemsDigest = "") => waiting({ itemsDigest })
        expect(yield* like(asked?.itemsDigest)).toEqual([first, second, third])
        expect(yield* like(other.quote.itemsDigest)).toEqual([other.quote.quoteId])
        expect(yield* like("none")).toEqual([])
        const counts = yield* quotes.openCounts({ accountId, mode: "live" })
        expect(counts).toEqual({
          ...{ approvals: 4, approvalCents: 4 * other.quote.totalCents, payments: 0 },
          ...{ approvalsHolding: 4, paymentsHolding: 0 }
        })
        expect(yield* quotes.openCounts({ accountId: poor.caller.accountId, mode: "live" })).toEqual({
          ...{ approvals: 0, approvalCents: 0, payments: 1, approvalsHolding: 0, paymentsHolding: 0 }
        })
        expect(yield* quotes.openCounts({ accountId, mode: "sandbox" })).toEqual({
          ...{ approvals: 0, approvalCents: 0, payments: 0, approvalsHolding: 0, paymentsHolding: 0 }
        })
      })
    )

    it.effect("counts what of one account awaits approval or payment: live, not expired, not decided", () =>
      Effect.gen(function* () {
        const { waitingCounts } = yield* Quotes
        const limits = { ...noLimits, approveAboveCents: 0 }
        const [one, other] = [yield* buyer(5_000, { limits }), yield* buyer(5_000, { limits })]
        const sandbox = yield* buyer(0, { limits, mode: "sandbox" })
        const ask = ({ caller }: Pick<Buyer, "caller">, settings = plainSettings) =>
          Effect.flatMap(listSite(), (site) => order(caller, { items: linksOn(site), settings }))
        const { quote } = yield* ask(one)
        expect(quote.status).toBe("awaiting_approval")
        for (const asking of [one, other, sandbox]) yield* ask(asking)
        yield* ask(one, lasting(-MINUTE_MS))
        const poor = yield* buyer()
        const { quote: unpaid } = yield* ask(poor)
        expect(unpaid.status).toBe("awaiting_payment")
        yield* ask(poor)
        const counts = Effect.map(
          Effect.forEach([one, other, sandbox, poor], ({ account }) => waitingCounts(account.accountId)),
          (all) => all.map(({ approvals, payments }) => [approvals, payments])
        )
        expect(yield* counts).toEqual([
          [2, 0],
          [1, 0],
          [0, 0],
          [0, 2]
        ])
        for (const given of [quote, unpaid]) yield* abandon(given, "human")
        expect(yield* counts).toEqual([
          [1, 0],
          [1, 0],
          [0, 0],
          [0, 1]
        ])
      })
    )
  })
