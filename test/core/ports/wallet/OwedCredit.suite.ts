// What every store promises of top-ups that are given back: their money is taken once, what is missing is owed, and every later credit
// pays it in its own transaction.
import { Effect } from "effect"
import { expect } from "vitest"
import { reverseTopUp, type TopUpReversalNotice } from "#core/decisions/wallet/ReverseTopUp.ts"
import { openTopUp, settleTopUp } from "#core/decisions/wallet/TopUps.ts"
import { ChargeId, LinkId, MemberId, PaymentId, ReversalId, TopUpId } from "#core/domain/shared/Ids.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { countEach } from "#test/core/BookReads.ts"
import { brokenBy } from "../operations/Reconciliation.suite.ts"
import { abandon, cancelLinkById } from "../ordering/OrderSteps.ts"
import { type Buyer, buyer, linksOn, listSite, order, topUpAccount } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"
import { ledgerOf } from "./LedgerChecks.ts"

/** A top-up that is not paid yet. */
const begun = Effect.fnUntraced(function* ({ account: { accountId } }: Buyer, cents: number) {
  const topUpId = TopUpId.make(`top_${String(yield* (yield* UniqueNumbers).next).padStart(28, "0")}`)
  const [member] = yield* (yield* Members).ofAccount(accountId)
  const memberId = member?.memberId ?? MemberId.make("")
  const reads = { _tag: "ForTopUp", topUpId, accountId } as const
  yield* (yield* OrderBook).transact(reads, openTopUp({ topUpId, accountId, memberId, cents }))
  return topUpId
})

const settle = Effect.fnUntraced(function* (topUpId: TopUpId, amountCents: number) {
  const paymentId = PaymentId.make(`pay_${topUpId}`)
  const payment = { paymentId, quoteId: topUpId, amountCents, currency: "EUR" }
  const reads = { _tag: "ForTopUp", topUpId, reference: paymentId } as const
  return (yield* (yield* OrderBook).transact(reads, settleTopUp(payment))).outcome
})

type Told = Pick<TopUpReversalNotice, "kind" | "cents" | "state">

const reverse = Effect.fnUntraced(function* (topUpId: TopUpId, { kind, cents, state }: Told) {
  const chargeId = ChargeId.make(`ch_${topUpId}`)
  const reversalId = ReversalId.make(kind === "refund" ? chargeId : `du_${topUpId}`)
  const notice = { ...{ reversalId, chargeId, kind, cents, state }, quoteId: topUpId }
  return (yield* (yield* OrderBook).transact({ _tag: "ForTopUp", topUpId }, reverseTopUp(notice))).outcome
})

const refund = (topUpId: TopUpId, cents: number) => reverse(topUpId, { kind: "refund", cents, state: "final" })
const dispute = (topUpId: TopUpId, cents: number, state: Told["state"] = "open") =>
  reverse(topUpId, { kind: "dispute", cents, state })

const stateOf = Effect.fnUntraced(function* ({ account: { accountId } }: Buyer) {
  const account = (yield* (yield* Wallets).of(accountId))?.account
  return {
    available: account === undefined ? null : availableCents(account.wallet),
    owed: account?.owedCents ?? 0,
    stopped: account?.agentsStoppedAtMs !== undefined
  }
})

const kindsOf = ({ account: { accountId } }: Buyer) =>
  Effect.map(ledgerOf(accountId), (entries) => entries.map(({ kind, amountCents }) => `${kind} ${amountCents}`))

/** 20.00 EUR paid by card, 15.00 of them spent on three links; other credit had paid one before. */
const spent = Effect.gen(function* () {
  const who = yield* buyer(500)
  const before = yield* order(who.caller, { items: linksOn(yield* listSite()) })
  const topUpId = yield* begun(who, 2_000)
  yield* settle(topUpId, 2_000)
  const site = yield* listSite()
  const { links } = yield* order(who.caller, { items: linksOn(site, site, site) })
  const [first = LinkId.make(""), second = LinkId.make("")] = links.map(({ linkId }) => linkId)
  const earlierIds = before.links.map(({ linkId }) => linkId)
  return { who, topUpId, first, second, earlierIds, linkIds: links.map(({ linkId }) => linkId) }
})

export const owedCreditSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Top-ups of ${name} that are given back`, store, (it) => {
    it.effect("a refund that is told twenty times at once lowers the balance once; what is missing is owed", () =>
      Effect.gen(function* () {
        const { who, topUpId } = yield* spent
        expect(countEach(yield* concurrently(times(20, () => refund(topUpId, 2_000))))).toEqual({
          recorded: 1,
          repeated: 19
        })
        expect(yield* stateOf(who)).toEqual({ available: 0, owed: 1_500, stopped: true })
        expect(yield* kindsOf(who)).toEqual([
          ...["top_up 500", "capture 500", "top_up 2000", "capture 1500", "adjustment 500"]
        ])
        expect((yield* (yield* TopUps).byId(topUpId))?.reversedCents).toBe(2_000)
        const owing = yield* (yield* Wallets).owing({ limit: 100 })
        expect(owing.find(({ accountId }) => accountId === who.account.accountId)?.owedCents).toBe(1_500)
        expect(yield* brokenBy(who.account.accountId, topUpId)).toEqual([])
      })
    )

    it.effect("a refund of what was there stops no agents, and one before the payment is taken with it", () =>
      Effect.gen(function* () {
        const who = yield* buyer()
        const topUpId = yield* begun(who, 2_000)
        expect(yield* refund(topUpId, 700)).toBe("recorded")
        expect(yield* kindsOf(who)).toEqual([])
        expect(countEach(yield* concurrently(times(5, () => settle(topUpId, 2_000))))).toEqual({
          credited: 1,
          repeated: 4
        })
        expect(yield* kindsOf(who)).toEqual(["top_up 2000", "adjustment 700"])
        // The second part of the refund: only its difference.
        yield* refund(topUpId, 2_000)
        expect(yield* kindsOf(who)).toEqual(["top_up 2000", "adjustment 700", "adjustment 1300"])
        expect(yield* stateOf(who)).toEqual({ available: 0, owed: 0, stopped: false })
        expect(yield* brokenBy(who.account.accountId, topUpId)).toEqual([])
      })
    )

    it.effect("later credit of every kind pays what is owed, in parallel too, and no cent twice", () =>
      Effect.gen(function* () {
        const { who, topUpId, first, second } = yield* spent
        const held = yield* order(who.caller, { items: linksOn(yield* listSite()) })
        yield* refund(topUpId, 2_000)
        expect(yield* stateOf(who)).toEqual({ available: 0, owed: 2_000, stopped: true })
        const { accountId } = who.account
        yield* concurrently([
          cancelLinkById(first),
          cancelLinkById(second),
          topUpAccount(accountId, 300),
          topUpAccount(accountId, 400)
        ])
        expect(yield* stateOf(who)).toMatchObject({ available: 0, owed: 300 })
        yield* topUpAccount(accountId, 1_000)
        expect(yield* stateOf(who)).toMatchObject({ available: 700, owed: 0 })
        expect((yield* kindsOf(who)).slice(-2)).toEqual(["top_up 1000", "adjustment 300"])
        expect(held.order).not.toBe(null)
        expect(yield* brokenBy(accountId, topUpId, first, second)).toEqual([])
      })
    )

    it.effect("credit that a released hold sets free pays what is owed; what is held stays held until then", () =>
      Effect.gen(function* () {
        const who = yield* buyer()
        const topUpId = yield* begun(who, 2_000)
        yield* settle(topUpId, 2_000)
        const site = yield* listSite()
        // 25.00 EUR: all credit is held, and 5.00 are for the card.
        const { quote } = yield* order(who.caller, { items: linksOn(...times(5, () => site)) })
        yield* dispute(topUpId, 2_000)
        expect(yield* stateOf(who)).toEqual({ available: 0, owed: 2_000, stopped: true })
        yield* abandon(quote, "human")
        expect(yield* stateOf(who)).toEqual({ available: 0, owed: 0, stopped: true })
        expect(yield* kindsOf(who)).toEqual(["top_up 2000", "hold 2000", "release 2000", "adjustment 2000"])
        expect(yield* brokenBy(who.account.accountId, topUpId)).toEqual([])
      })
    )

    it.effect(
      "a dispute that is won gives back once what it took, and what it had put into the debt is struck off",
      () =>
        Effect.gen(function* () {
          const { who, topUpId } = yield* spent
          yield* dispute(topUpId, 2_000)
          yield* topUpAccount(who.account.accountId, 600)
          expect(yield* stateOf(who)).toMatchObject({ available: 0, owed: 900 })
          const won = yield* concurrently(times(10, () => dispute(topUpId, 2_000, "won")))
          expect(countEach(won)).toEqual({ recorded: 1, repeated: 9 })
          // 5.00 at once and 6.00 of the later credit.
          expect((yield* kindsOf(who)).slice(-1)).toEqual(["adjustment_reversed 1100"])
          expect(yield* stateOf(who)).toMatchObject({ available: 1_100, owed: 0 })
          // A notice of its beginning that comes late, and the refund of a part.
          expect(yield* dispute(topUpId, 2_000)).toBe("repeated")
          yield* refund(topUpId, 400)
          expect(yield* stateOf(who)).toMatchObject({ available: 700, owed: 0 })
          expect(yield* brokenBy(who.account.accountId, topUpId)).toEqual([])
        })
    )

    it.effect("a refund and a dispute of one payment, in parallel and in parts, take it once", () =>
      Effect.gen(function* () {
        const { who, topUpId } = yield* spent
        yield* concurrently([
          refund(topUpId, 800),
          refund(topUpId, 1_100),
          dispute(topUpId, 2_000),
          dispute(topUpId, 2_000, "final")
        ])
        expect(yield* stateOf(who)).toEqual({ available: 0, owed: 1_500, stopped: true })
        expect((yield* (yield* TopUps).byId(topUpId))?.reversedCents).toBe(2_000)
        expect(yield* brokenBy(who.account.accountId, topUpId)).toEqual([])
      })
    )

    it.effect("links that were paid from it and are not online are at risk, until the account owes nothing", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { who, topUpId, earlierIds, linkIds, first } = yield* spent
        const others = yield* spent
        const all = [...earlierIds, ...linkIds, ...others.linkIds]
        expect(yield* orders.atRisk(all)).toEqual([])
        yield* refund(topUpId, 2_000)
        expect([...(yield* orders.atRisk(all))].sort()).toEqual([...linkIds].sort())
        yield* cancelLinkById(first)
        expect([...(yield* orders.atRisk(all))].sort()).toEqual(linkIds.filter((id) => id !== first).sort())
        yield* topUpAccount(who.account.accountId, 2_000)
        expect(yield* orders.atRisk(all)).toEqual([])
        expect(yield* orders.atRisk([])).toEqual([])
      })
    )
  })
