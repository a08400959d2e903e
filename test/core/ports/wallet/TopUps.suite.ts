// What every store promises of top-ups: each is opened once, each payment is booked once, and how they are read.
import { Effect } from "effect"
import { expect } from "vitest"
import type { Decide } from "#core/decisions/Draft.ts"
import { closeAccount } from "#core/decisions/members/AccountState.ts"
import { endTopUp, openTopUp, readDueTopUp, settleTopUp, storeTopUpSession } from "#core/decisions/wallet/TopUps.ts"
import { type AccountId, MemberId, PaymentId, PaymentSessionId, TopUpId } from "#core/domain/shared/Ids.ts"
import { TOP_UP_TTL_MS, type TopUp, type TopUpNotFound } from "#core/domain/wallet/TopUp.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { buyer } from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

const owner = Effect.gen(function* () {
  const { account } = yield* buyer()
  const [member] = yield* (yield* Members).ofAccount(account.accountId)
  return { accountId: account.accountId, memberId: member?.memberId ?? MemberId.make("") }
})

type Owner = Effect.Success<typeof owner>

const nextId = Effect.flatMap(UniqueNumbers, ({ next }) =>
  Effect.map(next, (n) => TopUpId.make(`top_${String(n).padStart(28, "0")}`))
)

const open = Effect.fnUntraced(function* (by: Owner, topUpId: TopUpId, cents = 2_500) {
  const book = yield* OrderBook
  const reads = { _tag: "ForTopUp" as const, topUpId, accountId: by.accountId }
  return yield* book.transact(reads, openTopUp({ topUpId, ...by, cents }))
})

const opened = Effect.flatMap(Effect.all([owner, nextId]), ([by, topUpId]) =>
  Effect.map(open(by, topUpId), (topUp) => ({ ...by, topUpId, topUp }))
)

const settle = Effect.fnUntraced(function* (topUpId: TopUpId, id: string, amountCents = 2_500, currency = "EUR") {
  const book = yield* OrderBook
  const paymentId = id
  const payment = { paymentId: PaymentId.make(paymentId), quoteId: topUpId, amountCents, currency }
  return yield* book.transact({ _tag: "ForTopUp", topUpId, reference: paymentId }, settleTopUp(payment))
})

const close = Effect.fnUntraced(function* (accountId: AccountId) {
  return yield* (yield* OrderBook).transact(
    { _tag: "ForAccount", accountId },
    closeAccount(accountId, "as a test", "op")
  )
})

const ledgerOf = (accountId: AccountId) =>
  Effect.flatMap(Wallets, (wallets) =>
    Effect.map(wallets.ledger({ accountId, limit: 50, beforeId: null }), ({ entries }) => entries)
  )

export const topUpsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Top-ups of ${name}`, store, (it) => {
    it.effect("one form that is sent 20 times at once opens one top-up", () =>
      Effect.gen(function* () {
        const [by, topUpId] = [yield* owner, yield* nextId]
        const all = yield* concurrently(times(20, () => open(by, topUpId)))
        expect(new Set(all.map(({ paymentToken }) => paymentToken)).size).toBe(1)
        const [topUp] = all
        const topUps = yield* TopUps
        expect(yield* topUps.byId(topUpId)).toEqual(topUp)
        expect(yield* topUps.byPaymentToken(topUp?.paymentToken ?? "")).toEqual(topUp)
        expect(yield* ledgerOf(by.accountId)).toEqual([])
      })
    )

    it.effect("a payment that is reported 20 times at once, and later again, is one entry of the ledger", () =>
      Effect.gen(function* () {
        const { accountId, topUpId } = yield* opened
        const payment = PaymentId.make(`pay_${topUpId}`)
        const reports = yield* concurrently(times(20, () => Effect.result(settle(topUpId, payment))))
        expect(countOutcomes(reports, ({ outcome }) => outcome)).toEqual({ credited: 1, repeated: 19 })
        expect((yield* settle(topUpId, payment)).outcome).toBe("repeated")
        const entries = yield* ledgerOf(accountId)
        expect(entries).toMatchObject([{ kind: "top_up", amountCents: 2_500, reference: payment }])
        // Its entry is found by its reference, of its kind and account alone.
        const { referring } = yield* Wallets
        expect(yield* referring({ accountId, kind: "top_up", reference: payment })).toEqual(entries[0])
        expect(yield* referring({ accountId, kind: "adjustment", reference: payment })).toBe(null)
        const other = (yield* owner).accountId
        expect(yield* referring({ accountId: other, kind: "top_up", reference: payment })).toBe(null)
        expect((yield* (yield* Wallets).of(accountId))?.account.wallet.balanceCents).toBe(2_500)
        expect((yield* (yield* TopUps).byId(topUpId))?.status).toBe("paid")
      })
    )

    it.effect("a payment that comes after the end is booked; an end that comes after the payment changes nothing", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const end = (topUpId: TopUpId) => book.transact({ _tag: "ForTopUp", topUpId }, endTopUp(topUpId))
        const [late, early] = [yield* opened, yield* opened]
        expect((yield* end(late.topUpId)).status).toBe("ended")
        expect((yield* settle(late.topUpId, `pay_${late.topUpId}`)).topUp.status).toBe("paid")
        yield* settle(early.topUpId, `pay_${early.topUpId}`)
        expect((yield* end(early.topUpId)).status).toBe("paid")
        expect(yield* ledgerOf(late.accountId)).toHaveLength(1)
      })
    )

    it.effect("payments of another amount or currency, or for no top-up, book nothing", () =>
      Effect.gen(function* () {
        const { accountId, topUpId } = yield* opened
        const wrong = [settle(topUpId, "pay_a", 2_499), settle(topUpId, "pay_b", 2_500, "USD")]
        for (const one of wrong) expect((yield* Effect.flip(one))._tag).toBe("PaymentMismatch")
        expect((yield* Effect.flip(settle(TopUpId.make("top_none"), "pay_c")))._tag).toBe("TopUpNotFound")
        expect(yield* ledgerOf(accountId)).toEqual([])
      })
    )

    it.effect("amounts have bounds, an id belongs to one account, and the first session stays", () =>
      Effect.gen(function* () {
        const { topUpId, topUp, ...by } = yield* opened
        for (const cents of [499, 500_001, 500.5, Number.NaN]) {
          expect((yield* Effect.flip(open(by, yield* nextId, cents)))._tag).toBe("TopUpAmountInvalid")
        }
        for (const cents of [500, 500_000]) expect((yield* open(by, yield* nextId, cents)).cents).toBe(cents)
        expect((yield* Effect.flip(open(yield* owner, topUpId)))._tag).toBe("TopUpNotFound")
        const book = yield* OrderBook
        const session = (sessionId: PaymentSessionId) => ({ sessionId, paymentUrl: `https://pay.example/${sessionId}` })
        const stored = yield* Effect.forEach(["cs_1", "cs_2"], (sessionId) =>
          book.transact(
            { _tag: "ForTopUp", topUpId: topUpId },
            storeTopUpSession(topUpId, session(PaymentSessionId.make(sessionId)))
          )
        )
        expect(stored).toEqual(times(2, () => ({ ...topUp, ...session(PaymentSessionId.make("cs_1")) })))
      })
    )

    it.effect("are listed newest first, a page at a time, and open ones are due at their expiry", () =>
      Effect.gen(function* () {
        const by = yield* owner
        const topUps = yield* TopUps
        const made = yield* Effect.forEach(
          times(3, (n) => n),
          () => Effect.flatMap(nextId, (id) => open(by, id))
        )
        const newest = made.toReversed()
        const first = yield* topUps.ofAccount({ accountId: by.accountId, limit: 2, beforeId: null })
        expect(first.topUps).toEqual(newest.slice(0, 2))
        const next = { accountId: by.accountId, limit: 2, beforeId: first.nextBeforeId }
        expect(yield* topUps.ofAccount(next)).toEqual({ topUps: newest.slice(2), nextBeforeId: null })
        yield* settle(made[0]?.topUpId ?? TopUpId.make(""), `pay_${made[0]?.topUpId}`)
        const ids = made.map(({ topUpId }) => topUpId)
        const dueAt = (nowMs: number, after: TopUpId | null = null) =>
          Effect.map(topUps.due({ nowMs, limit: 100, after }), (due) => due.filter((id) => ids.includes(id)))
        const lastMs = (made[2]?.createdAtMs ?? 0) + TOP_UP_TTL_MS
        expect(yield* dueAt(lastMs)).toEqual(ids.slice(1))
        expect(yield* dueAt((made[1]?.createdAtMs ?? 0) + TOP_UP_TTL_MS - 1)).toEqual([])
        for (const [index, after] of ids.entries())
          expect(yield* dueAt(lastMs, after)).toEqual(ids.slice(Math.max(1, index + 1)))
      })
    )

    it.effect("those without a session are found until they have one, are withdrawn, paid or expire", () =>
      Effect.gen(function* () {
        const topUps = yield* TopUps
        const book = yield* OrderBook
        const by = yield* owner
        const made = yield* Effect.forEach(
          times(5, (n) => n),
          () => Effect.flatMap(nextId, (id) => open(by, id))
        )
        const ids = made.map(({ topUpId }) => topUpId)
        const nowMs = made.at(-1)?.createdAtMs ?? 0
        const unopened = (query: { beforeMs?: number; nowMs?: number; after?: TopUpId | null; limit?: number } = {}) =>
          Effect.map(topUps.unopened({ beforeMs: nowMs, nowMs, limit: 100, ...query }), (found) =>
            found.filter((id) => ids.includes(id))
          )
        expect(yield* unopened()).toEqual(ids)
        for (const [index, after] of ids.entries()) expect(yield* unopened({ after })).toEqual(ids.slice(index + 1))
        expect(yield* unopened({ beforeMs: (made[0]?.createdAtMs ?? 0) - 1 })).toEqual([])
        expect(yield* unopened({ nowMs: nowMs + TOP_UP_TTL_MS })).toEqual([])
        const [withSession, withdrawn, paid, ...others] = ids
        const session = { sessionId: PaymentSessionId.make("cs_9"), paymentUrl: "https://pay.example/cs_9" }
        const decided = [
          [withSession, storeTopUpSession(withSession ?? TopUpId.make(""), session)],
          [withdrawn, endTopUp(withdrawn ?? TopUpId.make(""), by.memberId, { ifUnopened: true })]
        ] as const
        for (const [topUpId = TopUpId.make(""), decide] of decided)
          yield* book.transact({ _tag: "ForTopUp", topUpId }, decide)
        yield* settle(paid ?? TopUpId.make(""), `pay_${paid}`)
        expect(yield* unopened()).toEqual(others)
        const kept = endTopUp(withSession ?? TopUpId.make(""), by.memberId, { ifUnopened: true })
        const reads = { _tag: "ForTopUp" as const, topUpId: withSession ?? TopUpId.make("") }
        expect((yield* book.transact(reads, kept)).status).toBe("open")
      })
    )

    it.effect("open ones of a closed account are due at once, and get no session that could be paid", () =>
      Effect.gen(function* () {
        const topUps = yield* TopUps
        const book = yield* OrderBook
        const by = yield* owner
        const [paid, ended, ...others] = yield* Effect.forEach(
          times(4, (n) => n),
          () => Effect.flatMap(nextId, (id) => open(by, id))
        )
        const [first, second] = others.map(({ topUpId }) => topUpId)
        if (!paid || !ended || first === undefined || second === undefined) throw new Error("four are opened")
        const decided = (topUpId: TopUpId, decide: Decide<TopUp | null, TopUpNotFound>) =>
          book.transact({ _tag: "ForTopUp", topUpId }, decide)
        yield* settle(paid.topUpId, `pay_${paid.topUpId}`)
        yield* decided(ended.topUpId, endTopUp(ended.topUpId))
        const nowMs = paid.createdAtMs
        const listed = Effect.gen(function* () {
          const due = yield* topUps.due({ nowMs, limit: 100 })
          const unopened = yield* topUps.unopened({ beforeMs: nowMs + 60_000, nowMs, limit: 100 })
          return [due, unopened].map((ids) => ids.filter((id) => id === first || id === second))
        })
        expect(yield* topUps.openOf(by.accountId)).toEqual(others)
        expect(yield* listed).toEqual([[], [first, second]])
        expect(yield* decided(first, readDueTopUp(first))).toBe(null)
        yield* close(by.accountId)
        expect(yield* listed).toEqual([[first, second], []])
        expect(yield* decided(first, readDueTopUp(first))).toEqual(others[0])
        const session = { sessionId: PaymentSessionId.make("cs_late"), paymentUrl: "https://pay.example/cs_late" }
        expect(yield* decided(first, storeTopUpSession(first, session))).toMatchObject({ ...session, status: "ended" })
        yield* decided(second, endTopUp(second, "op"))
        expect(yield* listed).toEqual([[], []])
        expect(yield* topUps.openOf(by.accountId)).toEqual([])
      })
    )

    it.effect("a payment and the closing of its account at once: it is credit before, or is set aside after", () =>
      Effect.gen(function* () {
        for (const nth of times(6, (n) => n)) {
          const { accountId, topUpId } = yield* opened
          const paying = times(3, () => Effect.map(settle(topUpId, `pay_${topUpId}`), ({ outcome }) => outcome))
          const closing = Effect.as(close(accountId), "closed")
          const outcomes = yield* concurrently([...paying.slice(0, nth % 4), closing, ...paying.slice(nth % 4)])
          const isCredit = outcomes.includes("credited")
          expect(outcomes.toSorted()).toEqual(
            ["closed", isCredit ? "credited" : "set_aside", "repeated", "repeated"].toSorted()
          )
          expect(yield* ledgerOf(accountId)).toHaveLength(isCredit ? 1 : 0)
          expect((yield* (yield* TopUps).byId(topUpId))?.status).toBe(isCredit ? "paid" : "ended")
        }
      })
    )
  })
