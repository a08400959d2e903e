// A member's own change of address on the pages: both mailboxes confirm, scanners change nothing, the old mailbox refuses, and no answer tells
// whose the new address is before its own mailbox asks.
import { createHash, randomUUID } from "node:crypto"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { confirmEmailChange } from "#core/decisions/members/EmailChanges.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { readable, smtpServer } from "#test/adapters/mail/SmtpServer.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, nextCode } from "./AuthenticatorApps.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

type Mailbox = Effect.Success<typeof smtpServer>

const SETTING = "/account/settings/email"

const address = (): string => `${randomUUID()}@changed.example`

const ask = (token: string, email: string, proof: Readonly<Record<string, string>> = {}) =>
  visit({ method: "POST", path: SETTING, token, form: { email, ...proof } })

/** The token in the mail to this address that follows `before` others; waits for it, because mails are sent after the answer. */
const linkTo = ({ received }: Mailbox, email: string, before = 0) =>
  Effect.repeat(
    Effect.delay(
      Effect.sync(() => {
        const mails = received.filter(({ recipients }) => recipients.includes(email)).map(readable)
        return mails.flatMap((mail) => /\/account\/email\?token=([\w.-]+)/.exec(mail)?.[1] ?? [])[before] ?? ""
      }),
      "5 millis"
    ),
    { until: (link) => link !== "" }
  )

const open = (link: string) => visit({ path: `/account/email?token=${link}` })

const press = (link: string, button: "accept" | "refuse" = "accept", token?: string) =>
  visit({
    ...{ method: "POST", path: `/account/email/${button}`, form: { token: link } },
    ...(token === undefined ? {} : { token })
  })

const emailOf = (memberId: Parameters<Members["Service"]["byId"]>[0]) =>
  Effect.map(
    Effect.flatMap(Members, ({ byId }) => byId(memberId)),
    (found) => found?.member.email
  )

const service = <A, E>(
  test: (
    mailbox: Mailbox
  ) => Effect.Effect<A, E, Effect.Services<typeof openAccount> | MovableClock | RunningService.RunningService>
) =>
  Effect.flatMap(smtpServer, (mailbox) => {
    const mail = { SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`, MAIL_FROM: "service@shop.example" }
    return Effect.provide(test(mailbox), RunningService.layer(mail))
  }).pipe(Effect.scoped)

it.live(
  "both mailboxes confirm, and the member signs in with the new address; their other browsers are signed out",
  () =>
    service((mailbox) =>
      Effect.gen(function* () {
        const { owner, ownerEmail, viewer, by } = yield* openAccount
        const elsewhere = yield* signIn(ownerEmail)
        const to = address()
        yield* visit({
          method: "POST",
          path: "/account/settings/time-zone",
          token: owner,
          form: { zone: "Asia/Tokyo" }
        })
        const asked = yield* ask(owner, ` ${to} `)
        expect([asked.status, asked.location]).toEqual([303, SETTING])
        const [old, next] = [yield* linkTo(mailbox, ownerEmail), yield* linkTo(mailbox, to)]
        const deadlines = mailbox.received.map(
          (mail) => /(?:until|by) \d+ \w+ \d{4},? \d\d:\d\d (\S+)\. Until/.exec(readable(mail))?.[1]
        )
        expect(deadlines.filter((zone) => zone !== undefined)).toEqual(["Asia/Tokyo", "Asia/Tokyo"])
        for (const link of [old, next, old, next]) {
          const shown = yield* open(link)
          expect([shown.status, shown.cookies]).toEqual([200, []])
          for (const email of [ownerEmail, to]) expect(shown.text).toContain(email)
        }
        expect((yield* open(old)).text).toContain("Refuse the change")
        expect((yield* open(next)).text).not.toContain("Refuse the change")
        expect((yield* press(next, "refuse")).status).toBe(410)
        expect((yield* press(next)).status).toBe(303)
        expect((yield* open(next)).text).not.toContain("Confirm the new address")
        expect((yield* visit({ path: SETTING, token: owner })).text).toContain("waits to be confirmed")
        expect(yield* emailOf(by.memberId)).toBe(ownerEmail)
        const done = yield* press(old, "accept", owner)
        expect([done.status, done.location]).toEqual([303, "/account/settings"])
        expect(yield* emailOf(by.memberId)).toBe(to)
        const statuses = yield* Effect.forEach([owner, elsewhere, viewer], (token) =>
          visit({ path: "/account", token })
        )
        expect(statuses.map(({ status }) => status)).toEqual([200, 303, 200])
        expect(yield* Effect.forEach([old, next], (link) => Effect.map(open(link), ({ status }) => status))).toEqual([
          ...[410, 410]
        ])
        const { text } = yield* visit({ path: "/account/settings/activity", token: owner })
        expect(text).toContain(`has another address now, ${to} instead of ${ownerEmail}`)
      })
    )
)

it.live("where the sessions did not end with the change, the links say so, and lead to their end", () =>
  service((mailbox) =>
    Effect.gen(function* () {
      const { account, owner, ownerEmail, by } = yield* openAccount
      const elsewhere = yield* signIn(ownerEmail)
      const to = address()
      yield* ask(owner, to)
      const [old, next] = [yield* linkTo(mailbox, ownerEmail), yield* linkTo(mailbox, to)]
      yield* press(next)
      // What is left where the store fails right after the change.
      const hash = createHash("sha256").update(old).digest("hex")
      const reads = { _tag: "ForEmail" as const, email: to, accountId: account.accountId }
      yield* (yield* OrderBook).transact(reads, confirmEmailChange({ ...by, hash }))
      expect((yield* visit({ path: "/account", token: elsewhere })).status).toBe(200)
      const shown = yield* open(old)
      expect(shown.status).toBe(200)
      expect(shown.text).toContain("Sign out the other browsers")
      expect(shown.text).not.toContain("Refuse the change")
      expect((yield* press(old, "accept", owner)).status).toBe(303)
      const statuses = yield* Effect.forEach([owner, elsewhere], (token) => visit({ path: "/account", token }))
      expect(statuses.map(({ status }) => status)).toEqual([200, 303])
      expect([(yield* open(old)).status, (yield* press(next)).status]).toEqual([410, 410])
    })
  )
)

it.live("the old mailbox refuses, the member withdraws, a newer one replaces, and a day ends it: nothing changes", () =>
  service((mailbox) =>
    Effect.gen(function* () {
      const { owner, ownerEmail, by } = yield* openAccount
      const [first, second, third] = [address(), address(), address()]
      yield* ask(owner, first)
      const toFirst = yield* linkTo(mailbox, first)
      yield* press(toFirst)
      const refused = yield* press(yield* linkTo(mailbox, ownerEmail), "refuse")
      expect([refused.status, refused.location]).toEqual([303, "/account/sign-in"])
      yield* ask(owner, second)
      const toSecond = yield* linkTo(mailbox, second)
      const withdrawn = yield* visit({ method: "POST", path: `${SETTING}/withdraw`, token: owner })
      expect(withdrawn.status).toBe(303)
      yield* ask(owner, third)
      const toThird = yield* linkTo(mailbox, third)
      expect((yield* open(toThird)).status).toBe(200)
      expect((yield* ask(owner, address())).status).toBe(429)
      yield* (yield* MovableClock).advance("24 hours")
      for (const link of [toFirst, toSecond, toThird, `${toThird}x`, "mem_none.x", ""]) {
        expect((yield* press(link)).status).toBe(410)
        expect((yield* press(link, "refuse")).status).toBe(410)
      }
      expect(yield* emailOf(by.memberId)).toBe(ownerEmail)
    })
  )
)

it.live("an address of another account is answered and mailed like a free one, and told to its own mailbox alone", () =>
  service((mailbox) =>
    Effect.gen(function* () {
      const { owner, ownerEmail, viewerEmail, by } = yield* openAccount
      const other = yield* openAccount
      const told = (email: string) =>
        Effect.map(ask(owner, email), ({ status, location, text, cookies }) =>
          JSON.stringify([status, location, text, cookies.map((cookie) => decodeURIComponent(cookie))]).replaceAll(
            email,
            "NEW"
          )
        )
      expect(yield* told(address())).toBe(yield* told(other.ownerEmail))
      const [old, next] = [yield* linkTo(mailbox, ownerEmail, 1), yield* linkTo(mailbox, other.ownerEmail)]
      expect((yield* open(next)).text).not.toContain("belongs")
      expect((yield* press(old)).status).toBe(303)
      const taken = yield* press(next)
      expect([taken.status, taken.text.includes("belongs to a member already")]).toEqual([409, true])
      expect(yield* emailOf(by.memberId)).toBe(ownerEmail)
      const own = yield* ask(owner, viewerEmail)
      expect([own.status, own.text.includes("another member of your account, has this address")]).toEqual([422, true])
    })
  )
)

it.live("an address gets two such mails a day, whichever members ask, and viewers change theirs, too", () =>
  service(() =>
    Effect.gen(function* () {
      const to = address()
      const askers = yield* Effect.all(times(3, () => openAccount))
      const answers = yield* Effect.forEach(askers, ({ viewer }) => ask(viewer, to))
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 429])
    })
  )
)

it.live("where the account has a second factor, asking wants a fresh proof, in every session", () =>
  service(() =>
    Effect.gen(function* () {
      const { owner, ownerEmail, viewer } = yield* openAccount
      const app = yield* addApp(owner)
      const byMail = yield* signIn(ownerEmail)
      for (const token of [owner, byMail, viewer]) expect((yield* ask(token, address())).status).toBe(403)
      expect((yield* ask(byMail, address(), { code: yield* nextCode(app) })).status).toBe(303)
    })
  )
)
