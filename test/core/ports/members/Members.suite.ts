// What every store promises of members: how they are read, and that an account keeps an owner, under concurrent decisions too.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { changeEmail, openAccount } from "#core/decisions/members/Accounts.ts"
import { changeRole, chooseTimeZone, type MadeBy, removeMember } from "#core/decisions/members/Members.ts"
import type { GivenRole } from "#core/domain/members/Member.ts"
import { type AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { actor, buyer } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite } from "../StoreSuite.ts"

const byOperator: MadeBy = { operator: actor }

const add = (accountId: AccountId, email: string, role: GivenRole = "viewer") => joinAs({ accountId, email, role })

const remove = Effect.fnUntraced(function* (accountId: AccountId, memberId: MemberId, by: MadeBy = byOperator) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForAccount", accountId }, removeMember({ accountId, memberId, by }))
})

const giveRole = Effect.fnUntraced(function* (accountId: AccountId, memberId: MemberId, role: GivenRole) {
  const book = yield* OrderBook
  const decide = changeRole({ accountId, memberId, role, by: byOperator })
  return yield* book.transact({ _tag: "ForAccount", accountId }, decide)
})

const ownerOf = (accountId: AccountId) =>
  Effect.flatMap(Members, (members) =>
    Effect.map(members.ofAccount(accountId), ([owner]) => owner?.memberId ?? MemberId.make(""))
  )

export const membersSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Members of ${name}`, store, (it) => {
    it.effect("an account begins with its owner, who is found by id and by any spelling of the address", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer()
        const members = yield* Members
        const owner = yield* members.byEmail(` ${account.email.toUpperCase()} `)
        expect(owner?.account).toEqual(account)
        expect(owner?.member).toMatchObject({ accountId: account.accountId, role: "owner", removedAtMs: null })
        expect(yield* members.byId(owner?.member.memberId ?? MemberId.make(""))).toEqual(owner)
        expect(yield* members.ofAccount(account.accountId)).toEqual([owner?.member])
        expect(yield* members.byEmail("nobody@brand.example")).toBe(null)
        expect(yield* members.byId(MemberId.make("mem_none"))).toBe(null)
      })
    )

    it.effect(
      "members are listed oldest first; a removed one is found by its id only, and leaves its address free",
      () =>
        Effect.gen(function* () {
          const [{ account: mine }, { account: other }] = yield* Effect.all([buyer(), buyer()])
          const members = yield* Members
          const first = yield* add(mine.accountId, "first@team.example")
          const second = yield* add(mine.accountId, "second@team.example", "owner")
          const ids = (yield* members.ofAccount(mine.accountId)).map(({ memberId }) => memberId)
          expect(ids.slice(1)).toEqual([first.memberId, second.memberId])
          yield* remove(mine.accountId, first.memberId)
          expect(yield* members.byEmail("first@team.example")).toBe(null)
          expect((yield* members.byId(first.memberId))?.member.removedAtMs).toBeGreaterThan(0)
          const elsewhere = yield* add(other.accountId, "FIRST@team.example")
          expect((yield* members.byEmail("first@team.example"))?.member).toEqual(elsewhere)
        })
    )

    it.effect("the member with the account's address follows a change of it", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer()
        const { accountId } = account
        const wish = { accountId, email: "moved@brand.example" }
        yield* (yield* OrderBook).transact({ _tag: "ForEmail", ...wish }, changeEmail({ ...wish, actor }))
        const members = yield* Members
        expect((yield* members.byEmail(wish.email))?.member.role).toBe("owner")
        expect(yield* members.byEmail(account.email)).toBe(null)
        // The former address is free for another account.
        const again = { name: "Bo", email: account.email, actor }
        yield* (yield* OrderBook).transact({ _tag: "ForEmail", email: account.email }, openAccount(again))
      })
    )

    it.effect("a member keeps the time zone that they chose, by themselves, through a change of their role", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer()
        const { accountId } = account
        const { memberId } = yield* add(accountId, "traveller@team.example")
        const choose = (timeZone: string) =>
          Effect.flatMap(OrderBook, (book) =>
            book.transact({ _tag: "ForAccount", accountId }, chooseTimeZone({ accountId, memberId, timeZone }))
          )
        const members = yield* Members
        expect((yield* members.byId(memberId))?.member).not.toHaveProperty("timeZone")
        yield* choose("Asia/Tokyo")
        yield* choose("Asia/Kolkata")
        yield* giveRole(accountId, memberId, "owner")
        expect((yield* members.byId(memberId))?.member).toMatchObject({ timeZone: "Asia/Kolkata", role: "owner" })
        const [first] = yield* members.ofAccount(accountId)
        expect(first).not.toHaveProperty("timeZone")
        yield* remove(accountId, memberId)
        expect(yield* Effect.flip(choose("UTC"))).toMatchObject({ _tag: "MemberNotFound" })
      })
    )

    it.effect("two owners who remove each other or step down at once leave one", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer()
        const { accountId } = account
        const first = yield* ownerOf(accountId)
        const second = (yield* add(accountId, "second.owner@team.example", "owner")).memberId
        const results = yield* concurrently([
          Effect.result(remove(accountId, second, { memberId: first })),
          Effect.result(remove(accountId, first, { memberId: second })),
          Effect.result(giveRole(accountId, first, "viewer"))
        ])
        const owners = (yield* (yield* Members).ofAccount(accountId)).filter(({ role }) => role === "owner")
        expect(owners).toHaveLength(1)
        expect(results.filter(Result.isSuccess).length).toBeGreaterThan(0)
      })
    )
  })
