// Accounts are opened empty and receive top-ups.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { emptyBooks } from "#core/decisions/Books.ts"
import { changeEmail, openAccount } from "#core/decisions/members/Accounts.ts"
import { debitOnce, topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import { AccountId } from "#core/domain/shared/Ids.ts"
import { known, ledgerOf, movements } from "#test/core/BookReads.ts"
import { account, given, item, NOON, orderBy } from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const input = { name: "Anna", email: "anna@example.com", actor: "olga" }

describe("an account", () => {
  const { reply, books, written } = when(emptyBooks, openAccount(input))

  it("begins with no credit and the welcome offer", () => {
    expect(reply).toEqual({
      accountId: expect.stringMatching(/^acc_[0-9a-z]{28}$/),
      name: "Anna",
      email: "anna@example.com",
      wallet: { balanceCents: 0, heldCents: 0 },
      welcome: { state: "available" },
      createdAtMs: NOON
    })
    expect(known(books.accounts, reply.accountId)).toEqual(reply)
  })

  it("is audited if there is an actor", () => {
    expect(written).toEqual(["AccountOpened", "MemberSaved", "AuditRecorded"])
    expect([...HashMap.values(books.audit)]).toEqual([
      {
        auditId: expect.stringMatching(/^aud_/),
        actor: "olga",
        action: "account.open",
        subject: reply.accountId,
        accountId: reply.accountId,
        details: { name: "Anna", email: "anna@example.com" },
        atMs: NOON
      }
    ])
    expect(when(emptyBooks, openAccount({ ...input, actor: null })).written).toEqual(["AccountOpened", "MemberSaved"])
  })
})

describe("an address", () => {
  const { books, reply: anna } = when(emptyBooks, openAccount(input))
  const { accountId } = anna
  const taken = { _tag: "EmailTaken", accountId }

  it.each(["anna@example.com", "  Anna@EXAMPLE.com "])("that an account has, as %j, opens no other", (email) => {
    expect(refused(books, openAccount({ ...input, email }))).toMatchObject({ ...taken, email: email.trim() })
  })

  it("is kept as it is written, without the blanks around it", () => {
    expect(when(emptyBooks, openAccount({ ...input, email: " Anna@Example.com " })).reply.email).toBe(
      "Anna@Example.com"
    )
  })

  it("differs by letters beyond A to Z, however they are written", () => {
    const two = when(books, openAccount({ ...input, email: "Ä@example.com" }))
    expect(when(two.books, openAccount({ ...input, email: "ä@example.com" })).written).toContain("AccountOpened")
  })

  it("can be changed to one that no other account has, and is then free", () => {
    const two = when(books, openAccount({ ...input, email: "ben@example.com" }))
    const change = { accountId: two.reply.accountId, email: " Ben@example.com", actor: "olga" }
    expect(refused(two.books, changeEmail({ ...change, email: "ANNA@example.com" }))).toMatchObject(taken)
    expect(refused(two.books, changeEmail({ ...change, accountId: AccountId.make("acc_none") }))._tag).toBe(
      "AccountNotFound"
    )
    const respelt = when(two.books, changeEmail(change))
    expect(respelt.written).toEqual(["EmailChanged", "MemberSaved", "AuditRecorded"])
    expect(known(respelt.books.accounts, change.accountId).email).toBe("Ben@example.com")
    expect(when(respelt.books, changeEmail(change)).written).toEqual([])
    const moved = when(respelt.books, changeEmail({ ...change, email: "carl@example.com" }))
    expect(when(moved.books, openAccount({ ...input, email: "ben@example.com" })).written).toContain("AccountOpened")
  })
})

describe("a top-up", () => {
  const paidIn = { accountId: AccountId.make("acc_poor"), cents: 2_500, reference: "transfer 7", actor: "olga" }
  const { reply, books, written } = when(given(), topUp(paidIn))

  it("is in the wallet and in the ledger", () => {
    expect(reply).toEqual({
      entryId: expect.stringMatching(/^led_/),
      accountId: "acc_poor",
      kind: "top_up",
      amountCents: 2_500,
      balanceDeltaCents: 2_500,
      heldDeltaCents: 0,
      balanceAfterCents: 2_500,
      heldAfterCents: 0,
      quoteId: null,
      orderId: null,
      linkId: null,
      atMs: NOON
    })
    expect(ledgerOf(books, "acc_poor")).toEqual([reply])
    expect(known(books.accounts, "acc_poor").wallet).toEqual({ balanceCents: 2_500, heldCents: 0 })
  })

  it("is audited with its reference", () => {
    expect(written).toEqual(["Credited", "AuditRecorded"])
    expect([...HashMap.values(books.audit)]).toMatchObject([
      { action: "account.top_up", subject: "acc_poor", details: { cents: 2_500, reference: "transfer 7" } }
    ])
  })

  it("does not change an open hold", () => {
    const open = placed(
      given({ accounts: [account("acc_poor", 1_000)] }),
      orderBy("key_poor", { items: [item({ siteId: 3 })] })
    )
    const then = when(open.books, topUp(paidIn))
    expect(known(then.books.accounts, "acc_poor").wallet).toEqual({
      balanceCents: 3_500,
      heldCents: 1_000
    })
    expect(movements(then.books, "acc_poor")).toEqual(["hold 1000", "top_up 2500"])
  })

  it("requires an existing account", () => {
    expect(refused(given(), topUp({ ...paidIn, accountId: AccountId.make("acc_none") }))).toMatchObject({
      _tag: "AccountNotFound",
      accountId: "acc_none"
    })
  })

  it.each([0, -5, 0.5])("of %d cents is a defect of the caller and throws", (cents) => {
    expect(() => when(given(), topUp({ ...paidIn, cents }))).toThrow()
  })
})

describe("an adjustment", () => {
  const taken = {
    accountId: AccountId.make("acc_poor"),
    cents: 1_500,
    reference: "transfer 7",
    reason: "mistyped",
    actor: "olga"
  }

  it("lowers the balance, at most to what is held", () => {
    const asked = placed(
      given({ accounts: [account("acc_poor", 1_000)] }),
      orderBy("key_poor", { items: [item({ siteId: 3 })] })
    )
    const open = when(
      asked.books,
      topUp({ accountId: AccountId.make("acc_poor"), cents: 2_000, reference: "transfer 7", actor: null })
    )
    const then = when(open.books, debitOnce(taken))
    expect(then.written).toEqual(["Debited", "AuditRecorded"])
    expect(then.reply).toMatchObject({ repeated: false, entry: { kind: "adjustment", reference: "transfer 7" } })
    expect(known(then.books.accounts, "acc_poor").wallet).toEqual({
      balanceCents: 1_500,
      heldCents: 1_000
    })
    expect(refused(then.books, debitOnce({ ...taken, reference: "r", cents: 501 }))).toMatchObject({
      _tag: "BalanceTooLow",
      availableCents: 500
    })
    expect(when(then.books, debitOnce(taken))).toMatchObject({ written: [], reply: { repeated: true } })
  })

  it("requires an existing account", () => {
    expect(refused(given(), debitOnce({ ...taken, accountId: AccountId.make("acc_none") }))).toMatchObject({
      _tag: "AccountNotFound"
    })
  })
})
