// People in the member area at the same moment, and against their agents: one link is one session, five keys are five, stopped agents order
// nothing more, and an ended session does nothing more, on every instance.
import { Deferred, Effect, Fiber } from "effect"
import { expect } from "vitest"
import { MAX_ACTIVE_KEYS } from "#core/domain/access/ApiKey.ts"
import { SESSION_IDLE_MS, SESSION_MAX_MS } from "#core/domain/members/Session.ts"
import { KeyId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { CloseAccount } from "#core/usecases/members/CloseAccount.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { signInMailOf } from "#test/adapters/web/Invited.ts"
import { linkTo, openAccount, signIn, visit } from "#test/adapters/web/Visitors.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, inOrder } from "../core/BookReads.ts"
import { by, cart, freshKey, issueKey, item, topUp } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { placedBy, postOrder, press, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

/** More than there are instances, so that each is asked. */
const EACH = 6

const statusesOf = (token: string) =>
  Effect.map(concurrently(times(EACH, () => visit({ path: "/account", token }))), (pages) =>
    countEach(pages.map(({ status }) => status))
  )

/** What each instance answers to a session that is good no more. */
const signedOut = { 303: EACH }

const sessionsIn = (answers: ReadonlyArray<{ readonly cookies: ReadonlyArray<string> }>) =>
  answers.flatMap(({ cookies }) => cookies.flatMap((cookie) => /^session=([\w-]{43});/.exec(cookie)?.[1] ?? []))

export const peopleSuite = scenarios("people", {}, (it) => {
  it.effect("a link that a mail scanner opens, and 20 people press at once: one session", () =>
    Effect.gen(function* () {
      const { ownerEmail, owner, account } = yield* openAccount
      const link = new URL(yield* (yield* SignInLinks).demo(ownerEmail))
      const opened = yield* concurrently(times(EACH, () => visit({ path: `${link.pathname}${link.search}` })))
      expect(countEach(opened.map(({ status }) => status))).toEqual({ 200: EACH })
      expect(opened.flatMap(({ cookies }) => cookies)).toEqual([])
      for (const { text } of opened) expect(text).toContain(account.name)
      const form = { token: link.searchParams.get("token") ?? "" }
      const forged = { "sec-fetch-site": "cross-site" }
      const use = (headers = {}) => visit({ method: "POST", path: "/account/sign-in/use", form, headers })
      expect((yield* use(forged)).status).toBe(403)
      const pressed = yield* concurrently(times(20, () => use()))
      const [session, ...others] = sessionsIn(pressed)
      expect([session === undefined, others]).toEqual([false, []])
      expect(pressed.filter(({ status }) => status === 303)).toHaveLength(1)
      expect(yield* statusesOf(session ?? "")).toEqual({ 200: EACH })
      const { text } = yield* visit({ path: "/account/settings", token: owner })
      // Beside the session that looks.
      expect(text.match(/\/account\/settings\/sessions\/ses_\w+\/end"/g) ?? []).toHaveLength(1)
    })
  )

  it.effect(
    "twenty guesses of a sign-in code at once: five are looked at, and the mail's link has ended with them",
    () =>
      Effect.gen(function* () {
        const { ownerEmail } = yield* openAccount
        const { kept, code, token } = yield* signInMailOf(ownerEmail)
        const path = "/account/sign-in/code"
        const type = (typed: string) =>
          visit({ method: "POST", path, form: { code: typed }, headers: { cookie: `asked=${kept}` } })
        const wrong = times(20, (nth) => String((Number(code) + nth + 1) % 1_000_000).padStart(6, "0"))
        const answers = yield* concurrently(wrong.map(type))
        expect(countEach(answers.map(({ status }) => status))).toEqual({ 410: 16, 422: 4 })
        const press = { method: "POST", path: "/account/sign-in/use", form: { token } } as const
        expect(sessionsIn(yield* concurrently([...times(EACH, () => type(code)), visit(press)]))).toEqual([])
        const other = yield* signInMailOf(ownerEmail)
        const used = times(20, (nth) =>
          nth % 2 === 0
            ? visit({ ...press, form: { token: other.token } })
            : visit({ method: "POST", path, form: { code: other.code }, headers: { cookie: `asked=${other.kept}` } })
        )
        expect(sessionsIn(yield* concurrently(used))).toHaveLength(1)
      })
  )

  it.effect("a dozen keys are made at once on the pages: five", () =>
    Effect.gen(function* () {
      const { owner: token } = yield* openAccount
      const form = { label: "Assistant", mode: "live", may_read: "on", may_order: "on" }
      const create = visit({ method: "POST", path: "/account/keys", token, form })
      const answers = yield* concurrently(times(12, () => create))
      expect(countEach(answers.map(({ status }) => status))).toMatchObject({ 303: MAX_ACTIVE_KEYS })
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      const shown = answers.flatMap(({ location }) => (location === null ? [] : [visit({ path: location, token })]))
      const pages = yield* concurrently(shown)
      const texts = pages.flatMap((page) => />(sn_live_\w+)</.exec(page.text)?.[1] ?? [])
      expect(new Set(texts).size).toBe(MAX_ACTIVE_KEYS)
      const { text } = yield* visit({ path: "/account/keys", token })
      expect(text.match(/\/account\/keys\/key_\w+\/revoke"/g) ?? []).toHaveLength(MAX_ACTIVE_KEYS)
      const key = /\/account\/keys\/(key_\w+)\/revoke"/.exec(text)?.[1] ?? KeyId.make("")
      yield* (yield* Credentials).revoke(KeyId.make(key), by)
      expect((yield* create).status).toBe(303)
      expect((yield* create).status).toBe(409)
    })
  )

  it.effect("agents are stopped under load: no order after the answer, and what was open stays payable", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { owner: token, account } = yield* openAccount
      const { accountId } = account
      const quotes = Effect.map(books, (now) => inOrder(now.quotes, (quote) => quote.accountId === accountId).length)
      const { siteId } = yield* listSite()
      const poor = yield* issueKey(accountId)
      const open = placedBy(yield* postOrder(poor.key, cart([item(siteId)]), freshKey()))
      expect(open.status).toBe("awaiting_payment")
      yield* topUp(accountId, 100_000)
      const agents = [poor, yield* issueKey(accountId), yield* issueKey(accountId, { mode: "sandbox" })]
      const underLoad = yield* Deferred.make<void>()
      let [begun, isStopped, late] = [0, false, 0]
      const orderOn = Effect.fnUntraced(function* ({ key }: { readonly key: string }) {
        for (;;) {
          const wasStopped = isStopped
          if (++begun === 60) yield* Deferred.succeed(underLoad, undefined)
          const answer = yield* postOrder(key, cart([item(siteId)]), freshKey())
          if (answer.status === 201 && wasStopped) late++
          if (answer.status !== 201) return refusalIn(answer)
        }
      })
      const crowd = yield* Effect.forkChild(concurrently(times(24, (nth) => orderOn(agents[nth % 3] ?? poor))))
      yield* Deferred.await(underLoad)
      const stop = yield* visit({ method: "POST", path: "/account/stop", token })
      isStopped = true
      const atOnce = yield* quotes
      expect([stop.status, late]).toEqual([303, 0])
      const refusals = yield* Fiber.join(crowd)
      expect(countEach(refusals.map(({ code, details }) => `${code} ${details?.["rule"]}`))).toEqual({
        "spend_policy_refused agents_stopped": 24
      })
      expect(late).toBe(0)
      expect(yield* quotes).toBe(atOnce)
      for (const { key } of agents)
        for (const _ of times(EACH, () => 0)) {
          const refused = refusalIn(yield* postOrder(key, cart([item(siteId)]), freshKey()))
          expect(refused).toMatchObject({ code: "spend_policy_refused", recovery: "human" })
        }
      yield* press("pay", open.payment_url ?? "")
      expect(yield* poor.api.quotes.getQuote({ params: { id: open.quote_id ?? QuoteId.make("") } })).toMatchObject({
        status: "paid"
      })
      const resumed = yield* visit({ method: "POST", path: "/account/stop/resume", token })
      expect(resumed.status).toBe(303)
      placedBy(yield* postOrder(poor.key, cart([item(siteId)]), freshKey()))
    })
  )

  it.effect("a session that is revoked, or whose account is closed, does nothing more on any instance", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail, viewer, account } = yield* openAccount
      const token = yield* signIn(ownerEmail)
      expect(yield* concurrently([statusesOf(token), statusesOf(owner)])).toEqual([{ 200: EACH }, { 200: EACH }])
      const used = yield* Effect.forkChild(concurrently(times(40, () => visit({ path: "/account/orders", token }))))
      yield* visit({ method: "POST", path: "/account/settings/sessions/end-others", token: owner })
      expect(yield* statusesOf(token)).toEqual(signedOut)
      const form = { label: "Late", mode: "live", may_read: "on" }
      for (const _ of times(EACH, () => 0))
        expect((yield* visit({ method: "POST", path: "/account/keys", token, form })).status).toBe(401)
      const during = (yield* Fiber.join(used)).map(({ status }) => status)
      expect(during.filter((status) => ![200, 303].includes(status))).toEqual([])
      expect(yield* statusesOf(owner)).toEqual({ 200: EACH })
      yield* (yield* CloseAccount).close({ accountId: account.accountId, reason: "as a test" }, by)
      for (const one of [owner, viewer]) expect(yield* statusesOf(one)).toEqual(signedOut)
      const again = { token: yield* linkTo(ownerEmail) }
      expect(sessionsIn([yield* visit({ method: "POST", path: "/account/sign-in/use", form: again })])).toEqual([])
    })
  )

  it.effect("a session ends after seven idle days, and after thirty however it is used", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { owner: token, viewer: idle } = yield* openAccount
      const step = SESSION_IDLE_MS - 60_000
      let passed = 0
      yield* statusesOf(idle)
      for (; passed + step < SESSION_MAX_MS; passed += step) {
        expect(yield* statusesOf(token)).toEqual({ 200: EACH })
        yield* advance(step)
      }
      expect(yield* statusesOf(idle)).toEqual(signedOut)
      expect(yield* statusesOf(token)).toEqual({ 200: EACH })
      yield* advance(SESSION_MAX_MS - passed)
      expect(yield* statusesOf(token)).toEqual(signedOut)
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
