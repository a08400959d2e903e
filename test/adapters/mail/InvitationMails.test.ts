// Mails of invitations, of a running service over a real SMTP server: what the invited person and all owners get, and how often.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { retryDelayMs } from "#core/domain/mails/PurchaseMail.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { MailInvitations } from "#core/usecases/members/MailInvitations.ts"
import { inviteOn, open, person, press } from "#test/adapters/web/Invited.ts"
import { openAccount, visit } from "#test/adapters/web/Visitors.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { mailsTo, withMails } from "./MailSteps.ts"
import type { ReceivedMail } from "./SmtpServer.ts"

/** The mails to this address, once there are as many: the job sends them after the answer. */
const until = (received: ReadonlyArray<ReceivedMail>, email: string, count: number) =>
  Effect.repeat(
    Effect.delay(
      Effect.sync(() => mailsTo(received, email)),
      "5 millis"
    ),
    { until: (mails) => mails.length >= count }
  )

const pass = Effect.flatMap(MailInvitations, (mails) => mails.pass)

/** Also what happens at this moment, which the job leaves to a later pass. */
const passNotices = Effect.flatMap(MailOwners, ({ notices }) => notices.pass(-60_000))

const linkIn = (mail: string): string => /account\/invitation\?token=([\w-]+)/.exec(mail)?.[1] ?? ""

describe("an invitation", () => {
  it.live("is one mail that names who invites and to what; its link accepts, and owners are told of both", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const home = yield* openAccount
        const email = person()
        expect((yield* inviteOn(home.owner, email)).status).toBe(303)
        const [mail = ""] = yield* until(received, email, 1)
        for (const said of [`Subject: ${home.ownerEmail}`, home.account.name, "as viewer", "only if you accept"])
          expect(mail.replaceAll(/\r\n\s?/g, " ")).toContain(said)
        const link = linkIn(mail)
        expect((yield* open(link)).text).toContain(home.ownerEmail)
        expect((yield* press(link)).status).toBe(303)
        yield* passNotices
        yield* pass
        expect(mailsTo(received, email)).toHaveLength(1)
        const [news = "", ...others] = mailsTo(received, home.ownerEmail)
        expect(others).toEqual([])
        const told = news.replaceAll(/\r\n\s?/g, " ")
        expect(told).toContain(`${home.ownerEmail} invited ${email}, as viewer`)
        expect(told).toContain(`${email} accepted the invitation`)
        expect(mailsTo(received, home.viewerEmail)).toEqual([])
      })
    )
  )

  it.live("of several accounts to one person is one mail a day; what was withdrawn is not sent", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const [first, second, third] = [yield* openAccount, yield* openAccount, yield* openAccount]
        const email = person()
        yield* inviteOn(first.owner, email)
        yield* until(received, email, 1)
        for (const { owner } of [second, third]) expect((yield* inviteOn(owner, email)).status).toBe(303)
        yield* pass
        expect(mailsTo(received, email)).toHaveLength(1)
        const { text } = yield* visit({ path: "/account/settings", token: second.owner })
        const path = /action="(\/account\/settings\/invitations\/\w+\/withdraw)"/.exec(text)?.[1] ?? ""
        expect((yield* visit({ method: "POST", path, token: second.owner })).status).toBe(303)
        const { advance } = yield* MovableClock
        yield* advance("1 day")
        yield* pass
        const mails = yield* until(received, email, 2)
        expect(mails[1]).toContain(third.ownerEmail)
        yield* advance("1 day")
        yield* pass
        expect(mailsTo(received, email)).toHaveLength(2)
      })
    )
  )

  it.live("waits for a mail server that refuses, and every link that was sent is good until one is used", () =>
    withMails(({ received, refuse }) =>
      Effect.gen(function* () {
        const home = yield* openAccount
        const email = person()
        refuse(true)
        expect((yield* inviteOn(home.owner, email)).status).toBe(303)
        yield* pass
        refuse(false)
        yield* (yield* MovableClock).advance(retryDelayMs(1))
        yield* pass
        const [mail = ""] = yield* until(received, email, 1)
        expect((yield* open(linkIn(mail))).status).toBe(200)
      })
    )
  )
})
