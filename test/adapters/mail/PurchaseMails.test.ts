// Mails on what agents buy from credit, of a running service over a real SMTP server: what they say, how many, and what a dead server delays.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { MAIL_GAP_MS } from "#core/domain/mails/PurchaseMail.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { visit } from "#test/adapters/web/Visitors.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { type Customer, customer, mailsTo, orderAs, withMails } from "./MailSteps.ts"

const buy = Effect.fnUntraced(function* (someone: Customer) {
  const { status, order_id } = yield* orderAs(someone)
  expect(status).toBe("paid")
  return String(order_id)
})

/** Also the orders of this moment, which the job leaves to a later pass. */
const pass = Effect.flatMap(MailOwners, ({ purchases }) => purchases.pass(-60_000))

describe("after a purchase from credit by an agent", () => {
  it.live("its owners get a mail whose link leads to the button that stops all agents, and changes nothing", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer()
        const orderId = yield* buy(someone)
        yield* pass
        const [mail = "", ...others] = mailsTo(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect(mailsTo(received, someone.viewerEmail)).toEqual([])
        for (const said of [
          "spent 5.00 EUR of your credit",
          orderId,
          "ordered 1 link to https://shop.example/: 5.00 EUR"
        ])
          expect(mail).toContain(said)
        expect(mail).toContain("Assistant &lt;b&gt; ordered 1 link")
        const [, link = ""] = /<a href="([^"]+)" [^>]+>This was not meant/.exec(mail) ?? []
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
        const someone = yield* customer()
        const { advance } = yield* MovableClock
        yield* buy(someone)
        yield* pass
        for (let n = 0; n < 30; n++) {
          yield* buy(someone)
          yield* pass
        }
        expect(mailsTo(received, someone.ownerEmail)).toHaveLength(1)
        yield* advance(MAIL_GAP_MS)
        yield* pass
        yield* pass
        const mails = mailsTo(received, someone.ownerEmail)
        expect(mails).toHaveLength(2)
        expect(mails[1]).toContain("spent 150.00 EUR of your credit")
        expect(mails[1]).toContain("And 10 orders more")
      })
    )
  )

  it.live("a mail server that refuses stops no order, and gets the mail once it takes mails again", () =>
    withMails(({ received, refuse }) =>
      Effect.gen(function* () {
        const someone = yield* customer()
        const { advance } = yield* MovableClock
        refuse(true)
        const first = yield* buy(someone)
        expect(yield* pass).toEqual([{ _tag: "Failed", reason: expect.stringContaining("mailbox full") }])
        const second = yield* buy(someone)
        expect(yield* pass).toEqual([])
        refuse(false)
        yield* advance("1 minute")
        expect(yield* pass).toEqual([{ _tag: "Sent" }])
        const [mail = "", ...others] = mailsTo(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect([mail.includes(first), mail.includes(second)]).toEqual([true, true])
      })
    )
  )

  it.live("an owner who does not want these mails gets none until they are wanted again", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer()
        const settings = "/account/settings/mails"
        const choose = (form: Readonly<Record<string, string>>) =>
          visit({ method: "POST", path: settings, token: someone.owner, form })
        const isChosen = Effect.map(visit({ path: settings, token: someone.owner }), ({ text }) =>
          / name="purchases"[^>]+ checked/.test(text)
        )
        expect(yield* isChosen).toBe(true)
        yield* choose({ approvals: "on" })
        expect(yield* isChosen).toBe(false)
        yield* buy(someone)
        yield* pass
        yield* choose({ approvals: "on", purchases: "on" })
        yield* pass
        expect(mailsTo(received, someone.ownerEmail)).toEqual([])
        const wanted = yield* buy(someone)
        yield* pass
        expect(mailsTo(received, someone.ownerEmail).map((mail) => mail.includes(wanted))).toEqual([true])
      })
    )
  )
})
