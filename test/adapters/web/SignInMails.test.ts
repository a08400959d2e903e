// Sign-in by mails over a real SMTP server: strangers who ask for a thousand links learn nothing and lock no owner out, networks are those
// that a trusted proxy names, and where sign-up is closed an unknown address gets the same answer and no mail.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { readable, smtpServer } from "#test/adapters/mail/SmtpServer.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit, withoutAsked } from "./Visitors.ts"

type Mailbox = Effect.Success<typeof smtpServer>

const from = (network: string) => ({ "x-forwarded-for": network })

const ask = Effect.fnUntraced(function* (email: string, network: string) {
  const form = { email }
  const answer = yield* visit({ method: "POST", path: "/account/sign-in", form, headers: from(network) })
  return JSON.stringify([answer.status, answer.location, answer.cookies.map(withoutAsked), answer.text])
})

/** The tokens of the links in the mails to this address so far. */
const linksTo = ({ received }: Mailbox, email: string): ReadonlyArray<string> =>
  received
    .filter(({ recipients }) => recipients.includes(email))
    .flatMap((mail) => /\/account\/sign-in\?token=([\w-]+)/.exec(readable(mail))?.[1] ?? [])

/** Polls, because mails are sent after the answer. */
const untilLinks = (mailbox: Mailbox, email: string, count: number) =>
  Effect.repeat(
    Effect.delay(
      Effect.sync(() => linksTo(mailbox, email)),
      "5 millis"
    ),
    {
      until: (links) => links.length >= count
    }
  )

const use = (token: string, network: string) =>
  visit({ method: "POST", path: "/account/sign-in/use", form: { token }, headers: from(network) })

const service = <A, E>(
  env: RunningService.Env,
  test: (
    mailbox: Mailbox
  ) => Effect.Effect<A, E, Effect.Services<typeof openAccount> | MovableClock | RunningService.RunningService>
) =>
  Effect.flatMap(smtpServer, (mailbox) => {
    const mail = { SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`, MAIL_FROM: "service@shop.example" }
    return Effect.provide(test(mailbox), RunningService.layer({ ...mail, ...env }))
  }).pipe(Effect.scoped)

const OWN = "192.0.2.7"

it.live("a thousand requests by strangers tell nothing, bring the owner five mails, and the owner still signs in", () =>
  service({ TRUSTED_PROXIES: "127.0.0.0/8, ::1" }, (mailbox) =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      yield* ask(ownerEmail, OWN)
      const [first = ""] = yield* untilLinks(mailbox, ownerEmail, 1)
      expect((yield* use(first, OWN)).status).toBe(303)
      yield* (yield* MovableClock).advance("61 minutes")
      const requests = times(500, (nth) => {
        const stranger = `203.0.113.${nth % 5}`
        return [ask(ownerEmail, stranger), ask(`unknown-${nth}@example.com`, stranger)]
      })
      const answers = yield* Effect.all(requests.flat(), { concurrency: 25 })
      expect(new Set(answers).size).toBe(1)
      expect(answers[0]).toContain("/account/sign-in/sent")
      // The owner's own network is bounded apart, and its mail comes after those of the strangers.
      expect(yield* ask(ownerEmail, OWN)).toBe(answers[0])
      const links = yield* untilLinks(mailbox, ownerEmail, 7)
      expect(links).toHaveLength(7)
      expect((yield* use(links[6] ?? "", OWN)).status).toBe(303)
      expect(linksTo(mailbox, ownerEmail)).toHaveLength(7)
    })
  )
)

it.live("without trusted proxies, what a client writes about its network counts for nothing", () =>
  service({}, (mailbox) =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      for (let nth = 0; nth < 8; nth++) yield* ask(ownerEmail, `198.51.100.${nth}`)
      yield* untilLinks(mailbox, ownerEmail, 5)
      const other = yield* openAccount
      yield* ask(other.ownerEmail, OWN)
      yield* untilLinks(mailbox, other.ownerEmail, 1)
      expect(linksTo(mailbox, ownerEmail)).toHaveLength(5)
      const [link = ""] = linksTo(mailbox, ownerEmail)
      expect((yield* use(link, OWN)).status).toBe(303)
      const rows = yield* (yield* RunningService.RunningService).rows
      const sessions = rows.filter(([table]) => table === "sessions").map(([, row]) => row)
      expect([sessions.join().includes("127.0.0.1"), rows.some(([, row]) => row.includes(OWN))]).toEqual([true, false])
    })
  )
)

/** The value of the cookie by which the browser is known. */
const devicesIn = (cookies: ReadonlyArray<string>): string =>
  cookies.flatMap((cookie) => /^devices=([^;]+);/.exec(cookie)?.[1] ?? [])[0] ?? ""

it.live("behind a proxy that is not configured, a flood shuts out nobody who signed in from this device before", () =>
  service({}, (mailbox) =>
    Effect.gen(function* () {
      const [ada, bo] = [yield* openAccount, yield* openAccount]
      yield* ask(ada.ownerEmail, OWN)
      const [first = ""] = yield* untilLinks(mailbox, ada.ownerEmail, 1)
      const devices = devicesIn((yield* use(first, OWN)).cookies)
      expect(devices).not.toBe("")
      yield* (yield* MovableClock).advance("61 minutes")
      // The sixty that a network may have, and more for each address than it may have.
      const flood = times(60, (nth) => [
        ask(`unknown-${nth}@example.com`, OWN),
        ask(ada.ownerEmail, OWN),
        ask(bo.ownerEmail, OWN)
      ])
      yield* Effect.all(flood.flat(), { concurrency: 25 })
      const askFrom = (email: string) =>
        visit({ method: "POST", path: "/account/sign-in", form: { email }, headers: { cookie: `devices=${devices}` } })
      const before = linksTo(mailbox, ada.ownerEmail).length
      expect((yield* askFrom(ada.ownerEmail)).status).toBe(303)
      const links = yield* untilLinks(mailbox, ada.ownerEmail, before + 1)
      expect((yield* use(links.at(-1) ?? "", OWN)).status).toBe(303)
      // The mark is of one member, and what it allows is bounded, too.
      for (let nth = 0; nth < 8; nth++) yield* askFrom(bo.ownerEmail)
      for (let nth = 0; nth < 8; nth++) yield* askFrom(ada.ownerEmail)
      yield* untilLinks(mailbox, ada.ownerEmail, before + 5)
      yield* Effect.sleep("200 millis")
      expect(linksTo(mailbox, ada.ownerEmail).length).toBeLessThanOrEqual(1 + 5 + 5)
      expect(linksTo(mailbox, bo.ownerEmail).length).toBeLessThanOrEqual(5)
    })
  )
)

it.live("a device whose session began before it had a mark is given one by the next page, and keeps it", () =>
  service({}, () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const { cookies } = yield* visit({ path: "/account/settings", token: owner })
      const devices = devicesIn(cookies)
      expect(devices).not.toBe("")
      const again = yield* visit({
        path: "/account/settings",
        headers: { cookie: `session=${owner}; devices=${devices}` }
      })
      expect([again.status, devicesIn(again.cookies)]).toEqual([200, ""])
      const out = yield* visit({ path: "/account/sign-in" })
      expect(devicesIn(out.cookies)).toBe("")
    })
  )
)

it.live("where sign-up is closed, an unknown address is answered alike and gets no mail", () =>
  service({ SIGNUP: "closed" }, (mailbox) =>
    Effect.gen(function* () {
      const { ownerEmail } = yield* openAccount
      const unknown = yield* ask("new@example.com", OWN)
      expect(yield* ask(ownerEmail, OWN)).toBe(unknown)
      yield* untilLinks(mailbox, ownerEmail, 1)
      expect(mailbox.received.map(({ recipients }) => recipients)).toEqual([[ownerEmail]])
    })
  )
)

it.live("where it is open, the link in the mail opens an account", () =>
  service({}, (mailbox) =>
    Effect.gen(function* () {
      yield* ask("new@example.com", OWN)
      const [token = ""] = yield* untilLinks(mailbox, "new@example.com", 1)
      const { text } = yield* visit({ path: `/account/sign-in?token=${token}` })
      expect(text).toContain("You open a new account for <strong>new@example.com</strong>")
      expect((yield* use(token, OWN)).location).toBe("/account")
      expect((yield* use(token, OWN)).location).toBeNull()
    })
  )
)
