// What every store promises of changes of members' addresses: done once by both mailboxes, and an address belongs to one account, whatever
// else takes it at the same moment.
import { randomUUID } from "node:crypto"
import { Effect, HashMap, Result } from "effect"
import { expect } from "vitest"
import { Draft } from "#core/decisions/Draft.ts"
import { changeEmail, openAccount } from "#core/decisions/members/Accounts.ts"
import {
  askEmailChange,
  confirmEmailChange,
  endEmailChange,
  finishEmailChange
} from "#core/decisions/members/EmailChanges.ts"
import { removeMember } from "#core/decisions/members/Members.ts"
import type { EmailSide } from "#core/domain/members/EmailChange.ts"
import type { Member } from "#core/domain/members/Member.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { countEach } from "#test/core/BookReads.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { actor, buyer } from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { accept, invite } from "./InvitationSteps.ts"

const address = (): string => `${randomUUID()}@changed.example`

/** The owner of a new account, whose address is the account's too. */
const owner = Effect.gen(function* () {
  const { accountId } = (yield* buyer()).account
  const [member] = yield* (yield* Members).ofAccount(accountId)
  return member ?? (yield* Effect.die(new Error("an account has an owner")))
})

const now = ({ memberId }: Member) => Effect.flatMap(Members, ({ byId }) => byId(memberId))

const ask = Effect.fnUntraced(function* ({ accountId, memberId }: Member, to: string) {
  const book = yield* OrderBook
  const hashes = { oldHash: randomUUID(), newHash: randomUUID() }
  const change = yield* book.transact(
    { _tag: "ForAccount", accountId },
    askEmailChange({ accountId, memberId, to, hashes })
  )
  return { accountId, memberId, change }
})

type Asked = Effect.Success<ReturnType<typeof ask>>

const confirm = Effect.fnUntraced(function* ({ accountId, memberId, change }: Asked, side: EmailSide) {
  const book = yield* OrderBook
  const hash = side === "old" ? change.oldHash : change.newHash
  const reads = { _tag: "ForEmail" as const, email: change.to, accountId }
  return (yield* book.transact(reads, confirmEmailChange({ memberId, hash })))._tag
})

const end = Effect.fnUntraced(function* ({ accountId, memberId, change }: Asked, by: "link" | "member" = "link") {
  const book = yield* OrderBook
  const input = by === "link" ? { memberId, oldHash: change.oldHash } : { memberId }
  return (yield* book.transact({ _tag: "ForAccount", accountId }, endEmailChange(input))) === null ? "Ended" : "Refused"
})

const finish = Effect.fnUntraced(function* ({ accountId, memberId, change }: Asked) {
  return yield* (yield* OrderBook).transact({ _tag: "ForAccount", accountId }, finishEmailChange(memberId, change))
})

const open = Effect.fnUntraced(function* (email: string) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForEmail", email }, openAccount({ name: "Bo", email, actor }))
})

/** The change as it is long after. */
const outdated = Effect.fnUntraced(function* ({ accountId, memberId, change }: Asked) {
  const book = yield* OrderBook
  yield* book.transact({ _tag: "ForAccount", accountId }, (books, context) => {
    const draft = new Draft(books, context)
    for (const member of HashMap.values(books.members))
      if (member.memberId === memberId)
        draft.record({
          _tag: "MemberSaved",
          member: { ...member, emailChange: { ...change, expiresAtMs: context.nowMs } }
        })
    return Result.succeed(draft.decided(undefined))
  })
})

export const emailChangesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Changes of members' addresses of ${name}`, store, (it) => {
    it.effect("are done by both mailboxes, in either order, for the member and the account that has the address", () =>
      Effect.gen(function* () {
        for (const [first, second] of [
          ["old", "new"],
          ["new", "old"]
        ] as const) {
          const ada = yield* owner
          const asked = yield* ask(ada, ` ${address()} `)
          const { to } = asked.change
          expect((yield* now(ada))?.member).toEqual({ ...ada, emailChange: asked.change })
          expect([yield* confirm(asked, first), yield* confirm(asked, first)]).toEqual(["Waits", "Waits"])
          const waiting = yield* now(ada)
          expect([waiting?.member.email, waiting?.account.email]).toEqual([ada.email, ada.email])
          expect(yield* (yield* Members).byEmail(to)).toBe(null)
          expect(yield* confirm(asked, second)).toBe("Changed")
          // It stays until the sessions have ended, and neither mailbox does it again.
          expect((yield* now(ada))?.member.emailChange).toMatchObject({ to, newConfirmedAtMs: expect.any(Number) })
          expect([yield* confirm(asked, first), yield* end(asked), yield* end(asked, "member")]).toEqual([
            ...["Ended", "Ended", "Ended"]
          ])
          yield* finish(asked)
          yield* finish(asked)
          const changed = yield* now(ada)
          expect(changed?.member).toEqual({ ...ada, email: to })
          expect(changed?.account.email).toBe(to)
          expect(yield* (yield* Members).byEmail(ada.email)).toBe(null)
          // The former address is free.
          expect((yield* open(ada.email)).email).toBe(ada.email)
          expect([yield* confirm(asked, "old"), yield* end(asked)]).toEqual(["Ended", "Ended"])
        }
      })
    )

    it.effect("leave the account's address where another member changes theirs", () =>
      Effect.gen(function* () {
        const ada = yield* owner
        const bo = yield* joinAs({ accountId: ada.accountId, email: address(), role: "viewer" })
        const asked = yield* ask(bo, address())
        yield* confirm(asked, "old")
        expect(yield* confirm(asked, "new")).toBe("Changed")
        const changed = yield* now(bo)
        expect([changed?.member.email, changed?.account.email]).toEqual([asked.change.to, ada.email])
      })
    )

    it.effect("end by a refusal, a withdrawal, a newer one, time, a removal, and another change of the address", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const ada = yield* owner
        const bo = yield* joinAs({ accountId: ada.accountId, email: address(), role: "viewer" })
        const refused = yield* ask(ada, address())
        yield* confirm(refused, "new")
        expect(yield* end(refused)).toBe("Refused")
        const withdrawn = yield* ask(ada, address())
        expect(yield* end(withdrawn, "member")).toBe("Refused")
        const replaced = yield* ask(ada, address())
        const newer = yield* ask(ada, address())
        expect(yield* end(replaced)).toBe("Ended")
        expect(yield* confirm(newer, "old")).toBe("Waits")
        const late = yield* ask(ada, address())
        yield* outdated(late)
        const removed = yield* ask(bo, address())
        const { accountId, memberId } = bo
        const removing = removeMember({ accountId, memberId, by: { operator: actor } })
        yield* book.transact({ _tag: "ForAccount", accountId }, removing)
        const other = yield* owner
        const overtaken = yield* ask(other, address())
        const elsewhere = { accountId: other.accountId, email: address() }
        yield* book.transact({ _tag: "ForEmail", ...elsewhere }, changeEmail({ ...elsewhere, actor }))
        for (const one of [refused, withdrawn, replaced, newer, late, removed, overtaken])
          for (const side of one === newer ? [] : (["old", "new"] as const))
            expect(yield* confirm(one, side)).toBe("Ended")
        expect((yield* now(ada))?.member.email).toBe(ada.email)
      })
    )

    it.effect("tell of an address that is taken to its own mailbox alone, and to the old one after it", () =>
      Effect.gen(function* () {
        const [ada, other] = [yield* owner, yield* owner]
        const taken = yield* ask(ada, other.email.toUpperCase())
        expect(yield* confirm(taken, "old")).toBe("Waits")
        const refusal = yield* Effect.flip(confirm(taken, "new"))
        expect(refusal).toMatchObject({ _tag: "EmailTaken", accountId: other.accountId })
        const later = yield* ask(ada, address())
        expect(yield* confirm(later, "new")).toBe("Waits")
        const { accountId } = yield* open(later.change.to)
        expect(yield* Effect.flip(confirm(later, "old"))).toMatchObject({ _tag: "EmailTaken", accountId })
        expect((yield* now(ada))?.member.email).toBe(ada.email)
        const own = yield* joinAs({ accountId: ada.accountId, email: address(), role: "viewer" })
        for (const to of [own.email, ada.email])
          expect(yield* Effect.flip(ask(ada, to))).toMatchObject({ _tag: "EmailTaken", accountId: ada.accountId })
      })
    )
  })

export const emailChangeRacesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Races for members' addresses of ${name}`, store, (it) => {
    it.effect("20 presses in both mailboxes at once: one change", () =>
      Effect.gen(function* () {
        const ada = yield* owner
        const asked = yield* ask(ada, address())
        const steps = yield* concurrently(times(20, (nth) => confirm(asked, nth % 2 === 0 ? "old" : "new")))
        expect(countEach(steps)["Changed"]).toBe(1)
        expect((yield* now(ada))?.member.email).toBe(asked.change.to)
      })
    )

    it.effect("the last press and the refusal at once: one of them", () =>
      Effect.gen(function* () {
        for (const _ of times(5, () => null)) {
          const ada = yield* owner
          const asked = yield* ask(ada, address())
          yield* confirm(asked, "old")
          const [step, ending] = yield* Effect.all([confirm(asked, "new"), end(asked)], { concurrency: "unbounded" })
          expect([
            ["Changed", "Ended"],
            ["Ended", "Refused"]
          ]).toContainEqual([step, ending])
          expect((yield* now(ada))?.member.email).toBe(step === "Changed" ? asked.change.to : ada.email)
        }
      })
    )

    it.effect("members, an account and an invitation take one address at once: one gets it", () =>
      Effect.gen(function* () {
        for (const _ of times(3, () => null)) {
          const to = address()
          const rivals = yield* Effect.all(times(6, () => Effect.flatMap(owner, (ada) => ask(ada, to))))
          for (const one of rivals) yield* confirm(one, "old")
          const invitation = yield* invite((yield* owner).accountId, to)
          const takes = rivals.map((one) => Effect.result(Effect.as(confirm(one, "new"), "taken")))
          const others = [
            Effect.result(Effect.as(open(to), "taken")),
            Effect.result(Effect.as(accept(invitation), "taken"))
          ]
          const results = yield* concurrently([...takes, ...others])
          expect(countOutcomes(results, () => "taken")).toEqual({ taken: 1, EmailTaken: 7 })
          expect((yield* (yield* Members).byEmail(to))?.member.email).toBe(to)
        }
      })
    )
  })
