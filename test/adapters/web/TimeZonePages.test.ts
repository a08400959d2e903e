// The time zone of a member: chosen by name or city, said once at the foot of each page, and the clocks by which all its times are read.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { fullText, longDay, momentText } from "#adapters/html/Times.ts"
import { dueAtMs } from "#core/domain/ordering/DueDate.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, openReview, visit } from "./Visitors.ts"

const PATH = "/account/settings/time-zone"

/** 26 hours behind: no moment has the same day in both. */
const [EAST, WEST] = ["Pacific/Kiritimati", "Pacific/Pago_Pago"]

const choose = (token: string, zone: string) => visit({ method: "POST", path: PATH, token, form: { zone } })

const pageAt = (path: string, token?: string) =>
  Effect.map(visit({ path, ...(token === undefined ? {} : { token }) }), ({ text }) => text)

/** The texts of times on a page. */
const timesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<time [^>]*>([^<]*)<\/time>/g)].map(([, time = ""]) => time)

const plain = (text: string): string => text.replaceAll(/<[^>]*>/g, "")

/** An order of an agent, whose link is due in a week. */
const ordered = Effect.fnUntraced(function* (accountId: Parameters<typeof issueKey>[0]) {
  yield* topUp(accountId, 500)
  const { siteId } = yield* listSite({ turnaroundDays: 7 })
  const { key } = yield* issueKey(accountId)
  const { order_id: orderId } = placedBy(yield* postOrder(key, cart([item(siteId)])))
  const found = yield* (yield* Orders).byId(OrderId.make(orderId ?? ""))
  const [link] = found?.links ?? []
  return {
    path: `/account/orders/${orderId}`,
    placedMs: found?.order.createdAtMs ?? 0,
    dueMs: link ? dueAtMs(link) : 0
  }
})

layer(RunningService.layer())("the time zone of a member", (it) => {
  it.effect("is UTC until they choose one, by name or city, and is theirs alone", () =>
    Effect.gen(function* () {
      const { owner, viewer } = yield* openAccount
      assert.include(plain(yield* pageAt("/account", owner)), "Times are in UTC. Change the time zone")
      for (const zone of ["Asia/Tokyo", "new york", "asia/kolkata"]) {
        const { status, location } = yield* choose(viewer, zone)
        assert.deepStrictEqual([status, location], [303, PATH])
      }
      assert.include(plain(yield* pageAt("/account", viewer)), "Times are in Asia/Kolkata (GMT+5:30). ")
      assert.include(yield* pageAt(PATH, viewer), 'value="Asia/Kolkata"')
      assert.include(plain(yield* pageAt("/account", owner)), "Times are in UTC. ")
      assert.include(yield* pageAt("/account/settings", owner), `href="${PATH}"`)
      assert.strictEqual((yield* choose((yield* openReview).token, "Europe/Paris")).status, 303)
    })
  )

  it.effect("is refused beside its field where no zone has that name, and stays what it was", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      yield* choose(owner, "Tokyo")
      for (const zone of ["Mars/Olympus", "+09:00", "", "x".repeat(200)]) {
        const { status, text } = yield* choose(owner, zone)
        assert.strictEqual(status, 422, zone)
        assert.match(text, /<p id="zone-error">/)
        assert.include(text, "Times are in Asia/Tokyo (GMT+9).")
      }
    })
  )

  it.effect("is the clock of every time on their pages, of due dates too, while answers to agents stay in UTC", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      const { path, placedMs, dueMs } = yield* ordered(account.accountId)
      const due = dueMs ?? 0
      for (const zone of [EAST, WEST]) {
        yield* choose(owner, zone)
        const nowMs = (yield* MovableClock).nowMs()
        const reader = { zone, nowMs }
        const text = yield* pageAt(path, owner)
        assert.include(plain(text), `${momentText(placedMs, reader)}, by`)
        assert.include(plain(text), `It will be online by ${momentText(due, reader)}.`)
        assert.include(text, `title="${fullText(due, zone)}"`)
        assert.notMatch(text, /UTC<\/time>/)
        assert.isAtLeast(timesIn(text).length, 3)
      }
      assert.notStrictEqual(longDay(due, EAST), longDay(due, WEST))
      for (const list of ["/account", "/account/orders", "/account/credit", "/account/settings/activity"]) {
        const text = yield* pageAt(list, owner)
        assert.isNotEmpty(timesIn(text), list)
        for (const time of timesIn(text))
          assert.match(time, /^(?:today|yesterday|tomorrow|\w{3} \d+ \w{3})(?:, \d\d:\d\d)?$/)
        assert.include(plain(text), "Times are in Pacific/Pago Pago (GMT-11).", list)
      }
    })
  )

  it.effect("bounds a search of orders by the member's days", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      const { placedMs } = yield* ordered(account.accountId)
      yield* choose(owner, EAST)
      const day = new Date(placedMs + 14 * 3_600_000).toISOString().slice(0, 10)
      const before = new Date(placedMs - 10 * 3_600_000).toISOString().slice(0, 10)
      const found = (query: string) =>
        Effect.map(pageAt(`/account/orders?${query}`, owner), (text) => text.includes('<a href="/account/orders/ord_'))
      assert.isTrue(yield* found(`created_from=${day}&created_to=${day}`))
      assert.isFalse(yield* found(`created_from=${before}&created_to=${before}`))
      const csv = yield* pageAt(`/account/orders.csv?created_from=${day}&created_to=${day}`, owner)
      assert.include(csv, new Date(placedMs).toISOString())
    })
  )

  it.effect("is UTC, said with each time, where no member reads", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      yield* choose(owner, EAST)
      const { siteId } = yield* listSite()
      const { key } = yield* issueKey(account.accountId)
      const { payment_url: url } = placedBy(yield* postOrder(key, cart([item(siteId)])))
      const text = yield* pageAt(new URL(url ?? "").pathname, owner)
      assert.isNotEmpty(timesIn(text))
      for (const time of timesIn(text)) assert.match(time, /^\w{3} \d+ \w{3} \d{4}, \d\d:\d\d UTC$/)
    })
  )
})
