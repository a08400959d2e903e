// Calls beside the usual life of an order: repeated deposits, assignment of Plancton links, cancellation, quotes paid or abandoned
// for their human, limits and revocation of keys, and calls about records that do not exist.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { OperatorError } from "#adapters/operator/OperatorError.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { EntryId, LinkId, OrderId, QuoteId, WebhookId } from "#core/domain/shared/Ids.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { BALANCE, call, placedBy, postOrder, refusalIn, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { customer, listedSite, operatorClient, operatorClientWith, operatorService } from "./OperatorService.ts"
import { validPayloads } from "./Payloads.ts"

layer(operatorService(), { excludeTestServices: true })("operator calls", (it) => {
  it.effect("book a deposit once under 30 parallel calls with one reference", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient("olga")
      const { accountId } = yield* client.openAccount({ name: "Ada", email: "deposits@brand.example" })
      const deposit = { accountId, cents: 2_500, reference: "transfer 7" }
      const tellings = Array.from({ length: 30 }, () => client.topUp(deposit))
      const entries = yield* Effect.all(tellings, { concurrency: "unbounded" })
      expect(new Set(entries.map(({ entry }) => entry.entryId)).size).toBe(1)
      expect(entries.filter(({ repeated }) => !repeated).length).toBe(1)
      const other = yield* Effect.flip(client.topUp({ ...deposit, cents: 2_600 }))
      expect(other).toMatchObject({ code: "reference_reused", details: { booked_cents: 2_500 } })
      yield* client.topUp({ ...deposit, reference: "transfer 8" })
      const neighbour = yield* customer(client)
      yield* client.topUp({ ...deposit, accountId: neighbour.accountId })
      const { account } = yield* client.showAccount({ accountId })
      expect(account.wallet).toEqual({ balanceCents: 5_000, heldCents: 0 })
      const { entries: ledger, nextBeforeId } = yield* client.readLedger({ accountId, limit: 1 })
      expect(ledger).toMatchObject([{ kind: "top_up", amountCents: 2_500 }])
      const rest = yield* client.readLedger({ accountId, limit: 5, beforeId: nextBeforeId ?? EntryId.make("") })
      expect(rest).toMatchObject({ entries: [{ kind: "top_up" }], nextBeforeId: null })
      const { records } = yield* client.readAudit({ limit: 200 })
      const found = records.filter((one) => one.action === "account.top_up" && one.subject === accountId)
      expect(found.map(({ actor, details }) => [actor, details])).toEqual([
        ["olga", { cents: 2_500, reference: "transfer 8" }],
        ["olga", { cents: 2_500, reference: "transfer 7" }]
      ])
    })
  )

  it.effect("assign Plancton links at once, unless fulfilment is manual", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient()
      const plancton = yield* listedSite()
      const corail = yield* listedSite({ shelf: "Corail" })
      const { key } = yield* customer(client, 10_000)
      const statuses = Effect.gen(function* () {
        const placed = placedBy(yield* postOrder(key, cart([item(plancton.siteId), item(corail.siteId)])))
        const { links } = yield* client.showOrder({ orderId: placed.order_id ?? OrderId.make("") })
        return links.map(({ status }) => status)
      })
      expect(yield* client.showFulfilment({})).toEqual({ fulfilment: "auto" })
      expect(yield* statuses).toEqual(["assigned", "to_assign"])
      expect(yield* client.switchFulfilment({ fulfilment: "manual" })).toEqual({ fulfilment: "manual" })
      expect(yield* client.showFulfilment({})).toEqual({ fulfilment: "manual" })
      expect(yield* statuses).toEqual(["to_assign", "to_assign"])
      yield* client.switchFulfilment({ fulfilment: "auto" })
      expect(yield* statuses).toEqual(["assigned", "to_assign"])
    })
  )

  it.effect("page through the queue, oldest first; a cancellation returns the net price", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient()
      const site = yield* listedSite()
      const { accountId, key } = yield* customer(client, 2_000)
      const orders = yield* Effect.forEach([1, 2, 3], () => postOrder(key, cart([item(site.siteId)])))
      const orderIds = orders.map((answer) => placedBy(answer).order_id ?? OrderId.make(""))
      const seen: Array<OrderId> = []
      let afterId: LinkId | "" | null = ""
      while (afterId !== null) {
        const page: { links: ReadonlyArray<{ orderId: OrderId }>; nextAfterId: LinkId | null } = yield* client.queue({
          limit: 2,
          ...(afterId === "" ? {} : { afterId })
        })
        seen.push(...page.links.map(({ orderId }) => orderId))
        afterId = page.nextAfterId
      }
      expect(seen.filter((orderId) => orderIds.includes(orderId))).toEqual(orderIds)
      const [first = OrderId.make(""), second = OrderId.make("")] = orderIds
      const { links } = yield* client.showOrder({ orderId: first })
      const linkId = links[0]?.linkId ?? LinkId.make("")
      const cancelled = yield* client.cancelLink({ linkId, reason: "Site closed." })
      expect(cancelled).toMatchObject({ status: "cancelled", statusReason: "Site closed." })
      expect(yield* client.cancelLink({ linkId, reason: "Again." })).toEqual(cancelled)
      const cancelledOrder = yield* client.cancelOrder({ orderId: second, reason: "Sorry." })
      expect(cancelledOrder).toMatchObject({ status: "cancelled" })
      expect(yield* client.cancelOrder({ orderId: second, reason: "Again." })).toEqual(cancelledOrder)
      const asRefunded = { reason: "Refunded.", refunded: true }
      const refusals = [
        Effect.flip(client.cancelLink({ linkId, ...asRefunded })),
        Effect.flip(client.cancelOrder({ orderId: second, ...asRefunded }))
      ]
      for (const refusal of refusals) expect((yield* refusal).code).toBe("invalid_transition")
      const { account } = yield* client.showAccount({ accountId })
      expect(account.wallet).toEqual({ balanceCents: 1_500, heldCents: 0 })
    })
  )

  it.effect("pay and abandon quotes, with audit records", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient("pat")
      const site = yield* listedSite()
      const { accountId, key } = yield* customer(client, 200)
      const open = placedBy(yield* postOrder(key, cart([item(site.siteId)])))
      const quoteId = open.quote_id ?? QuoteId.make("")
      expect((yield* client.showAccount({ accountId })).holds).toMatchObject([{ quoteId, cents: 200 }])
      expect(yield* client.abandonQuote({ quoteId })).toMatchObject({ status: "abandoned", abandonedBy: "human" })
      const another = placedBy(yield* postOrder(key, cart([item(site.siteId)]))).quote_id ?? QuoteId.make("")
      const paid = yield* client.payQuote({ quoteId: another })
      expect(paid).toMatchObject({ status: "paid", cardCents: 300, creditCents: 200 })
      expect(yield* client.payQuote({ quoteId: another })).toEqual(paid)
      const report = yield* client.showQuote({ quoteId: another })
      expect(report).toMatchObject({ quote: { status: "paid" }, order: { status: "paid", links: [{}] } })
      expect(JSON.stringify(report)).not.toMatch(/payment(?!PendingAtMs)/)
      const { records } = yield* client.readAudit({ limit: 200 })
      const found = records.filter((one) => one.action.startsWith("quote.") && one.actor === "pat")
      expect(found.map(({ action, subject }) => [action, subject])).toEqual([
        ["quote.pay", another],
        ["quote.abandon", quoteId]
      ])
    })
  )

  it.effect("limit a key, list it with its webhooks, and revoke it", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient()
      const site = yield* listedSite()
      const { accountId, keyId, key } = yield* customer(client, 2_000)
      const limits = {
        ...noLimits,
        maxOrderCents: 400,
        maxDayCents: 900,
        dailyOrderCap: 1,
        allowedDomains: ["a.example"]
      }
      expect((yield* client.limitKey({ keyId, limits })).limits).toEqual(limits)
      const refused = yield* postOrder(key, cart([item(site.siteId)]))
      expect(refusalIn(refused)).toMatchObject({ code: "spend_policy_refused", details: { rule: "max_order_cents" } })
      const { url } = yield* RunningService
      yield* call("POST", WEBHOOKS, { key, body: { url: `${url}/healthz`, events: ["order.accepted"] } })
      const [webhook] = yield* client.listWebhooks({ accountId, keyId })
      expect(webhook).toMatchObject({ keyId, url: `${url}/healthz`, events: ["order.accepted"], status: "active" })
      yield* client.limitKey({ keyId, limits: noLimits })
      placedBy(yield* postOrder(key, cart([item(site.siteId)])))
      const webhookId = webhook?.webhookId ?? WebhookId.make("")
      const { deliveries } = yield* client.listDeliveries({ accountId, keyId, webhookId, limit: 5 })
      expect(deliveries).toMatchObject([{ event: "order.accepted" }])
      const otherCustomer = yield* customer(client)
      const foreign = yield* Effect.flip(client.listWebhooks({ accountId: otherCustomer.accountId, keyId }))
      expect(foreign.code).toBe("api_key_not_found")
      yield* client.revokeKey({ keyId })
      expect(refusalIn(yield* call("GET", BALANCE, { key })).code).toBe("revoked_api_key")
      const [issued] = yield* client.listKeys({ accountId })
      expect(issued?.key.revokedAtMs).not.toBeNull()
      expect(issued).not.toHaveProperty("key.hash")
    })
  )

  it.effect("refuse calls about missing records with the request id, and change nothing", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const client = yield* operatorClient()
      yield* client.openAccount(validPayloads.openAccount)
      const before = yield* books
      const misses = {
        account_not_found: [
          client.showAccount(validPayloads.showAccount),
          client.topUp(validPayloads.topUp),
          client.readLedger(validPayloads.readLedger),
          client.issueKey(validPayloads.issueKey),
          client.listKeys(validPayloads.listKeys),
          client.listConnections(validPayloads.listConnections),
          client.listProjects(validPayloads.listProjects),
          client.listWebhooks(validPayloads.listWebhooks),
          client.listDeliveries(validPayloads.listDeliveries)
        ],
        api_key_not_found: [
          client.limitKey(validPayloads.limitKey),
          client.rotateKey(validPayloads.rotateKey),
          client.revokeKey(validPayloads.revokeKey)
        ],
        connection_not_found: [
          client.limitConnection(validPayloads.limitConnection),
          client.revokeConnection(validPayloads.revokeConnection)
        ],
        site_not_found: [client.showSite(validPayloads.showSite)],
        project_not_found: [client.planProject(validPayloads.planProject)],
        link_not_found: [
          client.assign(validPayloads.assign),
          client.advance(validPayloads.advance),
          client.publish(validPayloads.publish),
          client.verify(validPayloads.verify),
          client.correct(validPayloads.correct),
          client.cancelLink(validPayloads.cancelLink)
        ],
        order_not_found: [client.cancelOrder(validPayloads.cancelOrder), client.showOrder(validPayloads.showOrder)],
        quote_not_found: [
          client.showQuote(validPayloads.showQuote),
          client.payQuote(validPayloads.payQuote),
          client.abandonQuote(validPayloads.abandonQuote)
        ]
      }
      for (const [code, calls] of Object.entries(misses)) {
        for (const missed of calls) {
          const error = yield* Effect.flip<unknown, OperatorError, never>(missed)
          expect(error).toBeInstanceOf(OperatorError)
          expect(error).toMatchObject({ code, status: 404, request_id: expect.stringMatching(/^req_/) })
        }
      }
      expect(yield* books).toBe(before)
    })
  )

  it.effect("page through accounts, newest first", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient()
      const open = (name: string) => client.openAccount({ name, email: `${name}@pages.example` })
      const [older, newer] = [yield* open("Ada"), yield* open("Bob")]
      const { accounts: first, nextBeforeId } = yield* client.listAccounts({ limit: 1 })
      expect([first, nextBeforeId]).toEqual([[newer], newer.accountId])
      const { accounts: second } = yield* client.listAccounts({ limit: 1, beforeId: newer.accountId })
      expect(second).toEqual([older])
    })
  )

  it.effect("fail with an OperatorError when the request itself is refused or unanswered", () =>
    Effect.gen(function* () {
      const unauthorised = yield* operatorClientWith("not-the-token-of-this-shop")
      expect(yield* Effect.flip(unauthorised.listAccounts({ limit: 1 }))).toMatchObject({
        code: "invalid_operator_token",
        status: 401,
        request_id: expect.stringMatching(/^req_/)
      })
      const client = yield* operatorClient()
      const unsound = yield* Effect.flip(client.openAccount({ name: "Ada", email: "nowhere" }))
      expect(unsound).toMatchObject({ code: "validation_failed", errors: [{ path: "email" }] })
    })
  )
})
