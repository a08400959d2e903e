// Orders that are refused for what they contain, with nothing written and nothing held.
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"
import { exchange, head } from "#test/adapters/http/server/RawHttp.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { buyer, cart, freshKey, insertion, issueKey, item } from "./Buyers.ts"
import { listArticle, listSite } from "./CatalogueSetup.ts"
import { ORDERS, placedBy, postOrder, refusalIn } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const SITE = 1_000_001
const CLOSED = 1_000_002
const ARTICLE = 2_000_001

/**
 * Refusals by their cause: status, code, the field that the error names, and the order. What the schema of an order refuses is tested at
 * the schema, and the rules of a cart in the core: each has one here.
 */
const REFUSED: Readonly<Record<string, readonly [status: number, code: string, param: string, body: unknown]>> = {
  "an unknown site": [404, "site_not_found", "items[1].site_id", cart([item(SITE), item(999_999_999)])],
  "a site that takes no orders": [409, "site_unavailable", "items[0].site_id", cart([item(CLOSED)])],
  "an unknown field of the order": [422, "validation_failed", "promo", { ...cart([item(SITE)]), promo: "TEN" }],
  "one article twice": [
    422,
    "validation_failed",
    "items[1].article_id",
    cart(times(2, () => insertion({ siteId: SITE, articleId: ARTICLE })))
  ],
  "an article of another site": [
    422,
    "article_site_mismatch",
    "items[0].article_id",
    cart([insertion({ siteId: CLOSED, articleId: ARTICLE })])
  ],
  "an article that is not there": [
    422,
    "article_site_mismatch",
    "items[0].article_id",
    cart([insertion({ siteId: SITE, articleId: 3_000_000 })])
  ],
  "an unknown project": [
    404,
    "project_not_found",
    "items[0].project_id",
    cart([item(SITE, { project_id: ProjectId.make("prj_x") })])
  ],
  "an opportunity without its project": [
    422,
    "validation_failed",
    "items[0].opportunity_id",
    cart([item(SITE, { opportunity_id: OpportunityId.make("opp_x") })])
  ],
  "sandbox credit with a live key": [
    422,
    "validation_failed",
    "sandbox_credit_cents",
    cart([item(SITE)], { sandbox_credit_cents: 100 })
  ],
  "an unknown code": [422, "promo_code_invalid", "promo_code", cart([item(SITE)], { promo_code: "NONE" })],
  "a price above the guard": [409, "price_above_limit", "max_total_eur", cart([item(SITE)], { max_total_eur: 4.99 })]
}

const stock = Effect.gen(function* () {
  yield* listSite({ siteId: SITE })
  yield* listSite({ siteId: CLOSED, open: false })
  yield* listArticle(SITE, { articleId: ARTICLE })
})

export const refusedOrdersSuite = scenarios("refused orders", {}, (it) => {
  for (const [what, [status, code, param, body]] of Object.entries(REFUSED)) {
    it.effect(`${what} is ${status} ${code}, with nothing written and nothing held`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        yield* stock
        const { key, api } = yield* buyer({ creditCents: 200 })
        const before = yield* books
        for (const idempotencyKey of [undefined, freshKey()]) {
          const error = refusalIn(yield* postOrder(key, body, idempotencyKey))
          expect([error.status, error.code, error.param]).toEqual([status, code, param])
          expect(error.suggestion).toBeTruthy()
        }
        expect(yield* books).toBe(before)
        expect(yield* api.balance.getBalance()).toMatchObject({
          available_cents: 200,
          held_cents: 0,
          orders_today: { used: 0 }
        })
      })
    )
  }

  it.effect("a closed site shows no article, and shows all of them when it is open again", () =>
    Effect.gen(function* () {
      const site = yield* listSite()
      const article = yield* listArticle(site.siteId)
      const { key, api } = yield* buyer({ creditCents: 500 })
      const path = { params: { id: site.siteId } }
      const shown = Effect.gen(function* () {
        const { formats, articles_available } = (yield* api.catalog.getSite(path)).site
        const { count, articles } = yield* api.catalog.listArticles({ ...path, query: {} })
        return { formats: formats.length, articles_available, count, ids: articles.map(({ article_id }) => article_id) }
      })
      const all = { formats: 2, articles_available: 1, count: 1, ids: [article.articleId] }
      expect(yield* shown).toEqual(all)
      yield* listSite({ ...site, open: false })
      expect(yield* shown).toEqual({ formats: 0, articles_available: 0, count: 0, ids: [] })
      expect(refusalIn(yield* postOrder(key, cart([insertion(article)]))).code).toBe("site_unavailable")
      yield* listSite(site)
      expect(yield* shown).toEqual(all)
      placedBy(yield* postOrder(key, cart([insertion(article)])))
    })
  )

  it.effect("an anchor of 1 MB is 413 before it has arrived completely, with nothing written", () =>
    Effect.gen(function* () {
      const { books, port } = yield* RunningService
      yield* stock
      const { key } = yield* buyer({ creditCents: 200 })
      const body = JSON.stringify(cart([item(SITE, { anchor_text: "a".repeat(1_000_000) })]))
      const before = yield* books
      for (const size of [{ "Content-Length": String(body.length) }, { "Transfer-Encoding": "chunked" }]) {
        const chunk = "Content-Length" in size ? body : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        const answer = yield* exchange(
          port,
          head("POST", ORDERS, { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...size }),
          chunk
        )
        expect(answer.status, answer.body).toBe(413)
        const { error } = Schema.decodeUnknownSync(Schema.fromJsonString(ErrorBody))(answer.body)
        expect(error.code).toBe("body_too_large")
      }
      expect(yield* books).toBe(before)
    })
  )

  it.effect("of several faults the first in a fixed order is reported", () =>
    Effect.gen(function* () {
      yield* stock
      const { accountId, key } = yield* buyer({ limits: { dailyOrderCap: 1, maxOrderCents: 400 } })
      const readOnly = yield* issueKey(accountId, { scopes: ["read"] })
      const wrong = { promo_code: "NONE", max_total_eur: 1 }
      const said = (body: unknown, who: string = key) =>
        Effect.map(postOrder(who, body), (answer) => refusalIn(answer).code)
      const soldOut = cart([insertion({ siteId: SITE, articleId: ARTICLE })], wrong)
      expect(yield* said("{", readOnly.key)).toBe("insufficient_scope")
      expect(yield* said("{")).toBe("invalid_json")
      expect(yield* said({ ...soldOut, items: [] })).toBe("validation_failed")
      expect(yield* said(cart([insertion({ siteId: 999_999_999, articleId: ARTICLE })], wrong))).toBe("site_not_found")
      expect(yield* said(cart([insertion({ siteId: CLOSED, articleId: ARTICLE })], wrong))).toBe(
        "article_site_mismatch"
      )
      expect(yield* said(cart([item(CLOSED)], wrong))).toBe("site_unavailable")
      expect(yield* said(soldOut)).toBe("promo_code_invalid")
      expect(yield* said(cart([item(SITE)], { max_total_eur: 1 }))).toBe("spend_policy_refused")
      const cheap = yield* listArticle(SITE, { priceCents: 300 })
      expect(yield* said(cart([insertion(cheap)], { max_total_eur: 1 }))).toBe("price_above_limit")
      const idempotencyKey = freshKey()
      const first = yield* postOrder(key, cart([insertion(cheap)]), idempotencyKey)
      expect((yield* postOrder(key, cart([insertion(cheap)]), idempotencyKey)).text).toBe(first.text)
      expect(refusalIn(yield* postOrder(key, soldOut, idempotencyKey)).code).toBe("idempotency_key_reused")
      expect(yield* said(cart([item(999_999_999)]))).toBe("daily_order_cap_reached")
      placedBy(first)
    })
  )
})
