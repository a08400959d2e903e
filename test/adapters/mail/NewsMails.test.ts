// Mails on links that are online, receipts, top-ups, approvals that expired, and the operator's acts, of a running service over a real SMTP
// server: each once, however many look for it, and none that its owner turned off.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { CHOSEN_MAILS, type ChosenMail } from "#core/domain/mails/ChosenMail.ts"
import { LINK_MAIL_GAP_MS } from "#core/domain/mails/LinkMail.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { MailOwners } from "#core/usecases/mails/MailOwners.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { FindById } from "#core/usecases/operations/FindById.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { visit } from "#test/adapters/web/Visitors.ts"
import { press } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { type Customer, customer, mailsTo, orderAs, withMails } from "./MailSteps.ts"

/** Twenty passes at once, as of many instances; also what is of this moment. */
const pass = (kind: ChosenMail | "notices") =>
  Effect.flatMap(MailOwners, (mails) =>
    Effect.all(
      Array.from({ length: 20 }, () => mails[kind].pass(-60_000)),
      { concurrency: "unbounded", discard: true }
    )
  )

const issued = Effect.flatMap(IssueInvoices, (invoices) => invoices.pass(false))

/** The pages to which the mail leads an owner. */
const opened = Effect.fnUntraced(function* (mail: string, token: string) {
  const paths = [...mail.matchAll(/<a (?:class="quiet" )?href="([^"]+)"/g)].map(([, url = ""]) => new URL(url).pathname)
  const pages = yield* Effect.forEach(new Set(paths), (path) => visit({ path, token }))
  return pages.map(({ status }) => status)
})

/** The owner keeps all mails but these. */
const without = ({ owner }: Customer, ...unwanted: ReadonlyArray<ChosenMail>) => {
  const wanted = CHOSEN_MAILS.filter((kind) => !unwanted.includes(kind)).map((kind) => [kind, "on"])
  return visit({ method: "POST", path: "/account/settings/mails", token: owner, form: Object.fromEntries(wanted) })
}

const orderLinks = Effect.fnUntraced(function* (someone: Customer) {
  const { order_id } = yield* orderAs(someone)
  return (yield* (yield* FindById).order(OrderId.make(String(order_id)))).links
})

const publish = Effect.fnUntraced(function* (someone: Customer) {
  const [link = { linkId: LinkId.make(""), domain: "" }] = yield* orderLinks(someone)
  const url = `https://${link.domain}/post`
  yield* (yield* FulfilLinks).publish(link.linkId, url, "ben")
  return url
})

describe("owners are told once", () => {
  it.live("that a link is online, at once; and of what follows within a day in one mail", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer()
        const { advance } = yield* MovableClock
        const url = yield* publish(someone)
        yield* pass("links")
        for (let n = 0; n < 3; n++) yield* publish(someone)
        yield* pass("links")
        const [mail = "", ...others] = mailsTo(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect(mail).toMatch(/Subject: Your link on \S+ is online/)
        expect(mail).toContain(url)
        expect(mail).toMatch(/List-Unsubscribe: <http:\S+\/account\/settings\/mails>/)
        expect(new Set(yield* opened(mail, someone.owner))).toEqual(new Set([200]))
        yield* advance(LINK_MAIL_GAP_MS)
        yield* pass("links")
        const mails = mailsTo(received, someone.ownerEmail)
        expect(mails).toHaveLength(2)
        expect(mails[1]).toContain("Subject: 3 links of yours are online")
        expect(mails[1]).toContain('/account/links?list=online"')
        expect(new Set(yield* opened(mails[1] ?? "", someone.owner))).toEqual(new Set([200]))
        yield* without(someone, "links")
        yield* publish(someone)
        yield* advance(LINK_MAIL_GAP_MS)
        yield* pass("links")
        expect(mailsTo(received, someone.ownerEmail)).toHaveLength(2)
        expect(mailsTo(received, someone.viewerEmail)).toEqual([])
      })
    )
  )

  it.live("what a card paid, with order and invoice, and nothing of that in the mail on purchases", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer({}, 0)
        const { payment_url } = yield* orderAs(someone)
        yield* press("pay", payment_url ?? "")
        yield* pass("receipts")
        expect(mailsTo(received, someone.ownerEmail)).toEqual([])
        yield* issued
        yield* pass("receipts")
        yield* pass("purchases")
        const [mail = "", ...others] = mailsTo(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect(mail).toContain("Subject: Receipt: 5.00 EUR for 1 link")
        expect(mail).toContain("Assistant <b> ordered 1 link for 5.00 EUR")
        expect(mail).toContain("See the pro forma invoice")
        expect(new Set(yield* opened(mail, someone.owner))).toEqual(new Set([200]))
        yield* without(someone, "receipts")
        yield* press("pay", (yield* orderAs(someone)).payment_url ?? "")
        yield* issued
        yield* (yield* MovableClock).advance(DAY_MS)
        yield* pass("receipts")
        expect(mailsTo(received, someone.ownerEmail)).toHaveLength(1)
      })
    )
  )

  it.live("that a top-up was paid, with its receipt", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer({}, 0)
        const path = "/account/credit/top-ups"
        const token = someone.owner
        const pay = Effect.gen(function* () {
          const [, id = ""] = /name="top_up" value="([^"]+)"/.exec((yield* visit({ path, token })).text) ?? []
          const begun = yield* visit({ method: "POST", path, token, form: { top_up: id, amount: "25" } })
          const { text } = yield* visit({ path: begun.location ?? "", token })
          const [, page = ""] = /class="btn main" href="([^"]+)"/.exec(text) ?? []
          yield* visit({ method: "POST", path: `${page}/pay` })
          yield* issued
        })
        yield* pay
        yield* pass("topUps")
        const [mail = "", ...others] = mailsTo(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect(mail).toContain("Subject: 25.00 EUR of credit was added")
        expect(mail).toContain(`Topped up by ${someone.ownerEmail}: 25.00 EUR`)
        expect(new Set(yield* opened(mail, token))).toEqual(new Set([200]))
        yield* without(someone, "topUps")
        yield* pay
        yield* (yield* MovableClock).advance(DAY_MS)
        yield* pass("topUps")
        expect(mailsTo(received, someone.ownerEmail)).toHaveLength(1)
      })
    )
  )

  it.live("that an approval expired: what expired, that nothing was charged, and how to order again", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer({ approveAboveCents: 0 })
        const { advance } = yield* MovableClock
        const expiry = Effect.gen(function* () {
          yield* orderAs(someone)
          yield* advance(DAY_MS + 60_000)
          yield* (yield* SweepQuotes).sweep()
          yield* pass("expiries")
          return mailsTo(received, someone.ownerEmail).filter((mail) => mail.includes("expired without a decision"))
        })
        const [mail = "", ...others] = yield* expiry
        expect(others).toEqual([])
        for (const said of ["The order of Assistant", "Nothing was charged", "order it again and approve it in time"])
          expect(mail).toContain(said)
        const { text } = yield* visit({ path: "/account/settings/activity", token: someone.owner })
        expect(text).toContain("ended an order of 5.00 EUR that was not approved in time")
        yield* without(someone, "expiries")
        expect(yield* expiry).toHaveLength(1)
      })
    )
  )

  it.live("what the operator did, as the operator’s act, whatever mails they want", () =>
    withMails(({ received }) =>
      Effect.gen(function* () {
        const someone = yield* customer()
        yield* pass("notices")
        received.length = 0
        yield* without(someone, ...CHOSEN_MAILS)
        const { accountId } = someone.account
        const debit = { accountId, cents: 500, reference: "r1", reason: "booked twice" }
        yield* (yield* ManageAccounts).debitOnce(debit, "ben")
        yield* (yield* MovableClock).advance(DAY_MS)
        yield* pass("notices")
        const [mail = "", ...others] = mailsTo(received, someone.ownerEmail)
        expect(others).toEqual([])
        expect(mail).toContain("Subject: 5.00 EUR of your credit was taken by the operator")
        expect(mail).toContain("The operator of Backlink Ordering Service took 5.00 EUR out of your credit.")
        expect(mail).toContain("booked twice")
        expect(mail).not.toContain("List-Unsubscribe")
        expect(mail).not.toContain("ben")
      })
    )
  )
})
