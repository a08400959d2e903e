// An agent changes target, anchor and brief of links of its order until they are written: whole or not at all, never behind the operator's
// back, and never what another credential or a human has decided.
import { Effect } from "effect"
import { expect } from "vitest"
import { QuoteStatus } from "#adapters/contract/ordering/Quotes.ts"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { eventsOf } from "../core/BookReads.ts"
import { operator } from "./ApprovalSteps.ts"
import { buyer, by, cart, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { OrderBookFaults } from "./FaultyOrderBook.ts"
import { placedBy, postOrder, QUOTES, read, refusalIn } from "./HttpCalls.ts"
import { change, changedBy, customer, ordered, orderOf } from "./LinkChangeSteps.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

export const linkChangesSuite = scenarios("changes of links by agents", { WELCOME_OFFER_PERCENT: "20" }, (it) => {
  it.effect("a change is told by the answer, the order, its history, an event and the operator's queue", () =>
    Effect.gen(function* () {
      const { books, port } = yield* RunningService
      const { queue } = yield* FulfilLinks
      const who = yield* customer()
      const events = ["order.updated" as const]
      yield* who.api.webhooks.createWebhook({ payload: { url: `http://127.0.0.1:${port}/healthz`, events } })
      const link = yield* ordered(who, { brief: "Be kind." })
      const before = yield* orderOf(who, link.orderId)
      const { quote_id } = before
      const quoted = yield* read(QuoteStatus, who.key, `${QUOTES}/${quote_id}`)
      const body = { target_url: "https://brand.example/new", anchor_text: "a new page", brief: "" }
      const dry = changedBy(yield* change(who, link, { ...body, dry_run: true }))
      expect(yield* orderOf(who, link.orderId)).toEqual(before)
      const answer = changedBy(yield* change(who, link, body))
      const { dry_run, summary: would, link: planned, ...rest } = dry
      expect([dry_run, answer.dry_run]).toEqual([true, undefined])
      expect(would).toMatch(/^Dry run/)
      expect(answer).toMatchObject(rest)
      expect(answer).toMatchObject({ changed: ["target_url", "anchor_text", "brief"], changes_left: 9, warnings: [] })
      expect(answer.summary).toMatch(/“a new page” to https:\/\/brand\.example\/new.*stays 15\.00 EUR/)
      const now = yield* orderOf(who, link.orderId)
      expect(now.items).toEqual([answer.link])
      expect(now.items[0]?.history.at(-1)).toMatchObject({
        status: "to_assign",
        changed: [
          { field: "target_url", from: "https://brand.example/page", to: "https://brand.example/new" },
          { field: "anchor_text", from: "a fine page", to: "a new page" },
          { field: "brief", from: "Be kind.", to: null }
        ]
      })
      expect(now.items_to_reorder?.[0]).toMatchObject({ target_url: "https://brand.example/new" })
      expect(yield* read(QuoteStatus, who.key, `${QUOTES}/${quote_id}`)).toEqual(quoted)
      expect(eventsOf(yield* books, OrderId.make(link.orderId))).toEqual(["order.updated"])
      const waiting = yield* queue({ limit: 200, afterId: null })
      expect(waiting.find(({ linkId }) => linkId === link.linkId)).toMatchObject({
        anchorText: "a new page",
        brief: null
      })
      // The same once more changes nothing, and says so.
      const again = changedBy(yield* change(who, link, body))
      expect(again).toMatchObject({ changed: [], link: answer.link, changes_left: 9 })
      expect(again.summary).toMatch(/^Nothing was changed/)
      expect(eventsOf(yield* books, OrderId.make(link.orderId))).toEqual(["order.updated"])
      yield* expectConsistentBooks
    })
  )

  it.effect("bad input is refused by the rules of items, and changes nothing", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const who = yield* customer()
      const link = yield* ordered(who)
      const before = yield* books
      const cases: ReadonlyArray<readonly [unknown, string]> = [
        [{}, "body"],
        [{ dry_run: true }, "body"],
        [{ anchor_text: null, target_url: null }, "body"],
        [{ target_url: "javascript:alert(1)" }, "target_url"],
        [{ target_url: "https://user@brand.example/" }, "target_url"],
        [{ target_url: "" }, "target_url"],
        [{ anchor_text: "a\u202Ebc" }, "anchor_text"],
        [{ anchor_text: "x".repeat(121) }, "anchor_text"],
        [{ anchor_type: "fancy" }, "anchor_type"],
        [{ brief: "x".repeat(2_001) }, "brief"],
        [{ anchor_text: "fine", site_id: 3 }, "site_id"],
        [{ anchor_text: "fine", price_eur: 1 }, "price_eur"]
      ]
      for (const [body, param] of cases) {
        const refused = refusalIn(yield* change(who, link, body))
        expect([body, refused]).toMatchObject([
          body,
          { code: "validation_failed", status: 422, recovery: "correct", param }
        ])
      }
      const unknown = { ...link, linkId: "lnk_none" }
      expect(refusalIn(yield* change(who, unknown, { anchor_text: "x" }))).toMatchObject({
        code: "link_not_found",
        status: 404
      })
      const none = { ...link, orderId: "ord_none" }
      expect(refusalIn(yield* change(who, none, { anchor_text: "x" }))).toMatchObject({
        code: "order_not_found",
        status: 404
      })
      expect(yield* books).toBe(before)
    })
  )

  it.effect("only by the credential that ordered, within its limits, and never what a human has decided", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const approvals = yield* DecideApproval
      const who = yield* customer()
      const link = yield* ordered(who)
      const other = yield* issueKey(who.accountId)
      const asking = yield* issueKey(who.accountId, { limits: { approveAboveCents: 2_000 } })
      const bound = yield* issueKey(who.accountId, { limits: { allowedDomains: ["brand.example"] } })
      const asked = yield* ordered(asking)
      const dear = yield* listSite({ shelf: "Nautilus" })
      const { quote_id } = placedBy(yield* postOrder(asking.key, cart([item(dear.siteId)])))
      yield* approvals.approve(QuoteId.make(quote_id ?? ""), operator)
      const { order_id: approvedId = "" } = yield* read(QuoteStatus, asking.key, `${QUOTES}/${quote_id}`)
      const { items } = yield* orderOf(asking, approvedId ?? "")
      const approved = { orderId: approvedId ?? "", linkId: items[0]?.link_id ?? "" }
      const within = yield* ordered(bound)
      const stranger = yield* buyer()
      const to = (target_url: string) => ({ target_url })
      const cases = [
        [
          other,
          link,
          to("https://brand.example/x"),
          { code: "not_changeable", status: 409, details: { who_can: "owner" } }
        ],
        [asking, approved, to("https://brand.example/x"), { code: "not_changeable", details: { reason: "human" } }],
        [
          asking,
          asked,
          to("https://www.brand.example/"),
          { code: "spend_policy_refused", details: { rule: "approve_above_cents" } }
        ],
        [
          bound,
          within,
          to("https://other.example/"),
          { code: "spend_policy_refused", details: { rule: "allowed_domains" }, param: "target_url" }
        ],
        [stranger, link, to("https://brand.example/x"), { code: "order_not_found", status: 404 }]
      ] as const
      const before = yield* books
      for (const [caller, of, body, refusal] of cases) {
        const refused = refusalIn(yield* change(caller, of, body))
        expect([refusal, refused]).toMatchObject([refusal, refusal])
        expect(refused.suggestion).toBeTruthy()
      }
      expect(yield* books).toBe(before)
      expect(changedBy(yield* change(asking, asked, to("https://brand.example/x"))).changed).toEqual(["target_url"])
      expect(changedBy(yield* change(bound, within, to("https://sub.brand.example/"))).changed).toEqual(["target_url"])
    })
  )

  it.effect("agents that are stopped change nothing, and the welcome offer's domain stays", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 5_000 })
      const link = yield* ordered(who)
      const welcomed = refusalIn(yield* change(who, link, { target_url: "https://other.example/" }))
      expect(welcomed).toMatchObject({ code: "not_changeable", details: { reason: "welcome_offer", who_can: null } })
      expect(changedBy(yield* change(who, link, { target_url: "https://blog.brand.example/" })).warnings).toEqual([])
      yield* (yield* StopAgents).setStopped(who.accountId, true, by)
      const stopped = refusalIn(yield* change(who, link, { anchor_text: "x" }))
      expect(stopped).toMatchObject({ code: "spend_policy_refused", status: 403, details: { rule: "agents_stopped" } })
    })
  )

  it.effect("later states refuse it", () =>
    Effect.gen(function* () {
      const { advance, assign } = yield* FulfilLinks
      const who = yield* customer()
      const link = yield* ordered(who)
      yield* assign(link.linkId, by)
      changedBy(yield* change(who, link, { anchor_text: "while assigned" }))
      yield* advance(link.linkId, "drafted", by, { revision: 2 })
      const refused = refusalIn(yield* change(who, link, { anchor_text: "too late" }))
      expect(refused).toMatchObject({ code: "invalid_transition", status: 409, details: { from: "drafted" } })
    })
  )

  it.effect(
    "a change of a link whose response was lost is made once: the same request says that nothing is left to do",
    () =>
      Effect.gen(function* () {
        const { injectFaults } = yield* OrderBookFaults
        const who = yield* customer()
        const send = change(who, yield* ordered(who), { anchor_text: "another page" })
        yield* injectFaults("loses its answer")
        expect(refusalIn(yield* send)).toMatchObject({ code: "store_unavailable", retryable: true })
        const again = JSON.parse((yield* send).text)
        expect(again).toMatchObject({ changed: [], changes_left: 9, link: { anchor_text: "another page" } })
        expect(again.link.history).toHaveLength(2)
      })
  )
})
