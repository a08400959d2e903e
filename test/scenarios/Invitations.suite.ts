// Invitations at the same moment: one is accepted by many presses and withdrawn meanwhile, an address accepts those of several accounts, and
// more are made than may be; on every instance.
import { Effect } from "effect"
import { expect } from "vitest"
import { Invitations } from "#core/ports/members/Invitations.ts"
import { Members } from "#core/ports/members/Members.ts"
import { CloseAccount } from "#core/usecases/members/CloseAccount.ts"
import { invited, inviteOn, open, person, press, sessionIn } from "#test/adapters/web/Invited.ts"
import { openAccount, visit } from "#test/adapters/web/Visitors.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { by } from "./Buyers.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { scenarios } from "./ScenarioSuite.ts"

const statusesOf = (answers: ReadonlyArray<{ readonly status: number }>) =>
  countEach(answers.map(({ status }) => status))

const withdrawal = (id: string) => `/account/settings/invitations/${id}/withdraw`

export const invitationsSuite = scenarios("invitations", {}, (it) => {
  it.effect("one that a mail scanner opens, and 20 people press at once: one member and one session", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const { link, email } = yield* invited(home)
      expect(statusesOf(yield* concurrently(times(6, () => open(link))))).toEqual({ 200: 6 })
      expect(yield* (yield* Members).byEmail(email)).toBe(null)
      const pressed = yield* concurrently(times(20, () => press(link)))
      expect(statusesOf(pressed)).toEqual({ 303: 1, 410: 19 })
      expect(pressed.flatMap((answer) => sessionIn(answer) ?? [])).toHaveLength(1)
      expect(yield* (yield* Members).ofAccount(home.account.accountId)).toHaveLength(3)
    })
  )

  it.effect("one that is accepted while it is withdrawn, or its account is closed: one of the two", () =>
    Effect.gen(function* () {
      const { close } = yield* CloseAccount
      for (const [nth, ending] of ["withdraw", "withdraw", "close"].entries()) {
        const home = yield* openAccount
        const { accountId } = home.account
        const { link, invitation } = yield* invited(home)
        const end: Effect.Effect<unknown, unknown, Effect.Services<ReturnType<typeof visit>>> = ending === "close"
          ? close({ accountId, reason: "asked for" }, by)
          : visit({ method: "POST", path: withdrawal(invitation.invitationId), token: home.owner })
        const accepts = concurrently(times(6, () => press(link)))
        const [pressed] = yield* Effect.all([accepts, end], { concurrency: 2 })
        const { 303: accepted = 0, ...others } = statusesOf(pressed)
        expect([nth, accepted + (others[410] ?? 0)]).toEqual([nth, 6])
        const [kept] = yield* (yield* Invitations).ofAccount(accountId)
        expect(kept?.outcome).toBe(accepted === 1 ? "accepted" : "withdrawn")
        expect(yield* (yield* Members).ofAccount(accountId)).toHaveLength(2 + accepted)
      }
    })
  )

  it.effect("several accounts invite one address, which accepts all at once: it belongs to one of them", () =>
    Effect.gen(function* () {
      const email = person()
      const homes = yield* Effect.all(times(5, () => openAccount))
      const links = yield* Effect.forEach(homes, (home) => Effect.map(invited(home, email), ({ link }) => link))
      const pressed = yield* concurrently(links.map((link) => press(link)))
      expect(statusesOf(pressed)).toEqual({ 303: 1, 409: 4 })
      const members = yield* Effect.forEach(homes, ({ account }) =>
        Effect.flatMap(Members, ({ ofAccount }) => ofAccount(account.accountId))
      )
      expect(members.flat().filter((one) => one.email === email)).toHaveLength(1)
    })
  )

  it.effect("20 people are invited at once: five", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const answers = yield* concurrently(times(20, () => inviteOn(home.owner, person())))
      expect(statusesOf(answers)).toEqual({ 303: 5, 429: 15 })
      expect(yield* (yield* Invitations).ofAccount(home.account.accountId)).toHaveLength(5)
      yield* expectConsistentBooks
    })
  )
})
