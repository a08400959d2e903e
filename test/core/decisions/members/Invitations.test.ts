// Invitations as pure decisions: what they refuse, what ends them, and, whatever happens in whatever order, whom they make members.
import { HashMap, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import { violationsOf } from "#core/decisions/Invariants.ts"
import { closeAccount } from "#core/decisions/members/AccountState.ts"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { acceptInvitation, inviteMember, withdrawInvitation } from "#core/decisions/members/Invitations.ts"
import { activeMembers, endMembers, removeMember } from "#core/decisions/members/Members.ts"
import { emailKey } from "#core/domain/members/Account.ts"
import { INVITATION_MS, type Invitation, isOpenInvitation } from "#core/domain/members/Invitation.ts"
import { DAY_MS, utcDay } from "#core/domain/shared/DecisionContext.ts"
import { AccountId, InvitationId, MemberId } from "#core/domain/shared/Ids.ts"
import { account, given, NOON, stock } from "#test/core/Given.ts"
import { decide, refused, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const [home, elsewhere] = [AccountId.make("acc_rich"), AccountId.make("acc_poor")]
const books = given({
  accounts: stock.accounts.map(({ accountId }) => account(accountId, 0, { welcome: { state: "available" } }))
})
const by = { operator: "olga" }
const invited = { accountId: home, email: " Bo@brand.example ", role: "viewer" as const, by }

const accepting = ({ invitationId, email }: Invitation) => acceptInvitation({ invitationId, email })

describe("an invitation", () => {
  const { reply: invitation, books: after, written } = when(books, inviteMember(invited))

  it("is open for seven days, has a record in the audit log, and makes no member", () => {
    expect(invitation).toMatchObject({ email: "Bo@brand.example", outcome: null, expiresAtMs: NOON + INVITATION_MS })
    expect(written).toEqual(["InvitationSaved", "AuditRecorded"])
    expect(after.members).toBe(books.members)
  })

  it("makes a member once it is accepted, and not again", () => {
    const joined = when(after, accepting(invitation))
    expect(joined.reply).toMatchObject({ accountId: home, email: "Bo@brand.example", role: "viewer" })
    expect(joined.written).toEqual(["MemberSaved", "InvitationSaved", "AuditRecorded"])
    expect([...HashMap.values(joined.books.audit)].at(-1)?.actor ?? "").toMatch(/^(mem_|olga)/)
    expect(refused(joined.books, accepting(invitation))).toMatchObject({ reason: "accepted" })
  })

  it("ends by its withdrawal, by time, and with its account or its members", () => {
    const withdrawing = withdrawInvitation({ accountId: home, invitationId: invitation.invitationId, by })
    const ends = [withdrawing, closeAccount(home, "asked for", "olga"), endMembers(home, "olga")]
    for (const ending of ends) {
      const ended = decide<unknown>(after, ending)
      const then = Result.isSuccess(ended) ? ended.success.books : after
      expect(refused(then, accepting(invitation))).toMatchObject({ _tag: "InvitationEnded", reason: "withdrawn" })
      // It is withdrawn already, which is a success.
      expect(when(then, withdrawing).written).toEqual([])
    }
    const lateMs = NOON + INVITATION_MS
    expect(refused(after, accepting(invitation), lateMs)).toMatchObject({ reason: "expired" })
    expect(refused(after, withdrawing, lateMs)).toMatchObject({ _tag: "InvitationNotFound" })
    expect(when(after, accepting(invitation), lateMs - 1).reply.accountId).toBe(home)
  })

  it("is for its own address and of its own account", () => {
    const { invitationId } = invitation
    expect(refused(after, acceptInvitation({ invitationId, email: "eve@brand.example" }))).toMatchObject({
      reason: "unknown"
    })
    const unknown = InvitationId.make("ivt_none")
    expect(refused(after, acceptInvitation({ invitationId: unknown, email: invitation.email }))).toMatchObject({
      reason: "unknown"
    })
    expect(refused(after, withdrawInvitation({ accountId: elsewhere, invitationId, by }))).toMatchObject({
      _tag: "InvitationNotFound"
    })
  })

  it("leaves who belongs to another account there, and stays open", () => {
    const opened = when(after, openAccount({ name: "Bo", email: "bo@BRAND.example", actor: null }))
    const { accountId } = opened.reply
    expect(refused(opened.books, accepting(invitation))).toMatchObject({ _tag: "EmailTaken", accountId })
    expect(HashMap.getUnsafe(opened.books.invitations, invitation.invitationId).outcome).toBe(null)
  })

  it("is refused for viewers and for closed accounts", () => {
    const joined = when(after, accepting(invitation))
    const asViewer = { memberId: joined.reply.memberId }
    const another = { ...invited, email: "cy@brand.example" }
    expect(refused(joined.books, inviteMember({ ...another, by: asViewer }))).toMatchObject({ _tag: "OwnerOnly" })
    const closed = when(after, closeAccount(home, "asked for", "olga")).books
    expect(refused(closed, inviteMember(another))).toMatchObject({ _tag: "AccountClosed" })
  })

  it("answers alike, whatever is known of the address elsewhere", () => {
    const known = when(books, openAccount({ name: "Bo", email: "bo@brand.example", actor: null })).books
    const invitedElsewhere = when(books, inviteMember({ ...invited, accountId: elsewhere })).books
    for (const other of [known, invitedElsewhere]) {
      const { reply } = when(other, inviteMember(invited))
      expect({ ...reply, invitationId: invitation.invitationId }).toEqual(invitation)
    }
  })
})

const addresses = ["bo@brand.example", "Bo@Brand.example", "cy@brand.example", "di@brand.example"]
const nth = fc.nat({ max: 50 })

/** What may happen, in any order. */
const step = fc.oneof(
  fc.record({ do: fc.constant("invite" as const), at: fc.constantFrom(home, elsewhere), who: nth }),
  fc.record({ do: fc.constantFrom("accept" as const, "withdraw" as const, "remove" as const), which: nth }),
  fc.record({ do: fc.constant("open" as const), who: nth }),
  fc.record({ do: fc.constantFrom("wait" as const), days: fc.nat({ max: 4 }) }),
  fc.record({ do: fc.constant("close" as const), at: fc.constantFrom(home, elsewhere) })
)

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const pickOf = <A>(all: ReadonlyArray<A>, index: number): A | undefined => all[index % Math.max(1, all.length)]

const emailOf = (who: number): string => addresses[who] ?? `person${who}@brand.example`

const decisionOf = (now: Books, one: Exclude<Step, { readonly do: "wait" }>): Decide<unknown> => {
  const invitations = HashMap.toValues(now.invitations)
  switch (one.do) {
    case "invite":
      return inviteMember({ accountId: one.at, email: emailOf(one.who), role: "owner", by })
    case "open":
      return openAccount({ name: "Own", email: emailOf(one.who), actor: null })
    case "close":
      return closeAccount(one.at, "asked for", "olga")
    case "remove": {
      const member = pickOf(HashMap.toValues(now.members), one.which)
      const memberId = member?.memberId ?? MemberId.make("mem_none")
      return removeMember({ accountId: member?.accountId ?? home, memberId, by })
    }
    case "accept":
    case "withdraw": {
      const {
        invitationId = InvitationId.make(""),
        accountId = home,
        email = ""
      } = pickOf(invitations, one.which) ?? {}
      return one.do === "accept"
        ? acceptInvitation({ invitationId, email })
        : withdrawInvitation({ accountId, invitationId, by })
    }
  }
}

const boundsHold = (now: Books, nowMs: number): void => {
  for (const accountId of [home, elsewhere]) {
    const own = HashMap.toValues(now.invitations).filter((one) => one.accountId === accountId)
    const open = own.filter((one) => isOpenInvitation(one, nowMs)).length
    expect(open === 0 || open + activeMembers(now, accountId).length <= 10).toBe(true)
    for (const [, ofDay] of Map.groupBy(own, ({ createdAtMs }) => utcDay(createdAtMs)))
      expect(ofDay.length).toBeLessThanOrEqual(5)
  }
  const active = HashMap.toValues(now.members).filter(({ removedAtMs }) => removedAtMs === null)
  expect(new Set(active.map(({ email }) => emailKey(email))).size).toBe(active.length)
}

property(
  "invitations: only accepting makes members, within the bounds, and each address belongs to one account",
  [fc.array(step, { maxLength: 60 })],
  (steps) => {
    let [now, nowMs] = [books, NOON]
    for (const one of steps) {
      if (one.do === "wait") {
        nowMs += one.days * DAY_MS
        continue
      }
      const before = now
      const result = decide<unknown>(now, decisionOf(now, one), nowMs)
      if (Result.isFailure(result)) continue
      now = result.success.books
      const joined = HashMap.size(now.members) - HashMap.size(before.members)
      expect(joined).toBe(one.do === "accept" || one.do === "open" ? 1 : 0)
      boundsHold(now, nowMs)
    }
    expect(violationsOf(now, nowMs)).toEqual([])
  }
)
