// An account with a second factor, and who reads its mailbox: a session by mail looks and tightens, one confirmation opens the rest for that
// session alone, and what is made is shown once. Each request goes to the next instance.
import { randomBytes } from "node:crypto"
import { Effect, HashMap } from "effect"
import { expect } from "vitest"
import { type Books, find } from "#core/decisions/Books.ts"
import { ALL_SCOPES } from "#core/domain/access/ApiKey.ts"
import type { Account } from "#core/domain/members/Account.ts"
import { SHOWN_ONCE_MS } from "#core/domain/members/Factor.ts"
import { ResetCodes } from "#core/usecases/members/ResetCodes.ts"
import { addApp, codeOf, madeUpProofs, newApp, nextCode } from "#test/adapters/web/AuthenticatorApps.ts"
import { customer, type Form, orderForm, put, stateOf } from "#test/adapters/web/CartSteps.ts"
import { linkTo, openAccount, signIn, visit } from "#test/adapters/web/Visitors.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { addSubscription } from "#test/core/ports/ordering/OrderSteps.ts"
import { concurrently, times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { issueKey } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const IN_PLACE = "You signed in by mail alone"
const FACTORS = "/account/settings/factors"
const NEW_KEY = { label: "Assistant", mode: "live", may_read: "on", may_order: "on" }
const BILLING = { name: "Garden & Tools", address: "Gartenweg 7\r\n10115 Berlin", country: "DE" }

const post = (path: string, token: string, form: Form = {}) => visit({ method: "POST", path, token, form })
const statusOf = (path: string, token: string, form: Form = {}) =>
  Effect.map(post(path, token, form), ({ status }) => status)

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
  "&lt;": "<",
  "&gt;": ">"
}

/** The fields that a page's form brings back. */
const broughtBack = (text: string): Form =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll(/&\w+;|&#39;/g, (entity) => ENTITIES[entity] ?? entity)
    ])
  )

/** A new key of the account, with a webhook. */
const withWebhook = Effect.fnUntraced(function* ({ accountId }: Account) {
  const { keyId } = yield* issueKey(accountId)
  const { webhookId } = yield* addSubscription({ accountId, keyId, mode: "live", scopes: ALL_SCOPES })
  return { keyId, webhookId }
})

/** An owner with credit, a full cart, a key with a webhook, and since then an app; and a session of who reads the mailbox. */
const guarded = Effect.gen(function* () {
  const people = yield* customer(5_000)
  const { owner, ownerEmail, account } = people
  const { siteId } = yield* listSite()
  yield* put(owner, siteId)
  const { form: order } = yield* orderForm(owner)
  const { keyId, webhookId } = yield* withWebhook(account)
  const app = yield* addApp(owner)
  return { ...people, siteId, order, webhookId, app, keyId, reader: yield* signIn(ownerEmail) }
})

type Guarded = Effect.Success<typeof guarded>

/** What changes something: each with its form. */
const wishes = ({ siteId, order, webhookId }: Guarded): ReadonlyArray<readonly [path: string, form: Form]> => [
  ["/account/settings/billing", BILLING],
  ["/account/settings/mails", { approvals: "on" }],
  [`/account/webhooks/${webhookId}/rotate`, {}],
  [`/account/webhooks/${webhookId}/test`, {}],
  ["/account/credit/top-ups", { top_up: "top_0123456789", amount: "50" }],
  ["/account/shop/cart", { id: "one", site_id: String(siteId), target_url: "https://shop.example/", anchor_text: "a" }],
  ["/account/shop/cart/promo-code", { promo_code: "TEN" }],
  ["/account/shop/order", order]
]

/** Counts what a form made. */
type Effects = (books: Books) => number

const recorded =
  (action: string, { accountId }: Account): Effects =>
  ({ audit }) =>
    HashMap.size(HashMap.filter(audit, (record) => record.action === action && record.accountId === accountId))

const kept = Effect.flatMap(RunningService, ({ books }) => Effect.map(books, ({ sessions: _, ...others }) => others))

export const confirmedSessionsSuite = scenarios("confirmed sessions", {}, (it) => {
  it.effect("a session by mail changes nothing, whatever it sends along, and tightens freely", () =>
    Effect.gen(function* () {
      const given = yield* guarded
      const { reader, app, webhookId, keyId } = given
      const before = yield* kept
      const [first = ["", {}] as const] = wishes(given)
      for (const [path, form] of wishes(given)) {
        const { status, text } = yield* post(path, reader, form)
        expect([path, status, text.includes(IN_PLACE)]).toEqual([path, 403, true])
        expect(broughtBack(text)).toEqual({ ...form })
      }
      for (const proof of yield* madeUpProofs(app))
        expect(yield* statusOf(first[0], reader, { ...first[1], ...proof })).toBe(403)
      expect(yield* kept).toEqual(before)
      for (const path of ["/account", "/account/shop/cart", "/account/webhooks", "/account/settings/billing"])
        expect((yield* visit({ path, token: reader })).status).toBe(200)
      const tightens = ["/account/stop", `/account/webhooks/${webhookId}/end`, `/account/keys/${keyId}/revoke`]
      for (const path of tightens) expect([path, yield* statusOf(path, reader)]).toEqual([path, 303])
    })
  )

  it.effect(
    "one confirmation does what was asked for with what was typed, and opens the rest for that session alone",
    () =>
      Effect.gen(function* () {
        const given = yield* guarded
        const { owner, ownerEmail, account, app, order } = given
        const asked = yield* post("/account/settings/billing", owner, BILLING)
        const form = { ...broughtBack(asked.text), code: yield* nextCode(app) }
        const done = yield* post("/account/settings/billing", owner, form)
        expect([done.status, done.location]).toEqual([303, "/account/settings/billing"])
        expect((yield* visit({ path: "/account/settings/billing", token: owner })).text).toContain("Garden &amp; Tools")
        expect(yield* statusOf("/account/shop/order", owner, order)).toBe(303)
        expect(yield* stateOf(account.accountId)).toMatchObject({ orders: 1, availableCents: 4_500 })
        // What wants a fresh proof for the very action wants it still.
        expect(yield* statusOf("/account/keys", owner, NEW_KEY)).toBe(403)
        const other = yield* signIn(ownerEmail)
        expect(yield* statusOf("/account/settings/billing", other, BILLING)).toBe(403)
        // A proof for one action confirms the session, too.
        expect(yield* statusOf("/account/keys", other, { ...NEW_KEY, code: yield* nextCode(app) })).toBe(303)
        expect(yield* statusOf("/account/settings/billing", other, BILLING)).toBe(303)
      })
  )

  it.effect("20 confirmations of one order at once, by one code: the order is placed once", () =>
    Effect.gen(function* () {
      const { owner, account, app, order } = yield* guarded
      const form = { ...order, code: yield* nextCode(app) }
      const answers = yield* concurrently(times(20, () => statusOf("/account/shop/order", owner, form)))
      expect(Object.keys(countEach(answers)).filter((status) => !["303", "403"].includes(status))).toEqual([])
      expect(answers).toContain(303)
      expect(yield* stateOf(account.accountId)).toMatchObject({ orders: 1, availableCents: 4_500 })
    })
  )

  it.effect("a sign-in by link and code is confirmed; the first factor takes it off every session of the account", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail, account, app } = yield* guarded
      const email = `colleague-${yield* (yield* UniqueNumbers).next}@example.com`
      yield* joinAs({ accountId: account.accountId, email, role: "owner" })
      const link = { token: yield* linkTo(ownerEmail), code: yield* nextCode(app) }
      const { cookies } = yield* visit({ method: "POST", path: "/account/sign-in/use", form: link })
      const [, token = ""] = /^session=([\w-]{43});/m.exec(cookies.join("\n")) ?? []
      const confirmed = [token, yield* signIn(ownerEmail, "passkey"), yield* signIn(email, "passkey")]
      const statuses = Effect.forEach(confirmed, (session) => statusOf("/account/settings/billing", session, BILLING))
      expect(yield* statuses).toEqual([303, 303, 303])
      expect(yield* statusOf(`${FACTORS}/totp/remove`, owner, { code: yield* nextCode(app) })).toBe(303)
      expect(yield* statuses).toEqual([303, 303, 303])
      const stranger = yield* openAccount
      const theirs = yield* addApp(stranger.owner)
      const proven = { ...BILLING, code: yield* nextCode(theirs) }
      expect(yield* statusOf("/account/settings/billing", stranger.owner, proven)).toBe(303)
      yield* addApp(owner)
      expect(yield* statuses).toEqual([403, 403, 403])
      expect(yield* statusOf("/account/settings/billing", stranger.owner, BILLING)).toBe(303)
    })
  )

  it.effect("a member without a factor adds one with a one-time code, which confirms the session", () =>
    Effect.gen(function* () {
      const { account } = yield* guarded
      const email = `colleague-${yield* (yield* UniqueNumbers).next}@example.com`
      yield* joinAs({ accountId: account.accountId, email, role: "owner" })
      const bo = yield* signIn(email)
      const asked = yield* post("/account/settings/billing", bo, BILLING)
      expect([asked.status, asked.text.includes("one-time code")]).toEqual([403, true])
      expect(asked.text).not.toContain("Confirm and continue")
      const { code } = yield* (yield* ResetCodes).issueFor(email, { operator: "op" })
      // It stands in for a factor where one is added, and nowhere else.
      expect(yield* statusOf("/account/settings/billing", bo, { ...BILLING, code })).toBe(403)
      // In an old session, too: the code is fresher than any sign-in.
      yield* (yield* MovableClock).advance("11 minutes")
      const { app, sealed } = yield* newApp(bo)
      expect(yield* statusOf(`${FACTORS}/totp`, bo, { sealed, new_code: yield* codeOf(app), code })).toBe(303)
      expect(yield* statusOf("/account/settings/billing", bo, BILLING)).toBe(303)
    })
  )

  it.effect(
    "a key, a signing secret and a code are made once by a form, and shown until they are kept, to its session",
    () =>
      Effect.gen(function* () {
        const people = yield* openAccount
        const { owner, ownerEmail, account, viewerMember } = people
        const other = yield* signIn(ownerEmail)
        const { webhookId } = yield* withWebhook(account)
        const rotations: Effects = ({ subscriptions }) => find(subscriptions, webhookId)?.previousKeys.length ?? 0
        const codePath = `/account/settings/members/${viewerMember.memberId}/code`
        const made: ReadonlyArray<readonly [path: string, form: Form, secret: RegExp, effects: Effects]> = [
          ["/account/keys", NEW_KEY, /sn_live_\w{38}/, recorded("key.issue", account)],
          [`/account/webhooks/${webhookId}/rotate`, {}, /whsec_[\w+/=-]{40,}/, rotations],
          [codePath, {}, /[0-9A-F]{4}(-[0-9A-F]{4}){4}/, recorded("factor.code_issued", account)]
        ]
        const { rows, books } = yield* RunningService
        for (const [path, form, secret, effects] of made) {
          const before = effects(yield* books)
          const form_id = randomBytes(16).toString("base64url")
          const answers = yield* concurrently(times(5, () => post(path, owner, { ...form, form_id })))
          const [first] = answers
          const location = first?.location ?? ""
          for (const { status, location: at, text, cookies } of answers)
            expect([path, status, at, secret.test(`${at} ${text} ${cookies.join()}`)]).toEqual([
              path,
              303,
              location,
              false
            ])
          const look = (token = owner) => visit({ path: location, token })
          expect([path, effects(yield* books) - before]).toEqual([path, 1])
          const stored = yield* rows
          expect((yield* look(other)).status).toBe(404)
          const pages = yield* concurrently(times(20, () => look()))
          expect(countEach(pages.map((page) => page.status))).toEqual({ 200: 20 })
          const [shown = ""] = secret.exec(pages[0]?.text ?? "") ?? []
          expect(shown).not.toBe("")
          expect(pages.filter((page) => page.text.includes(shown))).toHaveLength(20)
          // Another session of the same owner does not end it.
          expect((yield* post(`${location}/kept`, other, {})).status).toBe(303)
          expect((yield* look()).status).toBe(200)
          const kept = yield* concurrently(times(3, () => post(`${location}/kept`, owner, {})))
          expect(countEach(kept.map((answer) => answer.status))).toEqual({ 303: 3 })
          // The prefix and the last four of a key are stored for display.
          expect(stored.filter(([, row]) => row.includes(shown) || row.includes(shown.slice(12, -4)))).toEqual([])
          expect((yield* look()).text).toContain("cannot be shown again")
        }
        const late = yield* post("/account/keys", owner, NEW_KEY)
        yield* (yield* MovableClock).advance(SHOWN_ONCE_MS)
        expect((yield* visit({ path: late.location ?? "", token: owner })).status).toBe(404)
        const list = yield* visit({ path: "/account/keys", token: owner })
        expect(list.text.match(/\/revoke"/g) ?? []).toHaveLength(3)
      })
  )
})
