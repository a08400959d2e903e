// A quote that awaits approval is decided once, by an owner, while its time lasts and its key is good.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { revokeKey } from "#core/decisions/access/Keys.ts"
import type { Books } from "#core/decisions/Books.ts"
import type { MadeBy } from "#core/decisions/members/Members.ts"
import { abandonUnapproved, approveQuote, declineQuote } from "#core/decisions/ordering/ApproveQuote.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import type { Member } from "#core/domain/members/Member.ts"
import { AccountId, HoldId, KeyId, MemberId, type QuoteId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { storedChoices } from "#core/domain/webhooks/Subscription.ts"
import { known, movements } from "#test/core/BookReads.ts"
import {
  account,
  given,
  HOUR_MS,
  insertion,
  key,
  NOON,
  orderBy,
  QUOTE_TTL_MS,
  render,
  rules,
  subscription
} from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const member = (id: string, accountId: string, role: "owner" | "viewer"): readonly [MemberId, Member] => {
  const memberId = MemberId.make(id)
  const belongs = { memberId, accountId: AccountId.make(accountId) }
  return [memberId, { ...belongs, email: `${id}@a.example`, role, createdAtMs: NOON, removedAtMs: null }]
}

const asks = key("key_rich", "acc_rich", { limits: { ...noLimits, approveAboveCents: 0 } })

const start = (balanceCents: number): Books => ({
  ...given({ accounts: [account("acc_rich", balanceCents)], keys: [asks] }),
  members: HashMap.make(
    member("mem_owner", "acc_rich", "owner"),
    member("mem_viewer", "acc_rich", "viewer"),
    member("mem_other", "acc_poor", "owner")
  )
})

const owner = { memberId: MemberId.make("mem_owner") }
const order = orderBy("key_rich", { items: [insertion(11)] }, { idempotency: { key: "k", fingerprint: "f" } })
const rich = placed(start(10_000), order)
const partly = placed(start(100), order)

const approve = (quoteId: QuoteId, by: MadeBy) =>
  approveQuote({ ...rules, quoteId, by, sandboxPage: (token) => `https://shop.example/pay/${token}` })
const decline = (quoteId: QuoteId, reason: string, by: MadeBy = owner) => declineQuote({ quoteId, by, reason, render })

describe("an order that waits while the account owes something", () => {
  const owing = (books: Books): Books => ({
    ...books,
    accounts: HashMap.map(books.accounts, (one) => ({ ...one, owedCents: 300 }))
  })

  it("is not approved if it takes credit, and can be declined", () => {
    for (const { books, quoteId } of [rich, partly]) {
      expect(refused(owing(books), approve(quoteId, owner))).toMatchObject({ rule: "credit_owed", owedCents: 300 })
      const declined = when(owing(books), decline(quoteId, ""))
      expect(declined.reply.status).toBe("abandoned")
      // What its hold sets free pays the debt.
      expect(movements(declined.books, "acc_rich").at(-1)).toMatch(/^adjustment/)
    }
  })

  it("is approved if the card alone pays it", () => {
    const byCard = placed(start(0), order)
    expect(when(owing(byCard.books), approve(byCard.quoteId, owner)).reply.status).toBe("awaiting_payment")
  })
})

describe("an order that waits", () => {
  it("holds its credit and its article, although credit covers it", () => {
    expect(rich.reply.order).toBeNull()
    expect(rich.reply.quote).toMatchObject({ status: "awaiting_approval", paymentUrl: null, cardCents: 0 })
    expect(movements(rich.books, "acc_rich")).toEqual(["hold 400"])
    expect(known(rich.books.articles, 11).sale).toMatchObject({ state: "reserved", quoteId: rich.quoteId })
  })

  it("becomes an order when an owner approves it", () => {
    const { reply, books } = when(rich.books, approve(rich.quoteId, owner), NOON + HOUR_MS)
    expect(reply).toMatchObject({ status: "paid", approvedBy: "mem_owner", approvedAtMs: NOON + HOUR_MS })
    expect(movements(books, "acc_rich")).toEqual(["hold 400", "capture 400"])
    expect(known(books.articles, 11).sale.state).toBe("sold")
    expect(known(books.bindings, "acc_rich/live/k").response?.body).toContain('"paid"')
  })

  it("awaits payment when a card part is left, with its whole life before it and no response yet", () => {
    const { reply, books } = when(partly.books, approve(partly.quoteId, owner), NOON + HOUR_MS)
    const expiresAtMs = NOON + HOUR_MS + QUOTE_TTL_MS
    expect(reply).toMatchObject({ status: "awaiting_payment", expiresAtMs, paymentUrl: null })
    expect(known(books.holds, reply.holdId ?? HoldId.make(""))).toMatchObject({ state: "open", expiresAtMs })
    expect(known(books.articles, 11).sale).toMatchObject({ state: "reserved", untilMs: expiresAtMs })
    expect(known(books.bindings, "acc_rich/live/k").response).toBeNull()
  })

  it("comes to nothing when it is declined, with the word for the agent", () => {
    const { reply, books } = when(rich.books, decline(rich.quoteId, "Too dear."))
    expect(reply).toMatchObject({ status: "abandoned", abandonedBy: "human", declinedReason: "Too dear." })
    expect(movements(books, "acc_rich")).toEqual(["hold 400", "release 400"])
    expect(known(books.articles, 11).sale).toEqual({ state: "free" })
    expect(known(books.bindings, "acc_rich/live/k").response?.body).toContain('"abandoned"')
  })

  it.each(["mem_viewer", "mem_other", "mem_none"])("is decided by owners only, not by %s", (memberId) => {
    expect(refused(rich.books, approve(rich.quoteId, { memberId: MemberId.make(memberId) }))._tag).toBe("OwnerOnly")
    expect(refused(rich.books, decline(rich.quoteId, "", { memberId: MemberId.make(memberId) }))._tag).toBe("OwnerOnly")
  })

  it("is decided once", () => {
    const approved = when(rich.books, approve(rich.quoteId, owner))
    expect(refused(approved.books, decline(rich.quoteId, ""))).toMatchObject({
      _tag: "QuoteNotOpen",
      status: "paid"
    })
    const declined = when(rich.books, decline(rich.quoteId, ""))
    expect(refused(declined.books, approve(rich.quoteId, owner))).toMatchObject({
      _tag: "QuoteNotOpen",
      status: "abandoned"
    })
  })

  it("lapses instead when its time is over", () => {
    const { reply, books } = when(rich.books, approve(rich.quoteId, owner), NOON + QUOTE_TTL_MS)
    expect(reply).toMatchObject({ status: "abandoned", abandonedBy: "expiry", declinedReason: null })
    expect(movements(books, "acc_rich")).toEqual(["hold 400", "release 400"])
  })

  it("is abandoned when its key was revoked, and cannot be approved any more", () => {
    const { books } = when(rich.books, revokeKey(KeyId.make("key_rich"), null))
    expect(when(rich.books, abandonUnapproved(rich.quoteId, render)).written).toEqual([])
    const swept = when(books, abandonUnapproved(rich.quoteId, render))
    expect(swept.reply).toMatchObject({ status: "abandoned", abandonedBy: "human" })
    expect(when(books, approve(rich.quoteId, owner)).reply.status).toBe("abandoned")
    expect(movements(swept.books, "acc_rich")).toEqual(["hold 400", "release 400"])
  })

  it.each([
    ["mem_owner", "human"],
    ["olga", "operator"],
    [null, "human"]
  ])("that ends with its key, which %s revoked, was abandoned by: %s", (actor, by) => {
    const told = subscription("wh_1", storedChoices(["quote.abandoned"]))
    const { books } = when(rich.books, revokeKey(KeyId.make("key_rich"), actor))
    const rendered: Array<unknown> = []
    const quoteEvent: Rendering["quoteEvent"] = (data) => {
      rendered.push([data.type, data.by])
      return ""
    }
    const heard = { ...books, subscriptions: HashMap.make([told.webhookId, told]) }
    when(heard, abandonUnapproved(rich.quoteId, { ...render, quoteEvent }))
    expect(rendered[0]).toEqual(["quote.abandoned", by])
  })
})
