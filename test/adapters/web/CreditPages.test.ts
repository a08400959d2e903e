// The page of credit: each purchase is one line, with its document and what it moved; what waits can be given up; totals add up.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"
import { agentOf, pageOf } from "./WaitingOrder.ts"

const textOf = (markup: string): string => markup.replaceAll(/<br>/g, " / ").replaceAll(/<[^>]*>/g, "")

const sectionOf = (page: string, heading: string): string => {
  const [, after = ""] = page.split(`${heading}</h2>`)
  return after.split("<h2")[0] ?? ""
}

/** The rows of the table below this heading, without ids and what is folded. */
const rowsOf = (page: string, heading: string): ReadonlyArray<string> =>
  [...sectionOf(page, heading).matchAll(/<tr>\s*<th scope="row">([\s\S]*?)<\/th>([\s\S]*?)<\/tr>/g)].map(
    ([, what = "", cells = ""]) => {
      const name = textOf(what.replace(/<details[\s\S]*<\/details>/, ""))
      const money = [...cells.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = ""]) => textOf(cell))
      return [name, ...money].join(" | ")
    }
  )

/** What the table of movements says of each line, the one that moved last first: who bought what, and what it came to. */
const linesOn = (page: string): ReadonlyArray<string> =>
  rowsOf(page, "Movements").map((row) => {
    const cells = row.split(" | ")
    return `${cells[0]}: ${cells.at(-1)}`
  })

/** What is folded below the lines. */
const foldedOn = (page: string): ReadonlyArray<string> =>
  [...sectionOf(page, "Movements").matchAll(/<li>([^:]+: <span class="num">[^<]+)/g)].map(([, text = ""]) =>
    textOf(text)
  )

layer(RunningService.layer())("the page of credit", (it) => {
  it.effect("shows an order that credit covers as one line", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      yield* topUp(account.accountId, 700)
      const { siteId } = yield* listSite()
      const { api } = yield* issueKey(account.accountId)
      yield* api.orders.createOrder({ payload: cart([item(siteId)]), headers: {} })
      yield* (yield* IssueInvoices).pass(true)
      const { text } = yield* visit({ path: "/account/credit", token: owner })
      assert.deepStrictEqual(linesOn(text), [
        "scenario: 1 link to brand.example / Paid for an order · Pro forma invoice: −5.00 EUR / balance 2.00 EUR",
        "Top-up / Pro forma receipt: +7.00 EUR / balance 7.00 EUR"
      ])
      const invoices = yield* visit({ path: "/account/invoices", token: owner })
      assert.include(invoices.text, "Each document is pro forma and no tax invoice, because this service had no seller")
      const csv = (yield* visit({ path: "/account/credit.csv", token: owner })).text.trim().split("\n")
      assert.deepStrictEqual(
        csv.map((line) => line.replace("\uFEFF", "").split(",").slice(0, 2).join(" ")),
        ["by target_domains", "scenario brand.example", " "]
      )
    })
  )

  it.effect("shows an order that waited for approval as one line, with what was held and paid folded below it", () =>
    Effect.gen(function* () {
      const people = yield* openAccount
      const quote = yield* (yield* agentOf(people, 700)).order()
      const { path, form } = pageOf(quote)
      yield* visit({ method: "POST", path: `${path}/approve`, token: people.owner, form })
      yield* (yield* IssueInvoices).pass(true)
      const { text } = yield* visit({ path: "/account/credit", token: people.owner })
      assert.deepStrictEqual(linesOn(text), [
        "Assistant: 1 link to shop.example / Paid for an order · Pro forma invoice: −5.00 EUR / balance 2.00 EUR",
        "Top-up / Pro forma receipt: +7.00 EUR / balance 7.00 EUR"
      ])
      assert.deepStrictEqual(foldedOn(text), [
        "Held for an unpaid order: 5.00 EUR held",
        "Paid for an order: −5.00 EUR"
      ])
    })
  )

  it.effect("adds up what was spent, given back and topped up, by month and by agent, as ledger and invoices do", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      yield* topUp(account.accountId, 3_200)
      const { siteId } = yield* listSite({ shelf: "Corail" })
      const { api } = yield* issueKey(account.accountId)
      const { order_id: orderId } = yield* api.orders.createOrder({
        payload: cart([item(siteId), item(siteId, { target_url: "https://brand.example/two" })]),
        headers: {}
      })
      const cancelPath = `/account/orders/${orderId}/cancel`
      const links = /name="links" value="([^ "]+)/.exec((yield* visit({ path: cancelPath, token: owner })).text)?.[1]
      yield* visit({ method: "POST", path: cancelPath, token: owner, form: { links: links ?? "" } })
      yield* (yield* IssueInvoices).pass(true)
      const { text } = yield* visit({ path: "/account/credit", token: owner })
      const [month = "", agent] = rowsOf(text, "Totals")
      const made = "1 order, 30.00 EUR spent, 15.00 EUR given back"
      assert.match(month, new RegExp(` 2027 / ${made}, 32\\.00 EUR topped up \\| 15\\.00 EUR$`))
      assert.strictEqual(agent, `scenario / ${made} | 15.00 EUR`)
      assert.include(linesOn(text)[0], "30.00 EUR paid, 15.00 EUR given back for 1 cancelled link")
      const shown = (period: string) => visit({ path: `/account/credit?${period}`, token: owner })
      assert.include((yield* shown("created_from=2020-01-01&created_to=2020-12-31")).text, "Nothing was spent")
      // A browser leaves the focus where an address leads to.
      const leadsTo = ({ text: page }: { readonly text: string }) => page.includes('id="totals"')
      assert.isTrue(leadsTo(yield* shown("created_from=2020-01-01&created_to=2020-12-31")))
      assert.isFalse(leadsTo(yield* shown("created_from=2020-02-01&created_to=2020-01-01")))
      // Folded until a period is chosen, and open where it cannot be read.
      assert.include(text, "<details><summary>1 Apr 2027 to 1 Jun 2027: choose another period</summary>")
      assert.include((yield* shown("created_from=2020-02-30")).text, "<details open><summary>Choose another period")
      for (const [period, says] of [
        ["created_from=2020-01-01&created_to=2022-01-01", "Choose a year at most."],
        ["created_from=2020-02-01&created_to=2020-01-01", "This must not be before the first day."],
        ["created_from=9999-12-01&created_to=9999-12-15", "This must not be after today."],
        ["created_from=2020-02-30", "“2020-02-30” is not a day. Enter one such as 2026-11-21."]
      ] as const)
        assert.include((yield* shown(period)).text, says)
    })
  )

  it.effect("lists what waits, for an owner to give up; a viewer only looks", () =>
    Effect.gen(function* () {
      const people = yield* openAccount
      const agent = yield* agentOf(people, 700)
      const { quote_id: quoteId } = yield* agent.order()
      const form = "/account/credit/top-ups"
      const id =
        /name="top_up" value="([^"]+)"/.exec((yield* visit({ path: form, token: people.owner })).text)?.[1] ?? ""
      yield* visit({ method: "POST", path: form, token: people.owner, form: { top_up: id, amount: "25" } })
      const { text } = yield* visit({ path: "/account/credit", token: people.owner })
      const [[order = ""], [top = ""]] = [rowsOf(text, "Waiting"), rowsOf(text, "Top-ups not finished")]
      assert.match(
        order,
        /^Assistant: 1 link to shop\.example \| awaiting your approval until .*, 5\.00 EUR held \| 5\.00 EUR \|/
      )
      assert.match(top, /^Top-up \| awaiting payment until [^·]* \| 25\.00 EUR \|/)
      // What is held is told apart from what was spent, and its line names no balance.
      assert.include(
        linesOn(text),
        "Assistant: 1 link to shop.example / Held for an unpaid order: 5.00 EUR / held, not spent"
      )
      assert.include(text, `href="/account/approvals/${quoteId}"`)
      assert.include(text, `href="${form}/${id}" aria-label="Pay the top-up of 25.00 EUR"`)
      assert.match(textOf(text), /Balance\s*7\.00 EUR\s*2\.00 EUR to spend and 5\.00 EUR held/)
      const seen = (yield* visit({ path: "/account/credit", token: people.viewer })).text
      for (const deed of ["Withdraw", `${id}/cancel`]) assert.notInclude(seen, deed)
      assert.include(text, `${id}/cancel`)
      assert.include(textOf(text), "for 1 order that waits for your approval")
      assert.include(seen, "for 1 order that waits for an owner’s approval")
      yield* visit({ method: "POST", path: `${form}/${id}/cancel`, token: people.owner })
      const after = (yield* visit({ path: "/account/credit", token: people.owner })).text
      assert.lengthOf(rowsOf(after, "Waiting"), 1)
      assert.notInclude(after, "Top-ups not finished")
    })
  )
})
