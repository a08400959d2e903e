// Links are cancelled by the key that placed their order, or by an owner of its account, while no work has begun: each is credited once, and
// the same question has the same answer.
import { HashMap, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { type CancelReply, cancelForOwner, cancelOwnOrder } from "#core/decisions/ordering/CancelOwnOrder.ts"
import { moveLink } from "#core/decisions/ordering/MoveLink.ts"
import { recordReversal } from "#core/decisions/ordering/RecordReversal.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import { webCredentialId } from "#core/domain/access/WebCredential.ts"
import { judgeCancel, outcomeOf } from "#core/domain/ordering/Cancelling.ts"
import { type Link, type LinkStatus, LinkStatus as Statuses } from "#core/domain/ordering/Link.ts"
import { AccountId, KeyId, LinkId, MemberId, OrderId, PaymentId, ReversalId } from "#core/domain/shared/Ids.ts"
import { known, movements } from "#test/core/BookReads.ts"
import { given, item, orderBy, render, rules } from "#test/core/Given.ts"
import { decide, placed, refused, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const SITES = [1, 3, 3, 2]
const start = placed(given(), orderBy("key_rich", { items: SITES.map((siteId) => item({ siteId })) }))
const orderId = start.reply.order?.orderId ?? OrderId.make("")
const keyId = KeyId.make("key_rich")
const accountId = AccountId.make("acc_rich")
const memberId = MemberId.make("mem_rich")
const idOf = (index: number) => start.reply.links[index]?.linkId ?? LinkId.make("")

const ask = (linkIds: ReadonlyArray<LinkId> | null, cancellableOnly = false) => ({
  ...{ orderId, keyId, linkIds, cancellableOnly, render }
})

const asOwner = { orderId, accountId, memberId, linkIds: null, render }

/** The links of the order in these states. */
const inStates = (states: ReadonlyArray<LinkStatus>): Books => ({
  ...start.books,
  links: HashMap.map(start.books.links, (link) => ({ ...link, status: states[link.index] ?? "to_assign" }))
})

const balance = (books: Books) => known(books.accounts, accountId).wallet.balanceCents
const statusesOf = ({ links }: CancelReply) => links.map(({ status }) => status)
const waiting = inStates([])

/** The order as if this key had placed it. */
const placedBy = (by: KeyId): Books => ({
  ...waiting,
  quotes: HashMap.map(waiting.quotes, (quote) => ({ ...quote, keyId: by })),
  orders: HashMap.map(waiting.orders, (order) => ({ ...order, keyId: by }))
})

const someStates = fc.array(fc.constantFrom(...Statuses.literals), { minLength: 4, maxLength: 4 })
const someAsked = fc.option(fc.subarray([0, 1, 2, 3], { minLength: 1 }), { nil: null })

describe("what an agent may cancel", () => {
  property(
    "is cancelled with `only`, credited once, and what stays is told with who can",
    [someStates, someAsked],
    (states, asked) => {
      const books = inStates(states)
      const linkIds = asked?.map(idOf) ?? null
      const { reply, books: after } = when(books, cancelOwnOrder(ask(linkIds, true)))
      const named = (asked ?? [0, 1, 2, 3]).map((index) => known(books.links, idOf(index)))
      const { cancelled, kept } = outcomeOf(reply.asked)
      expect([...cancelled, ...kept.map(({ link }) => link.linkId)].toSorted()).toEqual(
        named.map(({ linkId }) => linkId).toSorted()
      )
      expect(kept.every(({ link, whoCan }) => link.status !== "to_assign" && whoCan === "operator")).toBe(true)
      const open = named.filter((link) => judgeCancel(link) === "open")
      const cents = open.reduce((sum, { netCents }: Link) => sum + netCents, 0)
      expect(balance(after) - balance(books)).toBe(cents)
      // Sent again, it says the same, and nothing is written.
      const again = when(after, cancelOwnOrder(ask(linkIds, true)))
      expect([again.reply, again.written]).toEqual([reply, []])
      // What was not asked for stays.
      for (const link of HashMap.values(books.links))
        if (!named.some(({ linkId }) => linkId === link.linkId)) expect(known(after.links, link.linkId)).toEqual(link)
    }
  )

  property(
    "is all of the links or none without `only`, of which those that are cancelled count",
    [someStates, someAsked],
    (states, asked) => {
      const books = inStates(states)
      const linkIds = asked?.map(idOf) ?? null
      const named = (asked ?? [0, 1, 2, 3]).map((index) => known(books.links, idOf(index)))
      const begun = named.filter((link) => judgeCancel(link) === "kept")
      const result = decide(books, cancelOwnOrder(ask(linkIds)))
      expect(Result.isSuccess(result)).toBe(begun.length === 0)
      if (Result.isSuccess(result)) {
        expect(outcomeOf(result.success.reply.asked)).toEqual({
          cancelled: named.map(({ linkId }) => linkId),
          kept: []
        })
        expect(when(result.success.books, cancelOwnOrder(ask(linkIds))).written).toEqual([])
      } else {
        const links = begun.map(({ linkId, status }) => ({ linkId, status }))
        expect({ ...result.failure }).toMatchObject({ _tag: "LinksNotCancellable", links })
      }
    }
  )

  it("is nothing of an order of the Shop, whichever key asks, with `only` too", () => {
    const web = webCredentialId(accountId)
    for (const by of [keyId, web])
      for (const only of [false, true]) {
        const refusal = refused(placedBy(web), cancelOwnOrder({ ...ask(null, only), keyId: by }))
        expect(refusal).toMatchObject({ _tag: "OrderNotCancellable", decidedBy: "human", whoCan: "owner" })
      }
  })

  it("is nothing of another key's order; once work has begun on all of it, the operator alone can", () => {
    const other = { ...ask(null, true), keyId: KeyId.make("key_other") }
    expect(refused(waiting, cancelOwnOrder(other))).toMatchObject({ decidedBy: "another", whoCan: "owner" })
    const begun = inStates(["assigned", "drafted", "published", "cancelled"])
    expect(refused(begun, cancelOwnOrder(other))).toMatchObject({ decidedBy: "another", whoCan: "operator" })
  })

  it("is audited with the key's name", () => {
    const { books } = when(waiting, cancelOwnOrder(ask(null)))
    const actors = HashMap.toValues(books.audit).filter(({ action }) => action === "link.cancel")
    expect(actors.map(({ actor }) => actor)).toEqual(SITES.map(() => "key_rich"))
  })
})

describe("what an owner may cancel", () => {
  it("is each link of any order on which no work has begun, no matter who placed it", () => {
    for (const by of [keyId, webCredentialId(accountId), KeyId.make("key_gone")]) {
      const { reply, books } = when(placedBy(by), cancelForOwner(asOwner))
      expect(statusesOf(reply)).toEqual(SITES.map(() => "cancelled"))
      expect(balance(books)).toBe(10_000)
      expect(reply.links[0]?.statusReason).toContain("owner")
      const again = when(books, cancelForOwner(asOwner))
      expect([again.reply, again.written]).toEqual([reply, []])
    }
  })

  it("is all of it or nothing", () => {
    const { books } = when(
      waiting,
      moveLink({ linkId: idOf(1), to: "assigned", publishedUrl: null, reason: null, actor: null, render })
    )
    expect(refused(books, cancelForOwner(asOwner))).toMatchObject({
      _tag: "LinksNotCancellable",
      links: [{ linkId: idOf(1), status: "assigned" }]
    })
    const others = { ...asOwner, linkIds: [idOf(0), idOf(2), idOf(3)] }
    expect(statusesOf(when(books, cancelForOwner(others)).reply)).toEqual([
      "cancelled",
      "assigned",
      "cancelled",
      "cancelled"
    ])
  })

  it("is nothing for a viewer, a stranger, or an owner of another account", () => {
    const viewer = { ...waiting, members: HashMap.map(waiting.members, (one) => ({ ...one, role: "viewer" as const })) }
    expect(refused(viewer, cancelForOwner(asOwner))).toMatchObject({ _tag: "OwnerOnly" })
    expect(refused(waiting, cancelForOwner({ ...asOwner, memberId: MemberId.make("mem_none") }))).toMatchObject({
      _tag: "OwnerOnly"
    })
    expect(refused(waiting, cancelForOwner({ ...asOwner, accountId: AccountId.make("acc_poor") }))).toMatchObject({
      _tag: "OrderNotFound"
    })
  })

  it("is nothing while its payment is disputed, nor once it was refunded; a dispute that was won is over", () => {
    const bought = placed(given(), orderBy("key_poor", { items: [item({ siteId: 3 })] }))
    const { quoteId } = bought
    const payment = {
      paymentId: PaymentId.make("pay_1"),
      quoteId,
      amountCents: bought.reply.quote.cardCents,
      currency: "EUR"
    }
    const { books } = when(bought.books, settlePayment(payment, rules))
    const [order] = HashMap.toValues(books.orders).filter((one) => one.quoteId === quoteId)
    const its = {
      ...asOwner,
      orderId: order?.orderId ?? OrderId.make(""),
      accountId: AccountId.make("acc_poor"),
      memberId: MemberId.make("mem_poor")
    }
    const dispute = { reversalId: ReversalId.make("dp_1"), quoteId, kind: "dispute" as const, cents: 500 }
    const told = (state: "open" | "final" | "won") => when(books, recordReversal({ ...dispute, state })).books
    for (const state of ["open", "final"] as const) {
      const refusal = refused(told(state), cancelForOwner(its))
      expect(refusal).toMatchObject({ _tag: "OrderPaymentReversed" })
    }
    const { books: after } = when(told("won"), cancelForOwner(its))
    expect(movements(after, "acc_poor").at(-1)).toBe(`recredit ${bought.reply.quote.totalCents}`)
  })
})
