// Resources of another account, or of the other mode, do not exist: every route with an id answers with the words for an unknown id.
// The tests are generated from the API definition, so that they cover a new route.
import { Effect } from "effect"
import { expect } from "vitest"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type Buyer, buyer, cart, freshKey, issueKey, item, quoteOf } from "./Buyers.ts"
import { createOpportunity, createProject, listSite } from "./CatalogueSetup.ts"
import { call, placedBy, postOrder, refusalIn, WEBHOOKS } from "./HttpCalls.ts"
import { invoiceOf } from "./InvoiceSteps.ts"
import { bodyFor, pathWith, type ResourceKind, type Route, resourceKindOf, routes, title } from "./Routes.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

type Owned = Exclude<ResourceKind, "site">

/** One of each resource that a key can own. */
const belongings = Effect.fnUntraced(function* (who: Buyer, credit: { readonly sandbox_credit_cents?: number }) {
  const { port } = yield* RunningService
  const { siteId } = yield* listSite()
  const paid = placedBy(yield* postOrder(who.key, cart([item(siteId)], credit)))
  const pretendNone = credit.sandbox_credit_cents === undefined ? {} : { sandbox_credit_cents: 0 }
  const open = placedBy(yield* postOrder(who.key, cart([item(siteId)], pretendNone)))
  expect([paid.status, open.status]).toEqual(["paid", "awaiting_payment"])
  const webhook = yield* who.api.webhooks.createWebhook({
    payload: { url: `http://127.0.0.1:${port}/healthz`, events: ["order.accepted"] }
  })
  return { quote: open.quote_id ?? QuoteId.make(""), order: paid.order_id ?? OrderId.make(""), webhook: webhook.id }
})

/** Two accounts with a live and a sandbox key each; the first owns things in both modes. */
const owners = Effect.gen(function* () {
  const live = yield* buyer({ creditCents: 500 })
  const test = yield* issueKey(live.accountId, { mode: "sandbox" })
  const other = yield* buyer({ creditCents: 500 })
  const otherSandbox = yield* issueKey(other.accountId, { mode: "sandbox" })
  const { projectId: project } = yield* createProject(live.accountId)
  const ofLive = yield* belongings(live, {})
  const { invoice_id: invoice } = yield* invoiceOf(live, ofLive.order)
  return {
    live,
    test,
    sibling: yield* issueKey(live.accountId),
    other,
    otherSandbox,
    project,
    invoice,
    ofLive,
    ofTest: yield* belongings(test, { sandbox_credit_cents: 500 })
  }
})

type Owners = Effect.Success<typeof owners>

/**
 * The keys that must not see a resource, and its id. Projects belong to the account in both modes, webhooks to one key; invoices have no
 * sandbox.
 */
const hiddenFrom = (owners: Owners, kind: Owned): ReadonlyArray<readonly [id: string, from: ReadonlyArray<Buyer>]> => {
  const { live, test, sibling, other, otherSandbox, ofLive, ofTest, project, invoice } = owners
  const others = [other, otherSandbox]
  if (kind === "project") return [[project, others]]
  if (kind === "invoice") return [[invoice, [test, ...others]]]
  const siblings = kind === "webhook" ? [sibling] : []
  return [
    [ofLive[kind], [test, ...siblings, ...others]],
    [ofTest[kind], [live, ...siblings, ...others]]
  ]
}

const send = (route: Route, id: string, { key }: Buyer) => {
  const body = bodyFor(route)
  return call(route.method, pathWith(route, id), { key, ...(body === undefined ? {} : { body }) })
}

/** The refusal without the id and what differs in every request. */
const wording = (text: string, id: string): unknown => {
  const { request_id, ...rest } = JSON.parse(text.replaceAll(id, "ID"))
  return rest
}

export const ownershipSuite = scenarios("ownership", {}, (it) => {
  for (const route of routes) {
    const thing = resourceKindOf(route)
    if (thing === undefined || thing === "site") continue

    it.effect(`${title(route)}: another account's ${thing}, or one of the other mode, is 404 like an unknown one`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const here = yield* owners
        const before = yield* books
        for (const [id, others] of hiddenFrom(here, thing)) {
          for (const outsider of others) {
            const answer = yield* send(route, id, outsider)
            expect(refusalIn(answer)).toMatchObject({ status: 404, code: `${thing}_not_found` })
            const unknownId = `${id.slice(0, -4)}0000`
            const none = yield* send(route, unknownId, outsider)
            expect(wording(answer.text, id)).toEqual(wording(none.text, unknownId))
          }
        }
        expect(yield* books).toBe(before)
      })
    )
  }

  it.effect("routes without an id show none of it", () =>
    Effect.gen(function* () {
      const here = yield* owners
      const ids = [...Object.values(here.ofLive), ...Object.values(here.ofTest), here.project, here.invoice]
      for (const route of routes.filter((one) => one.method === "GET" && resourceKindOf(one) === undefined)) {
        const others = [here.other, here.otherSandbox]
        for (const { key } of others) {
          const { text } = yield* call("GET", pathWith(route, ""), { key })
          expect(ids.filter((id) => text.includes(id))).toEqual([])
        }
      }
    })
  )

  it.effect("an order for another account's project or opportunity is 404 or refused, with nothing written", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const { live, other, otherSandbox, project } = yield* owners
      const { opportunityId } = yield* createOpportunity(project)
      const own = yield* createProject(other.accountId)
      const before = yield* books
      for (const { key } of [other, otherSandbox]) {
        const wanted = { project_id: project, opportunity_id: opportunityId }
        const refused = refusalIn(yield* postOrder(key, cart([item(siteId, wanted)])))
        expect(refused).toMatchObject({ status: 404, code: "project_not_found", param: "items[0].project_id" })
        const mixed = cart([item(siteId, { ...wanted, project_id: own.projectId })])
        expect(refusalIn(yield* postOrder(key, mixed)).code).toBe("validation_failed")
      }
      expect(yield* books).toBe(before)
      const mine = cart([item(siteId, { project_id: project, opportunity_id: opportunityId })])
      expect((yield* postOrder(live.key, mine)).status).toBe(201)
    })
  )

  it.effect("an idempotency key finds a quote with any key of its account, in its mode only", () =>
    Effect.gen(function* () {
      const { live, test, sibling, other } = yield* owners
      const { siteId } = yield* listSite()
      const idempotencyKey = freshKey()
      placedBy(yield* postOrder(live.key, cart([item(siteId)]), idempotencyKey))
      for (const who of [live, sibling]) {
        expect((yield* quoteOf(who, idempotencyKey)).status).toBe("awaiting_payment")
      }
      for (const who of [test, other]) {
        expect(yield* Effect.flip(quoteOf(who, idempotencyKey))).toMatchObject({
          error: { code: "quote_not_found" }
        })
      }
    })
  )

  it.effect("a webhook is listed and revoked by its own key, once", () =>
    Effect.gen(function* () {
      const { live, sibling, ofLive } = yield* owners
      const listed = (who: Buyer) =>
        Effect.map(who.api.webhooks.listWebhooks(), ({ webhooks }) => webhooks.map(({ id }) => id))
      expect([yield* listed(live), yield* listed(sibling)]).toEqual([[ofLive.webhook], []])
      const path = `${WEBHOOKS}/${ofLive.webhook}`
      const statuses = []
      for (const { key } of [sibling, live, live]) statuses.push((yield* call("DELETE", path, { key })).status)
      expect(statuses).toEqual([404, 200, 200])
      expect(yield* listed(live)).toEqual([])
    })
  )
})
