// What every store promises of invitations: how they are read and mailed, and that an address belongs to one account, under concurrent
// decisions too.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { closeAccount } from "#core/decisions/members/AccountState.ts"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { endMembers } from "#core/decisions/members/Members.ts"
import { INVITATION_KEPT_MS, INVITATION_MS } from "#core/domain/members/Invitation.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { InvitationId, MemberId } from "#core/domain/shared/Ids.ts"
import { Invitations } from "#core/ports/members/Invitations.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { outboxPromises } from "../OutboxPromises.ts"
import { actor, buyer } from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { accept, invite, record, someone, withdraw } from "./InvitationSteps.ts"

/** An account whose invitations go to different people, as a receiver of the queue of mails. */
const trial = Effect.gen(function* () {
  const { account } = yield* buyer()
  const { accountId } = account
  const invitations = yield* Invitations
  return {
    add: Effect.map(
      Effect.suspend(() => invite(accountId, someone())),
      ({ invitationId }) => [invitationId]
    ),
    claim: (claim) =>
      Effect.map(invitations.claimMails(claim), (found) =>
        found
          .filter(({ invitation }) => invitation.accountId === accountId)
          .map(({ invitation: { invitationId }, attempts }) => {
            const settle = (next: Parameters<typeof invitations.settleMail>[1]) =>
              Effect.flatMap(Clock.currentTimeMillis, (nowMs) => invitations.settleMail(invitationId, next, nowMs))
            return {
              ids: [invitationId],
              done: settle(null),
              release: settle({ nextAtMs: 0, attempts }),
              fail: Effect.gen(function* () {
                const nextAtMs = (yield* Clock.currentTimeMillis) + 30_000
                yield* settle({ nextAtMs, attempts: attempts + 1 })
                return nextAtMs
              })
            }
          })
      )
  } satisfies Effect.Success<Parameters<typeof outboxPromises>[1]>
})

const claimAt = (nowMs: number) =>
  Effect.flatMap(Invitations, ({ claimMails }) => claimMails({ nowMs, leaseMs: 60_000, limit: 10_000 }))

export const invitationMailsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Mails of invitations of ${name}`, store, (it) => {
    outboxPromises(it, trial)

    it.effect("go to an address once a day, the oldest first, whichever accounts invite it; others go elsewhere", () =>
      Effect.gen(function* () {
        const nowMs = yield* Clock.currentTimeMillis
        const accounts = yield* Effect.all(times(3, () => buyer()))
        const email = someone()
        const ids: Array<InvitationId> = []
        for (const { account } of accounts)
          ids.push((yield* invite(account.accountId, email.toUpperCase())).invitationId)
        const elsewhere = yield* invite((yield* buyer()).account.accountId, someone())
        const { settleMail } = yield* Invitations
        const claimed = Effect.fnUntraced(function* (day: number) {
          const found = (yield* claimAt(nowMs + day * DAY_MS)).map(({ invitation }) => invitation.invitationId)
          for (const one of found) yield* settleMail(one, null, nowMs)
          return found.filter((one) => ids.includes(one) || one === elsewhere.invitationId)
        })
        expect(new Set(yield* claimed(0))).toEqual(new Set([ids[0], elsewhere.invitationId]))
        expect(yield* claimed(0)).toEqual([])
        expect(yield* claimed(1)).toEqual([ids[1]])
        expect(yield* claimed(2)).toEqual([ids[2]])
        expect(yield* claimed(3)).toEqual([])
      })
    )

    it.effect("are not sent for one that was withdrawn, has expired, or was made by an upgrade", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer()
        const nowMs = yield* Clock.currentTimeMillis
        const withdrawn = yield* invite(account.accountId, someone())
        yield* withdraw(withdrawn)
        const upgraded = yield* record({
          ...{ ...withdrawn, invitationId: InvitationId.make(`${withdrawn.invitationId}u`), invitedBy: null },
          ...{ outcome: null, endedAtMs: null }
        })
        const open = yield* invite(account.accountId, someone())
        const own = Effect.map(claimAt(nowMs), (found) =>
          found.filter(({ invitation }) => invitation.accountId === account.accountId)
        )
        expect((yield* own).map(({ invitation }) => invitation.invitationId)).toEqual([open.invitationId])
        expect(yield* claimAt(nowMs + 2 * INVITATION_MS)).toEqual([])
        const { keepLink, withLink } = yield* Invitations
        expect(yield* keepLink(open.invitationId, `hash of ${open.invitationId}`, nowMs)).toBe(true)
        expect(yield* keepLink(withdrawn.invitationId, "hash of none", nowMs)).toBe(false)
        expect(yield* keepLink(upgraded.invitationId, "hash of late", nowMs + 2 * INVITATION_MS)).toBe(false)
        expect((yield* withLink(`hash of ${open.invitationId}`))?.invitation).toEqual(open)
        expect(yield* withLink("hash of none")).toBe(null)
      })
    )
  })

export const invitationsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Invitations of ${name}`, store, (it) => {
    it.effect("leave the address free until one is accepted, name who invites, and are found by the address", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer()
        const { accountId, email: inviter } = account
        const [members, invitations, nowMs] = [yield* Members, yield* Invitations, yield* Clock.currentTimeMillis]
        const [owner] = yield* members.ofAccount(accountId)
        const email = someone()
        const invitation = yield* invite(accountId, ` ${email.toUpperCase()} `, {
          memberId: owner?.memberId ?? MemberId.make("")
        })
        expect(invitation).toMatchObject({ email: email.toUpperCase(), outcome: null, invitedBy: owner?.memberId })
        expect(yield* members.byEmail(email)).toBe(null)
        expect(yield* invitations.openTo(email, nowMs)).toEqual([{ invitation, accountName: "Ada", inviter }])
        expect(yield* invitations.openTo(email, nowMs + 2 * INVITATION_MS)).toEqual([])
        expect(yield* invitations.ofAccount(accountId)).toEqual([invitation])
        const member = yield* accept(invitation)
        expect((yield* members.byEmail(email))?.member).toEqual(member)
        expect(yield* invitations.openTo(email, nowMs)).toEqual([])
        expect(yield* invitations.ofAccount(accountId)).toMatchObject([{ outcome: "accepted" }])
      })
    )

    it.effect("end with their account, and with the access of its members", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { ofAccount } = yield* Invitations
        for (const ending of ["close", "end"] as const) {
          const { accountId } = (yield* buyer()).account
          const [first, second] = [yield* invite(accountId, someone()), yield* invite(accountId, someone())]
          yield* accept(first)
          const reads = { _tag: "ForAccount", accountId } as const
          if (ending === "close") yield* book.transact(reads, closeAccount(accountId, "asked for", actor))
          else yield* book.transact(reads, endMembers(accountId, actor))
          expect((yield* ofAccount(accountId)).map(({ outcome }) => outcome)).toEqual(["accepted", "withdrawn"])
          expect(yield* Effect.flip(accept(second))).toMatchObject({ _tag: "InvitationEnded", reason: "withdrawn" })
        }
      })
    )

    it.effect("are freed a week after the week in which they can be accepted, with their links", () =>
      Effect.gen(function* () {
        const { accountId } = (yield* buyer()).account
        const { prune, withLink, keepLink } = yield* Invitations
        const kept = yield* invite(accountId, someone())
        const madeAt = (createdAtMs: number) => {
          const times = { createdAtMs, expiresAtMs: createdAtMs + INVITATION_MS }
          return record({ ...kept, ...times, invitationId: InvitationId.make(`inv_${createdAtMs}`), email: someone() })
        }
        const expired = yield* madeAt(kept.createdAtMs - INVITATION_MS - 1)
        expect(yield* Effect.flip(accept(expired))).toMatchObject({ reason: "expired" })
        yield* keepLink(expired.invitationId, `hash of ${expired.invitationId}`, 1)
        const old = yield* madeAt(kept.createdAtMs - INVITATION_KEPT_MS)
        yield* keepLink(old.invitationId, `hash of ${old.invitationId}`, old.createdAtMs)
        yield* prune
        expect((yield* withLink(`hash of ${expired.invitationId}`))?.invitation).toEqual(expired)
        expect(yield* withLink(`hash of ${old.invitationId}`)).toBe(null)
        expect(yield* Effect.flip(accept(old))).toMatchObject({ reason: "unknown" })
      })
    )
  })

export const invitationRacesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Races for invitations of ${name}`, store, (it) => {
    it.effect("one that is accepted 20 times and withdrawn 20 times at once ends once", () =>
      Effect.gen(function* () {
        const { accountId } = (yield* buyer()).account
        const invitation = yield* invite(accountId, someone())
        const accepts = times(20, () => Effect.result(Effect.as(accept(invitation), "accepted")))
        const withdrawals = times(20, () => Effect.result(withdraw(invitation)))
        const both = [concurrently(accepts), concurrently(withdrawals)] as const
        const [accepting, withdrawing] = yield* Effect.all(both, { concurrency: 2 })
        const { accepted = 0, ...refused } = countOutcomes(accepting, (one) => one)
        expect([accepted <= 1, refused]).toEqual([true, { InvitationEnded: 20 - accepted }])
        // What is withdrawn already is withdrawn.
        expect(new Set(withdrawing.map(({ _tag }) => _tag))).toEqual(new Set([accepted === 1 ? "Failure" : "Success"]))
        expect(yield* (yield* Members).ofAccount(accountId)).toHaveLength(1 + accepted)
        const ended = { outcome: accepted === 1 ? "accepted" : "withdrawn" }
        expect(yield* (yield* Invitations).ofAccount(accountId)).toMatchObject([ended])
      })
    )

    it.effect("20 accounts invite one address, all of which it accepts at once: it belongs to one", () =>
      Effect.gen(function* () {
        const accounts = yield* Effect.all(times(20, () => buyer()))
        const email = someone()
        const invitations = yield* Effect.forEach(accounts, ({ account }, n) =>
          invite(account.accountId, n % 2 === 0 ? email : ` ${email.toUpperCase()}`)
        )
        const results = yield* concurrently(invitations.map((one) => Effect.result(accept(one))))
        expect(countOutcomes(results, () => "joined")).toEqual({ joined: 1, EmailTaken: 19 })
        const holder = (yield* (yield* Members).byEmail(email))?.account.accountId
        const { ofAccount } = yield* Invitations
        const kept = yield* Effect.forEach(accounts, ({ account }) => ofAccount(account.accountId))
        const accepted = kept.flat().filter(({ outcome }) => outcome === "accepted")
        expect(accepted.map(({ accountId }) => accountId)).toEqual([holder])
      })
    )

    it.effect("an address that accepts and opens an account at once does one of the two", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { accountId } = (yield* buyer()).account
        for (let round = 0; round < 5; round++) {
          const email = someone()
          const invitation = yield* invite(accountId, email)
          const opened = Effect.as(
            book.transact({ _tag: "ForEmail", email }, openAccount({ name: "Cy", email, actor })),
            "done"
          )
          const joined = Effect.as(accept(invitation), "done")
          const outcomes = yield* concurrently([Effect.result(opened), Effect.result(joined)])
          expect(countOutcomes(outcomes, (one) => one)).toEqual({ done: 1, EmailTaken: 1 })
        }
      })
    )

    it.effect("20 invitations at once: at most five a day, and ten with the members", () =>
      Effect.gen(function* () {
        const inviteAtOnce = Effect.fnUntraced(function* (accountId: Parameters<typeof invite>[0]) {
          const results = yield* concurrently(times(20, () => Effect.result(invite(accountId, someone()))))
          return countOutcomes(results, () => "invited")
        })
        const [few, many] = [(yield* buyer()).account.accountId, (yield* buyer()).account.accountId]
        expect(yield* inviteAtOnce(few)).toEqual({ invited: 5, InvitationLimitReached: 15 })
        for (const email of times(7, someone)) yield* joinAs({ accountId: many, email, role: "viewer" })
        expect(yield* inviteAtOnce(many)).toEqual({ invited: 2, MemberLimitReached: 18 })
        const { ofAccount } = yield* Invitations
        for (const invitation of yield* ofAccount(many)) yield* accept(invitation)
        expect(yield* (yield* Members).ofAccount(many)).toHaveLength(10)
      })
    )

    it.effect("one address is invited 20 times at once by its account: once", () =>
      Effect.gen(function* () {
        const { accountId } = (yield* buyer()).account
        const email = someone()
        const results = yield* concurrently(times(20, () => Effect.result(invite(accountId, email))))
        expect(countOutcomes(results, () => "invited")).toEqual({ invited: 1, AlreadyInvited: 19 })
      })
    )
  })
