// Mails on what agents buy from credit, of a running service over a real SMTP server: what they say, how many, and what a dead server delays.
import { it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { describe, expect } from "vitest"
import { ALL_SCOPES, noLimits } from "#core/domain/access/ApiKey.ts"
import { MAIL_GAP_MS } from "#core/domain/mails/PurchaseMail.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { openAccount, visit } from "#test/adapters/web/Visitors.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { type ReceivedMail, readable, smtpServer } from "./SmtpServer.ts"

/** An account with an owner, a viewer, credit, and an agent's key. */
const customer = Effect.gen(function* () {
  const people = yield* openAccount
  const { accountId } = people.account
  yield* (yield* ManageAccounts).topUp({ accountId, cents: 90_000, reference: "test" }, "test")
  const key = { accountId, mode: "live", label: "Assistant <b>", scopes: ALL_SCOPES, limits: noLimits } as const
  const { text } = yield* (yield* Credentials).issue(key, "test")
  const { siteId } = yield* listSite()
  return { ...people, key: Redacted.value(text), siteId }
})

type Customer = Effect.Success<typeof customer>

const buy = Effect.fnUntraced(function* ({ key, siteId }: Customer) {
  const { url } = yield* RunningService.RunningService
  const item = { site_id: siteId, target_url: "https://shop.example/", anchor_text: "tools", anchor_type: "exact" }
  const answer = yield* Effect.promise(() =>
    fetch(new URL("/api/v1/agent/orders", url), {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ items: [item] })
    }).then((response) => response.json())
  )
  expect(answer.status).toBe("paid")
  return String(answer.order_id)
})

/** Also the orders of this moment, which the job leaves to a later pass. */
const pass = Effect.flatMap(MailOwners, ({ purchases }) => purchases.pass(-60_000))

const to = (received: ReadonlyArray<ReceivedMail>, email: string) =>
  received.filter(({ recipients }) => recipients.includes(email)).map(readable)

const withMails = <A, E>(
  test: (
    server: Effect.Success<typeof smtpServer>
  ) => Effect.Effect<
    A,
    E,
    Effect.Services<ReturnType<typeof buy>> | Effect.Services<typeof customer> | MailOwners | MovableClock
  >
) =>
  Effect.flatMap(smtpServer, (server) =>
    Effect.provide(
      test(server),
      RunningService.layer({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "service@shop.example" })
    )
  ).pipe(Effect.scoped)

describe("after a purchase from credit by an agent", () => {
  it.live("its owners get a mail whose link leads to the button that stops all agents, and changes nothing", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer
        const orderId = yield* buy(someone)
        yield* pass
        const [mail = "", ...others] = to(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect(to(received, someone.viewerEmail)).toEqual([])
        for (const said of ["for 5.00 EUR from your credit", orderId, "https://shop.example/: 5.00 EUR"])
          expect(mail).toContain(said)
        expect(mail).toContain("Assistant &lt;b&gt; placed the order")
        const [, link = ""] = /<a href="([^"]+)">This was not meant/.exec(mail) ?? []
        const { pathname } = new URL(link)
        expect(pathname).toBe("/account/stop")
        const page = yield* visit({ path: pathname, token: someone.owner })
        expect(page.text).toContain("Stop all agents</button>")
        yield* buy(someone)
      })
    )
  )

  it.live("many purchases are two mails: the first, and all others once five minutes are over", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer
        const { advance } = yield* MovableClock
        yield* buy(someone)
        yield* pass
        for (let n = 0; n < 30; n++) {
          yield* buy(someone)
          yield* pass
        }
        expect(to(received, someone.ownerEmail)).toHaveLength(1)
        yield* advance(MAIL_GAP_MS)
        yield* pass
        yield* pass
        const mails = to(received, someone.ownerEmail)
        expect(mails).toHaveLength(2)
        expect(mails[1]).toContain("Agents bought for 150.00 EUR from your credit")
        expect(mails[1]).toContain("And 10 orders more")
      })
    )
  )

  it.live("a mail server that refuses stops no order, and gets the mail once it takes mails again", () =>
    withMails(({ received, refuse }) =>
      Effect.gen(function* () {
        const someone = yield* customer
        const { advance } = yield* MovableClock
        refuse(true)
        const first = yield* buy(someone)
        expect(yield* pass).toEqual([{ _tag: "Failed", reason: expect.stringContaining("mailbox full") }])
        const second = yield* buy(someone)
        expect(yield* pass).toEqual([])
        refuse(false)
        yield* advance("1 minute")
        expect(yield* pass).toEqual([{ _tag: "Sent" }])
        const [mail = "", ...others] = to(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect([mail.includes(first), mail.includes(second)]).toEqual([true, true])
      })
    )
  )

  it.live("an owner who does not want these mails gets none until they are wanted again", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer
        const settings = "/account/settings/mails"
        const post = (action: string) => visit({ method: "POST", path: `${settings}/${action}`, token: someone.owner })
        yield* post("stop")
        expect((yield* visit({ path: settings, token: someone.owner })).text).toContain("You do not get them")
        expect((yield* visit({ path: settings, token: someone.viewer })).text).toContain("you are a viewer")
        yield* buy(someone)
        yield* pass
        yield* post("want")
        yield* pass
        expect(to(received, someone.ownerEmail)).toEqual([])
        const wanted = yield* buy(someone)
        yield* pass
        expect(to(received, someone.ownerEmail).map((mail) => mail.includes(wanted))).toEqual([true])
      })
    )
  )
})
