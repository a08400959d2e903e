// What agents did, as the overview shows it; one of them paused with one press; how far a new key may go; and what has ended or was declined.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { NoteRefusals } from "#core/usecases/shared/NoteRefusals.ts"
import { by, cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { letIn, ownerOf } from "#test/scenarios/ConnectionSteps.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

const limits = { maxOrderCents: 900, maxDayCents: 1_000 }

/** An account whose agent bought a link, asks for one, and was refused three. */
const busy = Effect.gen(function* () {
  const people = yield* openAccount
  const { accountId } = people.account
  yield* topUp(accountId, 5_000)
  const { siteId } = yield* listSite()
  const agent = yield* issueKey(accountId, { limits })
  placedBy(yield* postOrder(agent.key, cart([item(siteId)])))
  for (const _ of [1, 2, 3]) yield* postOrder(agent.key, cart([item(siteId), item(siteId)]))
  const asking = yield* issueKey(accountId, { limits: { approveAboveCents: 100 } })
  const asked = placedBy(yield* postOrder(asking.key, cart([item(siteId)])))
  yield* (yield* NoteRefusals).write
  return { ...people, siteId, agent, asking, asked }
})

const page = (path: string, token: string) => Effect.map(visit({ path, token }), ({ text }) => text)

const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

/** The row of a table that holds this, as text. */
const rowWith = (html: string, what: string): string =>
  (html.match(/<tr>[\s\S]*?<\/tr>/g) ?? []).find((row) => row.includes(what))?.replaceAll(/<[^>]*>/g, " ") ?? ""

layer(RunningService.layer())("the pages of agents", (it) => {
  it.effect("say who spent how much, what waits, and what was refused; one press pauses one agent", () =>
    Effect.gen(function* () {
      const { owner, viewer, agent, asking, siteId } = yield* busy
      const overview = yield* page("/account", owner)
      const order = ["Waiting for you", "What your agents did", "In progress"].map((title) => overview.indexOf(title))
      assert.deepStrictEqual(
        order,
        order.toSorted((one, other) => one - other)
      )
      assert.include(overview, "scenario asks to spend 5.00 EUR")
      assert.include(plain(overview), "Waiting for you 1 order, 5.00 EUR, until ")
      const row = rowWith(overview, `/account/agents/${agent.keyId}/pause`)
      for (const said of ["5.00 EUR", "5.00 of 10.00 EUR", "3 refused today"]) assert.include(row, said)
      assert.strictEqual(row.split("over its spending limit per order").length, 2)
      assert.strictEqual(row.split("refused").length, 2)
      assert.include(
        overview,
        '<a href="/account/settings/activity?about=orders&amp;by=agent"><span class="pill bad">3'
      )
      assert.include(row, "Tried to order links to brand.example for 10.00 EUR")
      assert.include(overview, 'aria-label="5.00 of 10.00 EUR"')
      const waiting = rowWith(overview, `/account/agents/${asking.keyId}/pause`)
      for (const said of ["1 to approve", "5.00 EUR", "no daily spending limit", "Set a limit"])
        assert.include(waiting, said)
      assert.include(plain(overview), "Spent by agents today 5.00 EUR scenario 5.00 5.00 EUR in the last 7 days")
      assert.strictEqual(overview.match(/<td data-label="Needs you">(?!<\/td>)/g)?.length, 1)
      assert.include(
        waiting.replaceAll(/\s+/g, " "),
        "Asked to order 1 link to brand.example awaiting your approval, 5.00 EUR"
      )
      assert.include(overview, `href="/account/keys/${asking.keyId}/limits"`)
      assert.notInclude(yield* page("/account", viewer), "Set a limit")
      assert.include(overview, "scenario: 1 link to brand.example")
      assert.notInclude(yield* page("/account", viewer), "/pause")
      const pressed = yield* visit({ method: "POST", path: `/account/agents/${agent.keyId}/pause`, token: owner })
      assert.deepStrictEqual([pressed.status, pressed.location], [303, "/account"])
      assert.strictEqual((yield* postOrder(agent.key, cart([item(siteId)]))).status, 403)
      const keys = yield* page("/account/keys", owner)
      assert.include(rowWith(keys, `/account/agents/${agent.keyId}/resume`), "paused")
      const form = { on: "keys" }
      const resumed = yield* visit({
        method: "POST",
        path: `/account/agents/${agent.keyId}/resume`,
        token: owner,
        form
      })
      assert.deepStrictEqual([resumed.status, resumed.location], [303, "/account/keys"])
      placedBy(yield* postOrder(agent.key, cart([item(siteId)])))
      const denied = yield* visit({ method: "POST", path: `/account/agents/${agent.keyId}/pause`, token: viewer })
      assert.strictEqual(denied.status, 403)
    })
  )

  it.effect("count what an ended key spent, and flag real money without a daily limit alone", () =>
    Effect.gen(function* () {
      const { owner, viewer, account, ownerEmail } = yield* openAccount
      const { accountId } = account
      yield* topUp(accountId, 5_000)
      const { siteId } = yield* listSite()
      const ended = yield* issueKey(accountId)
      placedBy(yield* postOrder(ended.key, cart([item(siteId)])))
      yield* (yield* Credentials).revoke(ended.keyId, by)
      const free = yield* issueKey(accountId)
      const sandbox = yield* issueKey(accountId, { mode: "sandbox" })
      const reading = yield* issueKey(accountId, { scopes: ["read"] })
      const bound = yield* issueKey(accountId, { limits: { maxDayCents: 1_000 } })
      const { keyId: assistant } = yield* letIn(yield* ownerOf(accountId))
      placedBy(yield* postOrder(bound.key, cart([item(siteId)])))
      placedBy(yield* postOrder(sandbox.key, cart([item(siteId)])))
      const overview = yield* page("/account", owner)
      const spent = "Spent by agents today 10.00 EUR scenario 5.00, scenario 5.00 10.00 EUR in the last 7 days"
      assert.include(plain(overview), spent)
      const rowOf = (keyId: string) => rowWith(overview, `/account/agents/${keyId}/pause`)
      const flagged = [free.keyId, assistant, sandbox.keyId, reading.keyId, bound.keyId].map((keyId) =>
        rowOf(keyId).includes("no daily spending limit")
      )
      // Every order of the assistant asks first.
      assert.deepStrictEqual(flagged, [true, false, false, false, false])
      assert.include(rowOf(reading.keyId), "only reads")
      assert.include(overview, `href="/account/keys/${free.keyId}/limits" aria-label="Set a limit for scenario"`)
      const seen = yield* page("/account", viewer)
      assert.include(seen, "no daily spending limit")
      assert.notInclude(seen, "/limits")
      assert.notInclude(overview, `/account/agents/${ended.keyId}/`)
      assert.notInclude(rowOf(bound.keyId), "in 7 days")
      yield* (yield* MovableClock).advance("1 day")
      const later = rowWith(yield* page("/account", yield* signIn(ownerEmail)), `/account/agents/${bound.keyId}/pause`)
      for (const said of ["0.00 of 10.00 EUR", "5.00 EUR in 7 days, 1 order"]) assert.include(later, said)
      assert.notMatch(later, /\s0\.00 EUR/)
    })
  )

  it.effect("tell a viewer of an empty account nothing that only owners can do", () =>
    Effect.gen(function* () {
      const { owner, viewer } = yield* openAccount
      const texts = ["Connect an assistant", "a program of your own", "Create one and give it", "give a program a key"]
      for (const [path, said] of [
        ["/account", texts.slice(0, 2)],
        ["/account/keys", texts.slice(2, 3)],
        ["/account/orders", texts.slice(3)]
      ] as const) {
        const [ofOwner, ofViewer] = [yield* page(path, owner), yield* page(path, viewer)]
        for (const one of said) {
          assert.include(ofOwner, one)
          assert.notInclude(ofViewer, one)
        }
      }
    })
  )

  it.effect("are warned of where nothing bounds what a live key spends; others without limits need none", () =>
    Effect.gen(function* () {
      const { owner, viewer, account } = yield* openAccount
      const { accountId } = account
      const { siteId } = yield* listSite()
      yield* topUp(accountId, 10_000)
      const agent = yield* issueKey(accountId)
      yield* issueKey(accountId, { mode: "sandbox" })
      yield* issueKey(accountId, { scopes: ["read"] })
      const limits = `/account/keys/${agent.keyId}/limits`
      const shown = yield* page("/account/keys", owner)
      assert.strictEqual(shown.split("no daily spending limit").length, 2)
      assert.include(shown, `<span class="pill wait">no daily spending limit</span> <a href="${limits}"`)
      for (const said of ["none needed: nothing is bought", "none needed: it cannot order"]) assert.include(shown, said)
      assert.include(shown, "never asks you")
      assert.notInclude(shown, "Today:")
      const viewed = yield* page("/account/keys", viewer)
      assert.include(viewed, "no daily spending limit")
      assert.notInclude(viewed, "Set a limit")
      placedBy(yield* postOrder(agent.key, cart([item(siteId)])))
      yield* (yield* Credentials).limit(agent.keyId, { approveAboveCents: 0, holdLookAlikes: true }, "test")
      placedBy(yield* postOrder(agent.key, cart([item(siteId, { target_url: "https://other.example/" })])))
      const used = yield* page("/account/keys", owner)
      assert.notInclude(used, "no daily spending limit")
      assert.notInclude(used, "never asks you")
      assert.include(used, "asks before every order · asks about repeats")
      assert.include(used, "Today: 5.00 EUR spent in 1 order, 5.00 EUR waiting")
    })
  )

  it.effect("fold the form of a new key beside a live key, and open it without one or where it was refused", () =>
    Effect.gen(function* () {
      const { owner: token, account } = yield* openAccount
      const OPEN = '<details open>\n<summary class="btn main">Create a key'
      assert.include(yield* page("/account/keys", token), OPEN)
      yield* issueKey(account.accountId)
      const folded = yield* page("/account/keys", token)
      assert.include(folded, '<details>\n<summary class="btn main">Create a key')
      assert.notMatch(folded, /name="reach"[^>]* checked/)
      const form = { label: "", mode: "live", may_read: "on", reach: "own" }
      const refused = yield* visit({ method: "POST", path: "/account/keys", token, form })
      assert.strictEqual(refused.status, 422)
      assert.isBelow(refused.text.indexOf(OPEN), refused.text.indexOf("<table>"))
      assert.isAbove(folded.indexOf("Create a key"), folded.indexOf("<table>"))
      assert.include(refused.text, '<a href="#label">Name of the key</a>')
    })
  )

  it.effect("ask how far a new key may go, with nothing chosen; a form without the choice sets none", () =>
    Effect.gen(function* () {
      const { owner: token, account } = yield* openAccount
      const shown = yield* page("/account/keys", token)
      assert.include(shown, "Ask me above 20.00 EUR, at most 100.00 EUR a day (recommended)")
      assert.notMatch(shown, /name="reach"[^>]* checked/)
      const create = (form: Record<string, string>) =>
        visit({
          method: "POST",
          path: "/account/keys",
          token,
          form: { mode: "live", may_read: "on", may_order: "on", ...form }
        })
      const made = Effect.map((yield* Credentials).list(account.accountId), (all) =>
        all.map(({ key }) => [
          key.label,
          key.limits.approveAboveCents,
          key.limits.maxDayCents,
          key.expiresAtMs !== undefined
        ])
      )
      assert.strictEqual((yield* create({ label: "a", reach: "ask", expires: "month" })).status, 303)
      assert.strictEqual((yield* create({ label: "b", reach: "own", max_day: "5" })).status, 303)
      assert.strictEqual((yield* create({ label: "c", reach: "none", expires: "never" })).status, 303)
      assert.strictEqual((yield* create({ label: "d" })).status, 303)
      for (const wrong of [{ reach: "own" }, { reach: "none", max_day: "5" }, { reach: "all" }])
        assert.strictEqual((yield* create({ label: "e", ...wrong })).status, 422)
      assert.deepStrictEqual(yield* made, [
        ["a", 2_000, 10_000, true],
        ["b", null, 500, false],
        ["c", null, null, false],
        ["d", null, null, false]
      ])
    })
  )

  it.effect("keep what has ended and what was declined, with who asked for what", () =>
    Effect.gen(function* () {
      const { owner, asking, asked } = yield* busy
      const path = `/account/approvals/${asked.quote_id}/decline`
      yield* visit({ method: "POST", path, token: owner, form: { reason: "too dear" } })
      const ended = rowWith(yield* page("/account/quotes?state=ended", owner), asked.quote_id ?? "-")
      for (const said of ["scenario: 1 link to brand.example", "declined", "too dear", "5.00 EUR"])
        assert.include(ended, said)
      const last = rowWith(yield* page("/account", owner), `/account/agents/${asking.keyId}/pause`)
      assert.include(last.replaceAll(/\s+/g, " "), "Asked to order 1 link to brand.example declined, 5.00 EUR")
      assert.include(yield* page("/account/quotes?state=approval", owner), "Nothing awaits your approval.")
      yield* (yield* Credentials).revoke(asking.keyId, by)
      const keys = yield* page("/account/keys", owner)
      assert.include(rowWith(keys.slice(keys.indexOf("Ended")), `key=${asking.keyId}`), "revoked")
    })
  )
})
