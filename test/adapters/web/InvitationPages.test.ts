// Invitations on the pages: only pressing accept makes a member, and nothing tells whether an address is known, but to its own person.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openAccount as openAccountDecision } from "#core/decisions/members/Accounts.ts"
import { INVITATION_MS } from "#core/domain/members/Invitation.ts"
import { MemberId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { CloseAccount } from "#core/usecases/members/CloseAccount.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { by } from "#test/scenarios/Buyers.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { invitationOf, invited, inviteOn, linkOf, open, person, press, sessionIn, signInLinkOf } from "./Invited.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

const membersOf = (account: { readonly accountId: Parameters<Members["Service"]["ofAccount"]>[0] }) =>
  Effect.flatMap(Members, ({ ofAccount }) => ofAccount(account.accountId))

/** The text of the page, with this person's address, and tokens, as any. */
const masked = (text: string, email: string): string =>
  text
    .replaceAll(email, "PERSON")
    .replaceAll(/value="[\w-]{43}"/g, "TOKEN")
    .replaceAll(/ivt_\w+/g, "ID")

layer(RunningService.layer())("an invitation", (it) => {
  it.effect("is opened by a mail scanner as often as it likes: it names who invites, and makes nothing", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const { email, link } = yield* invited(home)
      for (const _ of times(3, () => null)) {
        const shown = yield* open(link)
        assert.deepStrictEqual([shown.status, shown.cookies], [200, []])
        for (const told of [home.ownerEmail, email, home.account.name, "as viewer"]) assert.include(shown.text, told)
        const asked = yield* visit({ path: `/account/invitation/accept?token=${link}` })
        assert.isTrue(asked.status >= 400)
      }
      const forged = yield* press(link, { "sec-fetch-site": "cross-site" })
      assert.deepStrictEqual([forged.status, forged.cookies], [403, []])
      assert.strictEqual((yield* membersOf(home.account)).length, 2)
      assert.strictEqual(yield* (yield* Members).byEmail(email), null)
    })
  )

  it.effect("makes a member and signs them in once it is accepted, and counts once", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const { email, link } = yield* invited(home, person(), "owner")
      const accepted = yield* press(link)
      assert.deepStrictEqual([accepted.status, accepted.location], [303, "/account"])
      const token = sessionIn(accepted) ?? ""
      const settings = yield* visit({ path: "/account/settings", token })
      for (const told of [email, home.account.name, "(you)"]) assert.include(settings.text, told)
      const joined = yield* (yield* Members).byEmail(email)
      assert.deepStrictEqual([joined?.account.accountId, joined?.member.role], [home.account.accountId, "owner"])
      for (const again of [yield* press(link), yield* open(link)]) {
        assert.deepStrictEqual([again.status, again.cookies], [410, []])
        assert.include(again.text, "was accepted")
      }
      assert.strictEqual((yield* membersOf(home.account)).length, 3)
    })
  )

  it.effect("that was withdrawn, has expired, is unknown or of a closed account makes nothing, and says why", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const { link, invitation } = yield* invited(home)
      const path = `/account/settings/invitations/${invitation.invitationId}/withdraw`
      assert.include((yield* visit({ path: "/account/settings", token: home.owner })).text, path)
      const pressed = (token: string, at = path) => visit({ method: "POST", path: at, token })
      assert.strictEqual((yield* pressed(home.viewer)).status, 403)
      assert.notInclude((yield* visit({ path: "/account/settings", token: home.viewer })).text, path)
      for (const _ of [1, 2]) assert.strictEqual((yield* pressed(home.owner)).status, 303)
      assert.strictEqual((yield* pressed(home.owner, path.replace(/ivt_\w+/, "ivt_none"))).status, 404)
      const closing = yield* openAccount
      const late = yield* invited(closing)
      yield* (yield* CloseAccount).close({ accountId: closing.account.accountId, reason: "asked for" }, by)
      const expired = yield* invited(home)
      yield* (yield* MovableClock).advance(INVITATION_MS)
      const found = [
        [link, "was withdrawn"],
        [late.link, "was withdrawn"],
        [expired.link, "has expired"],
        ["none", "This invitation is not known"],
        ["", "This invitation is not known"]
      ] as const
      for (const [token, says] of found)
        for (const { status, text, cookies } of [yield* open(token), yield* press(token)]) {
          assert.deepStrictEqual([status, cookies], [410, []])
          assert.include(text, says)
        }
      assert.strictEqual((yield* membersOf(home.account)).length, 2)
    })
  )

  it.effect("for who belongs to another account looks like any other; only accepting tells, and they stay there", () =>
    Effect.gen(function* () {
      const [home, elsewhere] = [yield* openAccount, yield* openAccount]
      const known = yield* invited(home, elsewhere.ownerEmail)
      const unknown = yield* invited(home)
      const [one, other] = [yield* open(known.link), yield* open(unknown.link)]
      const until = (text: string) => text.replaceAll(/<time[^>]*>[^<]*<\/time>/g, "TIME")
      assert.strictEqual(until(masked(one.text, known.email)), until(masked(other.text, unknown.email)))
      const pressed = yield* press(known.link)
      assert.deepStrictEqual([pressed.status, pressed.cookies], [409, []])
      assert.include(pressed.text, "belongs to another account and stays there")
      assert.notInclude(pressed.text, elsewhere.account.accountId)
      const { account } = (yield* (yield* Members).byEmail(elsewhere.ownerEmail)) ?? {}
      assert.strictEqual(account?.accountId, elsewhere.account.accountId)
      // The invitation stays open: the person may leave the other account first.
      assert.strictEqual((yield* invitationOf(home.account.accountId, known.email)).outcome, null)
    })
  )

  it.effect(
    "is accepted in a browser that is signed in with another address, which is told, and stays where it is",
    () =>
      Effect.gen(function* () {
        const [home, elsewhere] = [yield* openAccount, yield* openAccount]
        const { link, email } = yield* invited(home)
        const shown = yield* open(link, elsewhere.owner)
        assert.include(shown.text, `you are signed in as ${elsewhere.ownerEmail}`)
        assert.notInclude((yield* open(link)).text, "In this browser")
        const accepted = yield* press(link, { cookie: `session=${elsewhere.owner}` })
        const token = sessionIn(accepted) ?? ""
        assert.notStrictEqual(token, elsewhere.owner)
        assert.include((yield* visit({ path: "/account", token })).text, email)
        const { account } = (yield* (yield* Members).byEmail(elsewhere.ownerEmail)) ?? {}
        assert.strictEqual(account?.accountId, elsewhere.account.accountId)
      })
  )

  it.effect("leaves the address free: others invite it, and it opens an account", () =>
    Effect.gen(function* () {
      const [home, rival] = [yield* openAccount, yield* openAccount]
      const first = yield* invited(home)
      const second = yield* invited(rival, first.email.toUpperCase())
      const { email } = first
      const book = yield* OrderBook
      const opened = yield* book.transact(
        { _tag: "ForEmail", email },
        openAccountDecision({ name: "Own", email, actor: null, selfOpened: true })
      )
      for (const { link } of [first, second]) assert.strictEqual((yield* press(link)).status, 409)
      const { account } = (yield* (yield* Members).byEmail(email)) ?? {}
      assert.strictEqual(account?.accountId, opened.accountId)
    })
  )

  it.effect("is answered alike for addresses of nobody, of another account and of who is invited elsewhere", () =>
    Effect.gen(function* () {
      const [home, rival] = [yield* openAccount, yield* openAccount]
      const elsewhere = (yield* invited(rival)).email
      const answers = new Set<string>()
      for (const email of [person(), rival.ownerEmail, rival.viewerEmail, elsewhere]) {
        const { status, location, text, cookies } = yield* inviteOn(home.owner, email)
        const told = decodeURIComponent(JSON.stringify([status, location, text, cookies]))
        answers.add(told.replaceAll(email, "PERSON"))
      }
      assert.strictEqual(answers.size, 1)
      const settings = yield* visit({ path: "/account/settings", token: home.owner })
      for (const email of [rival.ownerEmail, elsewhere]) assert.include(settings.text, email)
    })
  )

  it.effect("is refused for a member, for who is invited, and beyond the invitations of a day", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const member = yield* inviteOn(home.owner, home.viewerEmail)
      assert.deepStrictEqual([member.status, member.text.includes("a member of your account already")], [422, true])
      const { email } = yield* invited(home)
      const twice = yield* inviteOn(home.owner, email.toUpperCase())
      assert.deepStrictEqual([twice.status, twice.text.includes("You invited this person already")], [422, true])
      for (const _ of times(4, () => null)) assert.strictEqual((yield* inviteOn(home.owner, person())).status, 303)
      const sixth = yield* inviteOn(home.owner, person())
      assert.deepStrictEqual([sixth.status, sixth.text.includes("You can invite 5 people a day")], [429, true])
      assert.strictEqual((yield* inviteOn(home.viewer, person())).status, 403)
    })
  )

  it.effect("is one a day for an account that opened itself, until its first payment", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const email = person()
      const opening = openAccountDecision({ name: email, email, actor: null, selfOpened: true })
      yield* book.transact({ _tag: "ForEmail", email }, opening)
      const owner = yield* signIn(email)
      assert.strictEqual((yield* inviteOn(owner, person())).status, 303)
      const second = yield* inviteOn(owner, person())
      assert.deepStrictEqual([second.status, second.text.includes("one person a day")], [429, true])
      yield* (yield* MovableClock).advance("1 day")
      assert.strictEqual((yield* inviteOn(owner, person())).status, 303)
    })
  )

  it.effect("is offered by a sign-in link, too, beside an account of one's own", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const { email, invitation } = yield* invited(home)
      const token = yield* signInLinkOf(email)
      const shown = yield* visit({ path: `/account/sign-in?token=${token}` })
      for (const told of [home.ownerEmail, "Accept the invitation", "Open the account"])
        assert.include(shown.text, told)
      const join = (id: string) =>
        visit({ method: "POST", path: "/account/sign-in/join", form: { token, invitation: id } })
      const foreign = yield* invited(yield* openAccount)
      assert.strictEqual((yield* join(foreign.invitation.invitationId)).status, 410)
      const joined = yield* join(invitation.invitationId)
      assert.strictEqual(joined.status, 303)
      assert.include((yield* visit({ path: "/account", token: sessionIn(joined) ?? "" })).text, email)
      assert.isTrue((yield* join(invitation.invitationId)).status >= 400)
      assert.strictEqual((yield* membersOf(home.account)).length, 3)
    })
  )
})

layer(RunningService.layer({ SIGNUP: "closed" }))("an invitation where sign-up is closed", (it) => {
  it.effect("lets a person in who asks for a sign-in link, and open no account", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const { email, invitation } = yield* invited(home)
      const token = yield* signInLinkOf(email)
      const shown = yield* visit({ path: `/account/sign-in?token=${token}` })
      assert.include(shown.text, "Accept the invitation")
      assert.notInclude(shown.text, "Open the account")
      const use = yield* visit({ method: "POST", path: "/account/sign-in/use", form: { token } })
      assert.strictEqual(use.status, 410)
      const form = { token, invitation: invitation.invitationId }
      assert.strictEqual((yield* visit({ method: "POST", path: "/account/sign-in/join", form })).status, 303)
      const members = yield* ManageMembers
      const [first] = yield* members.list(home.account.accountId)
      assert.notStrictEqual(first?.memberId ?? MemberId.make(""), "")
      assert.strictEqual((yield* membersOf(home.account)).length, 3)
    })
  )

  it.effect("is none without an open invitation", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const { email, invitation } = yield* invited(home)
      const token = yield* signInLinkOf(email)
      const path = `/account/settings/invitations/${invitation.invitationId}/withdraw`
      yield* visit({ method: "POST", path, token: home.owner })
      assert.strictEqual((yield* visit({ path: `/account/sign-in?token=${token}` })).status, 410)
      assert.strictEqual((yield* open(yield* linkOf(invitation))).status, 410)
    })
  )
})
