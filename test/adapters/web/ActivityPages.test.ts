// The page of what was done with an account: agents' orders, members' and operators' changes, each once, and no other account's.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { toldActions } from "#adapters/web/settings/ActivityWords.ts"
import { NoticeAction } from "#core/domain/mails/NoticeMail.ts"
import { kindsOf } from "#core/domain/operations/ActivityKind.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { NoteRefusals } from "#core/usecases/shared/NoteRefusals.ts"
import { buyer, cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { invited, press } from "./Invited.ts"
import { openAccount, visit } from "./Visitors.ts"

const PATH = "/account/settings/activity"

const pageOf = (token: string, path = PATH) => Effect.map(visit({ path, token }), ({ text }) => text)

/** The rows of the page as text, without markup. `address`: before what it links, which tells apart what reads alike. */
const rowsIn = (text: string, address = ""): ReadonlyArray<string> =>
  [...text.matchAll(/<tr>\s*<td>(.*?)<\/td>\s*<td><time/gs)].map(([, sentence = ""]) =>
    sentence
      .replaceAll(".<br>", ".")
      .replaceAll("<br>", ": ")
      .replaceAll(/<a href="([^"]*)">/g, address)
      .replaceAll(/<[^>]+>/g, "")
  )

layer(RunningService.layer())("what was done", (it) => {
  it.effect("names each doer and what was done, and keeps the operator's name and note to the operator", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const { account, owner, ownerEmail, viewer } = home
      const { accountId } = account
      const { siteId } = yield* listSite()
      yield* topUp(accountId, 10_000)
      const { key } = yield* issueKey(accountId)
      const { order_id: orderId = "" } = placedBy(yield* postOrder(key, cart([item(siteId), item(siteId)])))
      yield* (yield* ManageAccounts).edit({ accountId, note: "owes us a dinner" }, "scenario")
      yield* visit({ method: "POST", path: "/account/stop", token: owner, form: { agents: "stop" } })
      const { email, link } = yield* invited(home)
      yield* press(link)
      const text = yield* pageOf(viewer)
      const rows = rowsIn(text)
      assert.include(rows, "scenario (key) ordered 2 links for 10.00 EUR")
      assert.include(rows.join("\n"), "The operator booked a top-up of 100.00 EUR, with the reference “scenario”")
      assert.include(rows.join("\n"), `${ownerEmail} invited ${email}, as viewer`)
      assert.include(rows.join("\n"), `${email} accepted the invitation, as viewer`)
      assert.include(rows, `${ownerEmail} stopped all agents`)
      assert.include(rows.join("\n"), "The operator created the live key “scenario”")
      assert.notInclude(text, "dinner")
      assert.notMatch(text, /<small>.*(?:mem|key|con)_/)
      assert.include(text, `href="/account/orders/${orderId}"`)
      const stranger = yield* openAccount
      assert.notInclude(yield* pageOf(stranger.owner), orderId)
    })
  )

  it.effect("tells what agents asked for, what became of it, and what was refused to them, once on all pages", () =>
    Effect.gen(function* () {
      const { account, owner, viewer } = yield* openAccount
      const { accountId } = account
      const { siteId } = yield* listSite()
      yield* topUp(accountId, 10_000)
      const { key, keyId } = yield* issueKey(accountId, { limits: { maxOrderCents: 500, approveAboveCents: 0 } })
      const target = (nth: number) => item(siteId, { target_url: `https://brand.example/${nth}` })
      for (let nth = 0; nth < 22; nth++) yield* postOrder(key, cart([target(nth)]))
      for (let nth = 0; nth < 2; nth++) yield* postOrder(key, cart([target(30), target(31)]))
      yield* (yield* NoteRefusals).write
      yield* (yield* Credentials).limit(keyId, { maxOrderCents: 20_000, maxDayCents: 30_000 }, "scenario")
      const first = yield* pageOf(owner)
      const [last = "", newest = ""] = rowsIn(first)
      assert.include(newest, "The operator set the limits of “scenario”: 200.00 EUR an order · 300.00 EUR a day")
      const refused = "scenario (key) tried to order 2 times, refused over its spending limit per order. "
      assert.strictEqual(last, `${refused}The last was for links to brand.example, 10.00 EUR. Change its limits`)
      assert.include(first, `href="/account/keys/${keyId}/limits"`)
      assert.notInclude(yield* pageOf(viewer), "Change its limits")
      assert.match(first, /href="\/account\/approvals\/q_\w+">asked to order 1 link to brand.example for 5.00 EUR<\/a>/)
      const rows = [...rowsIn(first, "$1 ")]
      for (let next = /rel="next" href="([^"]+)"/.exec(first)?.[1]; next !== undefined; ) {
        const text: string = yield* pageOf(owner, next)
        rows.push(...rowsIn(text, "$1 "))
        next = /rel="next" href="([^"]+)"/.exec(text)?.[1]
      }
      assert.strictEqual(rows.filter((row) => row.includes("awaiting your approval")).length, 22)
      assert.strictEqual(rows.filter((row) => row.includes("tried to order")).length, 1)
      assert.strictEqual(new Set(rows).size, rows.length)
      assert.include(rowsIn(yield* pageOf(owner, `${PATH}?about=orders&by=agent`)).join("\n"), "tried to order")
      assert.notInclude(yield* pageOf(owner, `${PATH}?by=member`), "tried to order")
      assert.notInclude(yield* pageOf(owner, `${PATH}?created_to=2001-01-01`), "tried to order")
      const stranger = yield* openAccount
      assert.notInclude(yield* pageOf(stranger.owner), "brand.example")
    })
  )

  it.effect("names the site of a link that the operator moved, and leads to its order", () =>
    Effect.gen(function* () {
      const { account, owner } = yield* openAccount
      const { siteId } = yield* listSite()
      yield* topUp(account.accountId, 10_000)
      const { key } = yield* issueKey(account.accountId)
      const { order_id: orderId = "" } = placedBy(yield* postOrder(key, cart([item(siteId)])))
      const found = yield* (yield* Orders).byId(OrderId.make(orderId))
      const [link] = found?.links ?? []
      if (link === undefined) throw new Error("the order has no link")
      yield* (yield* FulfilLinks).advance(link.linkId, "drafted", "scenario")
      const text = yield* pageOf(owner)
      assert.include(text, `<a href="/account/orders/${orderId}">moved the link on ${link.domain} to “written”</a>`)
    })
  )

  it.effect("has pages, which together have every entry once, in order", () =>
    Effect.gen(function* () {
      const { account, owner } = yield* openAccount
      const { siteId } = yield* listSite()
      for (let nth = 1; nth <= 30; nth++) yield* topUp(account.accountId, nth * 100)
      const { key } = yield* issueKey(account.accountId)
      for (let nth = 0; nth < 15; nth++) yield* postOrder(key, cart([item(siteId)]))
      const rows: Array<string> = []
      for (let path: string | undefined = PATH; path !== undefined; ) {
        const text: string = yield* pageOf(owner, path)
        rows.push(...rowsIn(text, "$1 "))
        path = /rel="next" href="([^"]+)"/.exec(text)?.[1]
      }
      const orders = rows.filter((row) => row.includes("ordered 1 link"))
      assert.strictEqual(new Set(orders).size, 15)
      assert.deepStrictEqual(
        rows.flatMap((row) => /top-up of (\d+)/.exec(row)?.[1] ?? []).map(Number),
        Array.from({ length: 30 }, (_, index) => 30 - index)
      )
      // Besides these: the key and the account.
      assert.strictEqual(rows.length, 47)
      assert.strictEqual(rowsIn(yield* pageOf(owner, `${PATH}?before=%00'"<x>`)).length >= 0, true)
    })
  )

  it.effect("is narrowed by what it is about, by whom, and by period, also from page to page", () =>
    Effect.gen(function* () {
      const home = yield* openAccount
      const { account, owner } = home
      const { siteId } = yield* listSite()
      for (let nth = 1; nth <= 25; nth++) yield* topUp(account.accountId, nth * 100)
      const { key } = yield* issueKey(account.accountId)
      yield* postOrder(key, cart([item(siteId)]))
      yield* invited(home)
      yield* visit({ method: "POST", path: "/account/stop", token: owner })
      const only = (query: string) => Effect.map(pageOf(owner, `${PATH}?${query}`), rowsIn)
      assert.deepStrictEqual(
        (yield* only("about=agents")).map((row) => row.replace(/: (?:key_|con_).*/, "")),
        [`${home.ownerEmail} stopped all agents`, "The operator created the live key “scenario”"]
      )
      assert.match((yield* only("about=orders")).join(), /^scenario \(key\) ordered 1 link/)
      assert.match((yield* only("by=agent")).join(), /^scenario \(key\) ordered 1 link[^,]*$/)
      assert.strictEqual((yield* only("by=member")).length, 2)
      assert.strictEqual((yield* only("by=member&about=people")).length, 1)
      const money = yield* pageOf(owner, `${PATH}?about=money&by=operator`)
      assert.strictEqual(rowsIn(money).length, 20)
      assert.include(money, '<option value="money" selected>')
      const next = /rel="next" href="([^"]+)"/.exec(money)?.[1]?.replaceAll("&amp;", "&") ?? ""
      assert.include(next, "about=money&by=operator&before=")
      const rest = yield* pageOf(owner, next)
      assert.strictEqual(rowsIn(rest).length, 5)
      assert.include(rest, `href="${PATH}?about=money&amp;by=operator">Newest`)
      for (const query of ["about=webhooks", "created_from=2100-01-01", "created_to=2001-01-01"])
        assert.match(yield* pageOf(owner, `${PATH}?${query}`), /No activity matches.*show everything/s)
      const today = new Date((yield* MovableClock).nowMs()).toISOString().slice(0, 10)
      assert.isAbove((yield* only(`created_from=${today}&created_to=${today}`)).length, 19)
    })
  )

  it.effect("says what is wrong with a condition that cannot be read", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      for (const query of [
        "about=secrets",
        "by=nobody",
        "created_from=soon",
        "created_from=2027-02-01&created_to=2027-01-01"
      ]) {
        const { status, text } = yield* visit({ path: `${PATH}?${query}`, token: owner })
        assert.deepStrictEqual([query, status, text.includes('class="error"')], [query, 422, true])
      }
      const backwards = yield* pageOf(owner, `${PATH}?created_from=2027-02-01&created_to=2027-01-01`)
      assert.include(backwards, "This must not be before the first day.")
      assert.strictEqual((yield* visit({ path: `${PATH}?toString=1&constructor=2`, token: owner })).status, 200)
    })
  )

  it("has words for each action that owners are mailed, and puts each that has words into one group", () => {
    for (const action of NoticeAction.literals) assert.include(toldActions, action)
    for (const action of toldActions) assert.deepStrictEqual([action, kindsOf(action).length], [action, 1])
  })

  it.effect("shows nothing of an agent's other account", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const other = yield* buyer({ creditCents: 1_000 })
      assert.notInclude(yield* pageOf(owner), other.accountId)
    })
  )
})
