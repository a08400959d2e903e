// Mails on orders that wait for approval, of a running service over a real SMTP server: what they say, to whom, and what a dead server
// delays.
import { it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { describe, expect } from "vitest"
import { ALL_SCOPES, noLimits } from "#core/domain/access/ApiKey.ts"
import { APPROVAL_MAIL_GAP_MS } from "#core/domain/mails/ApprovalMail.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { openAccount, visit } from "#test/adapters/web/Visitors.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { type ReceivedMail, readable, smtpServer } from "./SmtpServer.ts"

/** An account with an owner, a viewer, credit, and an agent's key that asks for every order. */
const customer = Effect.gen(function* () {
  const people = yield* openAccount
  const { accountId } = people.account
  yield* (yield* ManageAccounts).topUp({ accountId, cents: 90_000, reference: "test" }, "test")
  const limits = { ...noLimits, approveAboveCents: 0 }
  const key = { accountId, mode: "live", label: "Assistant <b>", scopes: ALL_SCOPES, limits } as const
  const { text } = yield* (yield* Credentials).issue(key, "test")
  const { siteId } = yield* listSite()
  return { ...people, key: Redacted.value(text), siteId }
})

type Customer = Effect.Success<typeof customer>

const ask = Effect.fnUntraced(function* ({ key, siteId }: Customer) {
  const { url } = yield* RunningService.RunningService
  const item = { site_id: siteId, target_url: "https://shop.example/", anchor_text: "tools", anchor_type: "exact" }
  const answer = yield* Effect.promise(() =>
    fetch(new URL("/api/v1/agent/orders", url), {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ items: [item] })
    }).then((response) => response.json())
  )
  expect(answer.status).toBe("awaiting_approval")
  return String(answer.quote_id)
})

/** Also the orders of this moment, which the job leaves to a later pass. */
const pass = Effect.flatMap(MailOwners, ({ approvals }) => approvals.pass(-60_000))

const to = (received: ReadonlyArray<ReceivedMail>, email: string) =>
  received.filter(({ recipients }) => recipients.includes(email)).map(readable)

const withMails = <A, E>(
  test: (
    server: Effect.Success<typeof smtpServer>
  ) => Effect.Effect<
    A,
    E,
    | Effect.Services<ReturnType<typeof ask>>
    | Effect.Services<typeof customer>
    | MailOwners
    | DecideApproval
    | MovableClock
  >
) =>
  Effect.flatMap(smtpServer, (server) =>
    Effect.provide(
      test(server),
      RunningService.layer({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "service@shop.example" })
    )
  ).pipe(Effect.scoped)

describe("when an order waits for approval", () => {
  it.live("its owners, and no viewer, get a mail that leads to its page, and which approves nothing", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer
        const quoteId = yield* ask(someone)
        yield* pass
        yield* pass
        const [mail = "", ...others] = to(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect(to(received, someone.viewerEmail)).toEqual([])
        expect(mail).toContain("Subject: An order waits for you")
        for (const said of ["for 5.00 EUR", "https://shop.example/", "Assistant &lt;b&gt; asks to order 1 link"])
          expect(mail).toContain(said)
        const [, link = ""] = /<a href="([^"]+)">Look at the order/.exec(mail) ?? []
        const { pathname } = new URL(link)
        expect(pathname).toBe(`/account/approvals/${quoteId}`)
        expect((yield* visit({ path: pathname })).location).toContain("/account/sign-in")
        const page = yield* visit({ path: pathname, token: someone.owner })
        expect(page.text).toContain("Approve an order")
      })
    )
  )

  it.live("what is decided before is not told, and several are told in one mail after a minute", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer
        const { advance } = yield* MovableClock
        const { decline } = yield* DecideApproval
        yield* decline(QuoteId.make(yield* ask(someone)), { operator: "test" }, "")
        yield* pass
        expect(to(received, someone.ownerEmail)).toEqual([])
        yield* ask(someone)
        yield* pass
        for (let n = 0; n < 3; n++) yield* ask(someone)
        yield* pass
        expect(to(received, someone.ownerEmail)).toHaveLength(1)
        yield* advance(APPROVAL_MAIL_GAP_MS)
        yield* pass
        const [, mail = "", ...others] = to(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect(mail).toContain("Subject: 3 orders wait for you")
        expect(mail).toMatch(/<a href="[^"]+\/account">Look at the orders/)
      })
    )
  )

  it.live("a mail server that refuses delays the mail and no order", () =>
    withMails(({ received, refuse }) =>
      Effect.gen(function* () {
        const someone = yield* customer
        const { advance } = yield* MovableClock
        refuse(true)
        yield* ask(someone)
        expect(yield* pass).toMatchObject([{ _tag: "Failed" }])
        refuse(false)
        expect(yield* pass).toEqual([])
        yield* advance("1 minute")
        expect(yield* pass).toEqual([{ _tag: "Sent" }])
        expect(to(received, someone.ownerEmail)).toHaveLength(1)
      })
    )
  )

  it.live("an owner who does not want these mails gets none, and is told once they are wanted again", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer
        const settings = "/account/settings/mails"
        const post = (action: string, token = someone.owner) =>
          visit({ method: "POST", path: `${settings}/approvals/${action}`, token })
        expect((yield* post("stop", someone.viewer)).status).toBe(403)
        yield* post("stop")
        expect((yield* visit({ path: settings, token: someone.owner })).text).toContain("Send me mails on approvals")
        yield* ask(someone)
        yield* pass
        expect(to(received, someone.ownerEmail)).toEqual([])
        yield* post("want")
        yield* pass
        expect(to(received, someone.ownerEmail)).toHaveLength(1)
      })
    )
  )
})
