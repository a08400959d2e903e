// The laws of members, sessions, top-ups and self-opened accounts over books in memory, each broken by one record.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { violationsOf } from "#core/decisions/Invariants.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { Session } from "#core/domain/members/Session.ts"
import {
  AccountId,
  InvitationId,
  MemberId,
  PaymentId,
  type QuoteId,
  SessionId,
  TopUpId
} from "#core/domain/shared/Ids.ts"
import type { TopUp } from "#core/domain/wallet/TopUp.ts"
import { account, given, NOON, orderBy, stock } from "#test/core/Given.ts"
import { placed } from "#test/core/RunDecision.ts"

const accounts = stock.accounts.map(({ accountId }) => account(accountId, 0, { selfOpened: true }))
const sound = given({ accounts })

const member = (over: Partial<Member>): Member => ({
  ...{
    memberId: MemberId.make("mem_more"),
    accountId: AccountId.make("acc_rich"),
    email: "more@example.com",
    role: "viewer"
  },
  ...{ createdAtMs: NOON, removedAtMs: null },
  ...over
})

const session = (over: Partial<Session>): Session => ({
  ...{
    sessionId: SessionId.make("ses_1"),
    hash: "a".repeat(64),
    memberId: MemberId.make("mem_rich"),
    method: "link",
    network: "",
    userAgent: ""
  },
  ...{ createdAtMs: NOON, lastUsedAtMs: NOON, endedAtMs: null, confirmedAtMs: null, cart: null },
  ...over
})

const topUp = (over: Partial<TopUp>): TopUp => ({
  ...{
    topUpId: TopUpId.make("top_1"),
    accountId: AccountId.make("acc_rich"),
    memberId: MemberId.make("mem_rich"),
    cents: 500,
    status: "open"
  },
  ...{ paymentToken: "t", sessionId: null, paymentUrl: null, paymentId: null, createdAtMs: NOON, expiresAtMs: NOON },
  ...over
})

/** Both opened themselves; the second one's quote was made after the first one's order. */
const inTurn = (() => {
  const opened = ["acc_rich", "acc_poor"].map((id) => account(id, 1_000, { selfOpened: true }))
  const first = placed(given({ accounts: opened }), orderBy("key_rich"))
  const second = placed(first.books, orderBy("key_poor"), NOON + 1)
  const use = (domain: string, accountId: string, quoteId: QuoteId, registrable?: true) => ({
    ...{ domain, accountId: AccountId.make(accountId), quoteId, untilMs: null },
    ...(registrable === undefined ? {} : { registrable })
  })
  return (domain: string) => ({
    ...second.books,
    welcomeUses: HashMap.make(
      ["a", use("shop.brand.example", "acc_rich", first.quoteId)],
      ["b", use(domain, "acc_poor", second.quoteId, true)]
    )
  })
})()

const withMember = (one: Member): Books => ({ ...sound, members: HashMap.set(sound.members, one.memberId, one) })
const withInvitations = (count: number): Books => ({
  ...sound,
  invitations: HashMap.fromIterable(
    Array.from({ length: count }, (_, nth) => {
      const invitationId = InvitationId.make(`ivt_${nth}`)
      const times = { createdAtMs: NOON, expiresAtMs: NOON + 1, endedAtMs: null }
      const role = "viewer" as const
      const named = { invitationId, accountId: AccountId.make("acc_rich"), email: `${nth}@example.com`, role }
      return [invitationId, { ...named, ...times, invitedBy: "op", outcome: null }] as const
    })
  )
})
const closedAccounts = HashMap.map(sound.accounts, (one) => ({ ...one, closedAtMs: NOON }))
const withSession = (one: Session): Books => ({ ...sound, sessions: HashMap.make([one.sessionId, one]) })
const withTopUp = (one: TopUp): Books => ({ ...sound, topUps: HashMap.make([one.topUpId, one]) })

const brokenIn = (books: Books) => new Set(violationsOf(books, NOON).map(({ invariant }) => invariant))

describe("the people of accounts", () => {
  it("are sound as they are given, with as many invitations as there is room for", () => {
    expect(brokenIn(sound)).toEqual(new Set())
    expect(brokenIn(withInvitations(9))).toEqual(new Set())
  })

  const breaks: ReadonlyArray<readonly [what: string, invariant: string, books: Books]> = [
    [
      "no member",
      "account_has_members",
      { ...sound, members: HashMap.remove(sound.members, MemberId.make("mem_rich")) }
    ],
    [
      "viewers alone",
      "account_has_members",
      withMember(member({ memberId: MemberId.make("mem_rich"), email: "acc_rich@example.com" }))
    ],
    ["more invitations than it has room for", "invitations_are_few", withInvitations(10)],
    [
      "an open invitation to a closed account",
      "invitations_are_few",
      { ...withInvitations(1), accounts: closedAccounts }
    ],
    ["an address twice", "address_signs_in_once", withMember(member({ email: "ACC_RICH@example.com" }))],
    ["another account's address", "address_signs_in_once", withMember(member({ email: "acc_poor@example.com" }))],
    [
      "a session of an unknown member",
      "session_is_a_members",
      withSession(session({ memberId: MemberId.make("mem_none") }))
    ],
    ["a session with its token", "session_is_a_members", withSession(session({ hash: "token" }))],
    [
      "a paid top-up without entry",
      "top_up_is_booked_once",
      withTopUp(topUp({ status: "paid", paymentId: PaymentId.make("pay_1") }))
    ],
    [
      "an open top-up with a payment",
      "top_up_is_booked_once",
      withTopUp(topUp({ paymentId: PaymentId.make("pay_1") }))
    ],
    [
      "a debt without a reversal",
      "owed_is_what_is_missing",
      { ...sound, accounts: HashMap.map(sound.accounts, (one) => ({ ...one, owedCents: 1 })) }
    ],
    [
      "a top-up that gives back what no reversal names",
      "owed_is_what_is_missing",
      withTopUp(topUp({ status: "paid", paymentId: PaymentId.make("pay_1"), reversedCents: 1 }))
    ],
    [
      "two that opened themselves and spent the offer for one domain",
      "welcome_is_once_per_domain",
      inTurn("brand.example")
    ]
  ]

  it("are whole where two of them spent it for other domains", () => {
    expect(brokenIn(inTurn("other.example"))).not.toContain("welcome_is_once_per_domain")
  })

  it.each(breaks)("are broken by %s", (_what, invariant, books) => expect(brokenIn(books)).toContain(invariant))
})
