// The settings of an account: renaming it, and closing it for good.
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Session } from "#core/domain/members/Session.ts"
import { Members } from "#core/ports/members/Members.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ViewActivity } from "#core/usecases/operations/ViewActivity.ts"
import { cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, codeOf, nextCode, wrongCodeOf } from "./AuthenticatorApps.ts"
import { invited, open } from "./Invited.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

const SETTINGS = "/account/settings"
const NAME = `${SETTINGS}/name`
const CLOSE = `${SETTINGS}/close`

/** What mail programs make a link of. */
const ADDRESSES = [
  "Refund at https://x",
  "Booking.com",
  "see (evil.example.com/refund)",
  "ada@example.com",
  "münchen.de"
]

const post = (path: string, token: string, form: Readonly<Record<string, string>> = {}) =>
  visit({ method: "POST", path, token, form })

const textAt = (path: string, token: string) => Effect.map(visit({ path, token }), ({ text }) => text)

const kept = Effect.flatMap(RunningService.RunningService, ({ books }) =>
  Effect.map(books, ({ sessions: _, ...others }) => others)
)

/** What becomes known to a person who closes the account. */
const done = ({ cookies }: { readonly cookies: ReadonlyArray<string> }): string =>
  decodeURIComponent(
    cookies
      .find((cookie) => cookie.includes("done="))
      ?.split(";")[0]
      ?.split("=")[1] ?? ""
  )

layer(RunningService.layer())("the name of an account", (it) => {
  it.effect("is changed by an owner, and is then what pages, mails and the record of activity say", () =>
    Effect.gen(function* () {
      const { account, owner, ownerEmail, viewer } = yield* openAccount
      assert.include(yield* textAt(NAME, owner), `value="${account.name}"`)
      const { status, location } = yield* post(NAME, owner, { name: "  Rüben & Söhne  " })
      assert.deepStrictEqual([status, location], [303, SETTINGS])
      for (const token of [owner, viewer]) assert.include(yield* textAt("/account", token), `Rüben &amp; Söhne · `)
      const home = { account: { accountId: account.accountId }, owner }
      const { link } = yield* invited(home)
      assert.include((yield* open(link)).text, "Rüben &amp; Söhne")
      const said = yield* textAt(`${SETTINGS}/activity`, viewer)
      assert.include(said, `renamed the account from “${account.name}” to “Rüben &amp; Söhne”`)
      assert.include(said, ownerEmail)
    })
  )

  it.effect("is any that a company has", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      for (const name of ["Willow Co.", "J.Smith", "Acme,Inc.", "Grün e.V.", "24/7"])
        assert.strictEqual((yield* post(NAME, owner, { name })).status, 303)
    })
  )

  it.effect("is refused where no one could read it, and nothing is changed", () =>
    Effect.gen(function* () {
      const { owner, viewer } = yield* openAccount
      const before = yield* kept
      for (const name of ["", "   ", "a\u202Eb", "\u2800", "line\nbreak", "x".repeat(201), ...ADDRESSES]) {
        const { status, text } = yield* post(NAME, owner, { name })
        assert.deepStrictEqual([name, status], [name, 422])
        assert.include(text, 'role="alert"')
      }
      assert.strictEqual((yield* post(NAME, viewer, { name: "Mine" })).status, 403)
      assert.deepStrictEqual(yield* kept, before)
    })
  )

  it.effect("wants one confirmation in a session that a mail alone began", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail } = yield* openAccount
      yield* addApp(owner)
      assert.strictEqual((yield* post(NAME, yield* signIn(ownerEmail), { name: "Theirs" })).status, 403)
      assert.strictEqual((yield* post(NAME, yield* signIn(ownerEmail, "passkey"), { name: "Ours" })).status, 303)
    })
  )
})

const FIREFOX = "Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0"
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 20_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.1 Mobile/15E148 Safari/604.1"

/** The rows of the sessions, as they are read. */
const sessionsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<th scope="row">(.*?)<br><small>(signed in .*?)<\/small>/g)].map(([, who = "", how = ""]) =>
    `${who}, ${how}`.replaceAll(/<[^>]+>/g, "")
  )

layer(RunningService.layer())("where a person is signed in", (it) => {
  it.effect(
    "is said in words, with this one marked; one or all others are ended, also by a session of a mail alone",
    () =>
      Effect.gen(function* () {
        const { owner, ownerEmail, viewer } = yield* openAccount
        const sessions = yield* MemberSessions
        const known = yield* (yield* Members).byEmail(ownerEmail)
        if (known === null) throw new Error("no member")
        const begin = (userAgent: string, method: Session["method"]) =>
          Effect.map(sessions.start(known, method, { network: "192.0.2.0/24", userAgent, who: null }), ({ token }) =>
            Redacted.value(token)
          )
        yield* addApp(owner)
        const phone = yield* begin(FIREFOX, "passkey")
        const safari = yield* begin(SAFARI, "link")
        yield* begin("curl/8.5.0 <b>", "link")
        const text = yield* textAt(SETTINGS, safari)
        const [first, ...others] = sessionsIn(text)
        assert.strictEqual(first, "Safari on an iPhone this browser, signed in by a link in a mail")
        assert.deepStrictEqual(others.toSorted(), [
          "A browser we do not know, signed in by a link in a mail",
          "Firefox on Android, signed in by passkey",
          "Firefox on Linux, signed in by a link in a mail"
        ])
        for (const hidden of ["192.0.2.0", "Mozilla", "curl"]) assert.notInclude(text, hidden)
        const { sessionId } = (yield* sessions.authenticate(phone)).session
        const end = `${SETTINGS}/sessions/${sessionId}/end`
        assert.strictEqual((yield* post(end, viewer)).status, 404)
        assert.strictEqual((yield* visit({ path: "/account", token: phone })).status, 200)
        assert.include(done(yield* post(end, safari)), "Firefox on Android is signed out.")
        assert.strictEqual((yield* visit({ path: "/account", token: phone })).status, 303)
        assert.strictEqual((yield* post(end, safari)).status, 404)
        assert.include(
          done(yield* post(`${SETTINGS}/sessions/end-others`, safari)),
          "2 other browsers were signed out."
        )
        assert.deepStrictEqual(sessionsIn(yield* textAt(SETTINGS, safari)).length, 1)
        assert.strictEqual((yield* visit({ path: "/account", token: owner })).status, 303)
      })
  )
})

layer(RunningService.layer())("closing an account", (it) => {
  it.effect("says what ends and what stays, is refused without the name, and ends everything at once", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const { account, owner, ownerEmail, viewer } = home
      const { accountId, name } = account
      yield* topUp(accountId, 1_250)
      const { key } = yield* issueKey(accountId)
      yield* invited(home)
      const topUpId = /name="top_up" value="(top_\w+)"/.exec(yield* textAt("/account/credit/top-ups", owner))?.[1] ?? ""
      yield* post("/account/credit/top-ups", owner, { top_up: topUpId, amount: "25" })
      const page = yield* textAt(CLOSE, owner)
      for (const says of [
        "1 key: your agents",
        "all 2 members",
        "1 open invitation",
        "1 unpaid top-up: its payment page",
        "12.50 EUR of credit stays"
      ])
        assert.include(page, says)
      const before = yield* kept
      for (const typed of ["", "Account", name.toLowerCase()]) {
        const { status, text } = yield* post(CLOSE, owner, { name: typed })
        assert.deepStrictEqual([typed, status, text.includes(`Type ${name}`)], [typed, 422, typed !== ""])
      }
      assert.strictEqual((yield* post(CLOSE, viewer, { name })).status, 403)
      assert.deepStrictEqual(yield* kept, before)
      const closed = yield* post(CLOSE, owner, { name: ` ${name} ` })
      assert.deepStrictEqual([closed.status, closed.location], [303, "/account/closed"])
      assert.include(done(closed), `${name} is closed. 12.50 EUR of credit stays on record.`)
      assert.include((yield* visit({ path: "/account/closed" })).text, "Was this a mistake?")
      for (const token of [owner, viewer])
        for (const method of ["GET", "POST"] as const)
          assert.strictEqual((yield* visit({ method, path: CLOSE, token })).location, "/account/closed")
      assert.strictEqual((yield* postOrder(key, cart([item((yield* listSite()).siteId)]))).status, 401)
      const { entries } = yield* (yield* ViewActivity).page({ accountId, limit: 5, before: null })
      assert.include(JSON.stringify(entries), "account.close")
      const [left] = (yield* (yield* ManageAccounts).list({ limit: 1, beforeId: null, text: ownerEmail })).accounts
      assert.strictEqual(left?.wallet.balanceCents, 1_250)
    })
  )

  it.effect("is refused while something is open, names it, and leads to where it ends", () =>
    Effect.gen(function* () {
      const { account, owner } = yield* openAccount
      const { accountId, name } = account
      const { siteId } = yield* listSite({ shelf: "Corail" })
      yield* topUp(accountId, 1_500)
      const { key } = yield* issueKey(accountId)
      const paid = placedBy(yield* postOrder(key, cart([item(siteId)])))
      const open = placedBy(yield* postOrder(key, cart([item(siteId)])))
      const asking = yield* issueKey(accountId, { limits: { approveAboveCents: 0 } })
      const asked = placedBy(yield* postOrder(asking.key, cart([item(siteId)])))
      const page = yield* textAt(CLOSE, owner)
      const approval = `/account/approvals/${asked.quote_id}`
      const ways = [`/account/orders/${paid.order_id}/cancel`, `/account/quotes/${open.quote_id}/withdraw`, approval]
      for (const way of ways) assert.include(page, `href="${way}"`)
      assert.notInclude(page, `/account/quotes/${asked.quote_id}/withdraw`)
      assert.notInclude(page, 'name="name"')
      for (const says of ["1 link is not online yet", "Cancel what can be cancelled"]) assert.include(page, says)
      const before = yield* kept
      const refused = yield* post(CLOSE, owner, { name })
      assert.deepStrictEqual([refused.status, refused.text.split("The account was not closed").length - 1], [409, 1])
      assert.deepStrictEqual(yield* kept, before)
      yield* post(ways[1] ?? "", owner)
      yield* post(`${approval}/decline`, owner)
      const links = /name="links" value="([^"]+)"/.exec(yield* textAt(ways[0] ?? "", owner))?.[1] ?? ""
      yield* post(ways[0] ?? "", owner, { links })
      assert.strictEqual((yield* post(CLOSE, owner, { name })).status, 303)
    })
  )

  it.effect("pressed ten times at once, is one closing, and each press leads to the last page", () =>
    Effect.gen(function* () {
      const { account, owner } = yield* openAccount
      const { name } = account
      const presses = Array.from({ length: 10 }, () => post(CLOSE, owner, { name }))
      const answers = yield* Effect.all(presses, { concurrency: "unbounded" })
      for (const { status, location } of [...answers, yield* post(CLOSE, owner, { name })])
        assert.deepStrictEqual([status, location], [303, "/account/closed"])
      const { accountId } = account
      const { entries } = yield* (yield* ViewActivity).page({ accountId, limit: 20, before: null })
      assert.strictEqual(JSON.stringify(entries).split('"account.close"').length, 2)
    })
  )

  it.effect("wants a fresh proof for this very name, in every session", () =>
    Effect.gen(function* () {
      const { account, owner, ownerEmail } = yield* openAccount
      const { name } = account
      const app = yield* addApp(owner)
      for (const token of [owner, yield* signIn(ownerEmail), yield* signIn(ownerEmail, "passkey")]) {
        assert.strictEqual((yield* post(CLOSE, token, { name })).status, 403)
        assert.strictEqual((yield* post(CLOSE, token, { name, code: yield* wrongCodeOf(app) })).status, 403)
      }
      yield* nextCode(app)
      assert.strictEqual((yield* post(CLOSE, owner, { name: "Another", code: yield* codeOf(app) })).status, 422)
      assert.strictEqual((yield* post(CLOSE, owner, { name, code: yield* codeOf(app) })).status, 303)
    })
  )
})
