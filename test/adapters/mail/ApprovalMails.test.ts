// Mails on orders that wait for approval, of a running service over a real SMTP server: what they say, to whom, and what a dead server
// delays.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { APPROVAL_MAIL_GAP_MS } from "#core/domain/mails/ApprovalMail.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { visit } from "#test/adapters/web/Visitors.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { type Customer, customer, mailsTo, orderAs, withMails } from "./MailSteps.ts"

/** Its agent asks for every order. */
const asking = customer({ approveAboveCents: 0 })

const ask = Effect.fnUntraced(function* (someone: Customer) {
  const { status, quote_id } = yield* orderAs(someone)
  expect(status).toBe("awaiting_approval")
  return String(quote_id)
})

/** Also the orders of this moment, which the job leaves to a later pass. */
const pass = Effect.flatMap(MailOwners, ({ approvals }) => approvals.pass(-60_000))

describe("when an order waits for approval", () => {
  it.live("its owners, and no viewer, get a mail that leads to its page, and which approves nothing", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* asking
        const quoteId = yield* ask(someone)
        yield* pass
        yield* pass
        const [mail = "", ...others] = mailsTo(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect(mailsTo(received, someone.viewerEmail)).toEqual([])
        expect(mail).toMatch(/Subject: Assistant <b> asks to spend 5.00 EUR: decide by \d+ \w+ \d{4}, \d\d:\d\d\s+UTC/)
        for (const said of [
          "5.00 EUR",
          "https://shop.example/",
          "1 link to https://shop.example/",
          "an owner of the account"
        ])
          expect(mail).toContain(said)
        const [, link = ""] = /<a href="([^"]+)" [^>]+>Review the order</.exec(mail) ?? []
        const { pathname } = new URL(link)
        expect(pathname).toBe(`/account/approvals/${quoteId}`)
        expect((yield* visit({ path: pathname })).location).toContain("/account/sign-in")
        const page = yield* visit({ path: pathname, token: someone.owner })
        expect(page.text).toContain("asks to spend")
      })
    )
  )

  it.live("what is decided before is not told, and several are told in one mail after a minute", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* asking
        const { advance } = yield* MovableClock
        const { decline } = yield* DecideApproval
        yield* decline(QuoteId.make(yield* ask(someone)), { operator: "test" }, "")
        yield* pass
        expect(mailsTo(received, someone.ownerEmail)).toEqual([])
        yield* ask(someone)
        yield* pass
        for (let n = 0; n < 3; n++) yield* ask(someone)
        yield* pass
        expect(mailsTo(received, someone.ownerEmail)).toHaveLength(1)
        yield* advance(APPROVAL_MAIL_GAP_MS)
        yield* pass
        const [, mail = "", ...others] = mailsTo(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect(mail).toContain("Subject: Your agents ask to spend 15.00 EUR: decide by ")
        expect(mail).toMatch(/<a href="[^"]+\/account\/approvals" [^>]+>Review 3 orders/)
      })
    )
  )

  it.live("a mail server that refuses delays the mail and no order", () =>
    withMails(({ received, refuse }) =>
      Effect.gen(function* () {
        const someone = yield* asking
        const { advance } = yield* MovableClock
        refuse(true)
        yield* ask(someone)
        expect(yield* pass).toMatchObject([{ _tag: "Failed" }])
        refuse(false)
        expect(yield* pass).toEqual([])
        yield* advance("1 minute")
        expect(yield* pass).toEqual([{ _tag: "Sent" }])
        expect(mailsTo(received, someone.ownerEmail)).toHaveLength(1)
      })
    )
  )

  it.live("an owner who does not want these mails gets none, and is told once they are wanted again", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* asking
        const settings = "/account/settings/mails"
        const choose = (form: Readonly<Record<string, string>>, token = someone.owner) =>
          visit({ method: "POST", path: settings, token, form })
        expect((yield* choose({}, someone.viewer)).status).toBe(403)
        expect((yield* visit({ path: settings, token: someone.viewer })).text).toContain("you are a viewer")
        yield* choose({})
        yield* ask(someone)
        yield* pass
        expect(mailsTo(received, someone.ownerEmail)).toEqual([])
        yield* choose({ approvals: "on" })
        yield* pass
        expect(mailsTo(received, someone.ownerEmail)).toHaveLength(1)
      })
    )
  )
})
