// How links stand: as a card of the overview, and as lists with who ordered each, where it points to, and when it is due.
import { assert, describe, expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { dayText } from "#adapters/html/Times.ts"
import { orderText } from "#adapters/web/Wording.ts"
import { dueAtMs } from "#core/domain/ordering/DueDate.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { by, cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

const pageAt = (path: string, token: string) => Effect.map(visit({ path, token }), ({ text }) => text)

const plain = (text: string): string => text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

const rowsIn = (text: string): number => text.match(/<th scope="row">/g)?.length ?? 0

layer(RunningService.layer())("the links of an account", (it) => {
  it.effect("are counted on the overview, and listed as in work, overdue and online lately", () =>
    Effect.gen(function* () {
      const { account, ownerEmail, viewer } = yield* openAccount
      const empty = plain(yield* pageAt("/account", viewer))
      assert.include(empty, "Links in work 0 no link is being worked on Waiting for you")
      yield* topUp(account.accountId, 5_000)
      const [soon, late] = [yield* listSite({ turnaroundDays: 3 }), yield* listSite({ turnaroundDays: 14 })]
      const { key } = yield* issueKey(account.accountId)
      const items = [item(soon.siteId), item(late.siteId), item(late.siteId, { anchor_text: "garden shop" })]
      const { order_id: orderId } = placedBy(yield* postOrder(key, cart(items)))
      const found = yield* (yield* Orders).byId(OrderId.make(orderId ?? ""))
      const [first, second, third] = found?.links ?? []
      yield* (yield* FulfilLinks).publish(third?.linkId ?? LinkId.make(""), `https://${third?.domain}/a`, by)
      const { nowMs, advance } = yield* MovableClock
      const dueText = (link: typeof first) => dayText((link && dueAtMs(link)) ?? 0, { zone: "UTC", nowMs: nowMs() })

      const before = yield* pageAt("/account", viewer)
      assert.include(plain(before), `Links in work 2 next due ${dueText(first)} 1 went online in the last 7 days`)
      assert.include(before, '<a href="/account/links">2</a>')
      assert.include(plain(before), `1 of 3 online next due ${dueText(first)}`)
      assert.include(before, '<a href="/account/links?list=online">1</a>')
      assert.notInclude(before, "list=overdue")
      const online = yield* pageAt("/account/links?list=online", viewer)
      assert.strictEqual(rowsIn(online), 1)
      assert.include(plain(online), "“garden shop” on")

      yield* advance("4 days")
      const token = yield* signIn(ownerEmail)
      const after = yield* pageAt("/account", token)
      assert.include(plain(after), `Links in work 2 next due ${dueText(second)} 1 overdue 1 went online`)
      assert.include(after, '<a href="/account/links?list=overdue"><span class="pill bad">1 overdue</span></a>')
      assert.include(plain(after), `1 of 3 online 1 overdue was due yesterday next due ${dueText(second)}`)
      const overdue = yield* pageAt("/account/links?list=overdue", token)
      assert.strictEqual(rowsIn(overdue), 1)
      assert.include(overdue, `<a href="/account/orders/${orderId}">“${first?.anchorText}” on ${first?.domain}</a>`)
      assert.include(plain(overdue), `to brand.example, ordered by scenario `)
      const work = yield* pageAt("/account/links", token)
      assert.strictEqual(rowsIn(work), 2)
      assert.strictEqual(work.match(/<span class="pill bad">overdue<\/span>/g)?.length, 1)
      assert.isBelow(work.indexOf(`on ${first?.domain}<`), work.indexOf(`on ${second?.domain}<`))

      yield* advance("4 days")
      assert.include(plain(yield* pageAt("/account", token)), "none went online in the last 7 days")
      assert.include(yield* pageAt("/account/links?list=online", token), "No link went online in the last 7 days.")
      for (const path of ["/account/links?list=none", "/account/links?after=nothing", "/account/links?after=1.x"])
        assert.strictEqual((yield* visit({ path, token })).status, 200, path)
    })
  )

  it.effect(
    "put the order that is late first on the overview, though others are newer, and count those not shown",
    () =>
      Effect.gen(function* () {
        const { account, ownerEmail } = yield* openAccount
        yield* topUp(account.accountId, 5_000)
        const [soon, late] = [yield* listSite({ turnaroundDays: 3 }), yield* listSite({ turnaroundDays: 14 })]
        const { key } = yield* issueKey(account.accountId)
        const { order_id: first } = placedBy(yield* postOrder(key, cart([item(soon.siteId)])))
        for (let nth = 0; nth < 4; nth++) yield* postOrder(key, cart([item(late.siteId)]))
        yield* (yield* MovableClock).advance("4 days")
        const text = yield* pageAt("/account", yield* signIn(ownerEmail))
        const progress = text.slice(text.indexOf("<h2>In progress</h2>"))
        assert.strictEqual(/\/account\/orders\/(ord_\w+)/.exec(progress)?.[1], first)
        assert.include(plain(progress), "overdue was due yesterday 5.00 EUR")
        assert.strictEqual(rowsIn(progress), 3)
        assert.include(plain(progress), "2 more are in progress. All orders")
      })
  )

  it.effect("are those of the account alone, and the pills of its orders have their tone", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* openAccount, yield* openAccount]
      yield* topUp(one.account.accountId, 500)
      const { siteId } = yield* listSite()
      const { key } = yield* issueKey(one.account.accountId)
      yield* postOrder(key, cart([item(siteId)]))
      assert.strictEqual(rowsIn(yield* pageAt("/account/links", other.owner)), 0)
      const text = yield* pageAt("/account/links", one.owner)
      assert.strictEqual(rowsIn(text), 1)
      assert.include(yield* pageAt("/account", one.owner), '<span class="pill info">being written</span>')
    })
  )
})

describe("how an order stands", () => {
  it.each([
    ["waits for a writer", ["to_assign", "to_assign"]],
    ["being written", ["assigned"]],
    ["1 of 3 being written", ["to_assign", "assigned", "to_assign"]],
    ["1 of 3 in review", ["assigned", "drafted", "in_review", "cancelled"]],
    ["approved", ["approved"]],
    ["all 2 online", ["published", "verified"]],
    ["cancelled", ["cancelled"]],
    ["1 of 2 online", ["published", "assigned", "cancelled"]]
  ] as const)("is %j", (says, statuses) => {
    expect(orderText(statuses.map((status) => ({ status })))).toBe(says)
  })
})
