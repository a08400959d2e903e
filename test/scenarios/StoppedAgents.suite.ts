// While an owner has stopped all agents, nothing is bought and no webhook is added; what gives up, takes back or only looks goes on. Every
// route that writes is judged here, so that a new one has to be.
import { Effect } from "effect"
import { expect } from "vitest"
import { endpoints } from "#adapters/http/operations/OperationRequest.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { type Buyer, buyer, by, cart, freshKey, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import {
  call,
  type HttpResponse,
  ME,
  ORDERS,
  placedBy,
  postOrder,
  QUOTES,
  refusalIn,
  SANDBOX,
  WEBHOOKS
} from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

/** An account with an order, an open quote, a webhook and sandbox quotes, and the request of each route. */
const everyWrite = Effect.gen(function* () {
  const { port } = yield* RunningService
  const { siteId } = yield* listSite({ shelf: "Corail" })
  const live = yield* buyer({ creditCents: 3_000 })
  const test = yield* issueKey(live.accountId, { mode: "sandbox" })
  const asking = yield* issueKey(live.accountId, { mode: "sandbox", limits: { approveAboveCents: 0 } })
  const hook = { url: `http://127.0.0.1:${port}/healthz`, events: ["order.accepted"] }
  const bought = { body: cart([item(siteId)]), key: freshKey() }
  const { order_id: orderId } = placedBy(yield* postOrder(live.key, bought.body, bought.key))
  const [{ link_id: linkId = "" } = {}] = JSON.parse(
    (yield* call("GET", `${ORDERS}/${orderId}`, { key: live.key })).text
  ).items
  const open = placedBy(yield* postOrder(live.key, cart([item(siteId), item(siteId)])))
  const added = yield* call("POST", WEBHOOKS, { key: live.key, body: hook })
  const { id } = JSON.parse(added.text)
  const tested = yield* call("POST", `${WEBHOOKS}/${id}/test`, { key: live.key })
  const sandboxed = (who: Buyer, credit = 0) =>
    Effect.map(postOrder(who.key, cart([item(siteId)], { sandbox_credit_cents: credit })), placedBy)
  const [pay, abandon, approve, decline] = [
    yield* sandboxed(test),
    yield* sandboxed(test),
    yield* sandboxed(asking),
    yield* sandboxed(asking)
  ]
  const paid = yield* sandboxed(test, 10_000)
  const send = (who: Buyer, path: string, body?: unknown) =>
    call("POST", path, { key: who.key, ...(body === undefined ? {} : { body }) })
  return {
    live,
    others: [test, asking],
    replay: postOrder(live.key, bought.body, bought.key),
    requests: {
      createOrder: postOrder(live.key, cart([item(siteId)]), freshKey()),
      createWebhook: send(live, WEBHOOKS, hook),
      changeLink: call("PATCH", `${ORDERS}/${orderId}/links/${linkId}`, {
        key: live.key,
        body: { anchor_text: "other" }
      }),
      cancelOrder: send(live, `${ORDERS}/${orderId}/cancel`),
      abandonQuote: send(live, `${QUOTES}/${open.quote_id}/abandon`),
      redeliver: send(live, `${WEBHOOKS}/${id}/deliveries/${JSON.parse(tested.text).delivery_id}/redeliver`),
      testWebhook: send(live, `${WEBHOOKS}/${id}/test`),
      rotateSecret: send(live, `${WEBHOOKS}/${id}/rotate-secret`),
      changeWebhook: call("PATCH", `${WEBHOOKS}/${id}`, { key: live.key, body: { events: ["order.published"] } }),
      replayWebhook: send(live, `${WEBHOOKS}/${id}/replay`, { from: "2026-01-01" }),
      deleteWebhook: call("DELETE", `${WEBHOOKS}/${id}`, { key: live.key }),
      paySandboxQuote: send(test, `${SANDBOX}/quotes/${pay.quote_id}/pay`),
      abandonSandboxQuote: send(test, `${SANDBOX}/quotes/${abandon.quote_id}/abandon`),
      approveSandboxQuote: send(asking, `${SANDBOX}/quotes/${approve.quote_id}/approve`),
      declineSandboxQuote: send(asking, `${SANDBOX}/quotes/${decline.quote_id}/decline`, {}),
      advanceSandboxOrder: send(test, `${SANDBOX}/orders/${paid.order_id}/advance`, { to: "published" })
    } satisfies Readonly<Record<string, Effect.Effect<HttpResponse, unknown, unknown>>>
  }
})

type Written = Effect.Success<typeof everyWrite>

/** How an owner keeps agents from ordering: all of the account, or each of these by itself. */
const WAYS = {
  agents_stopped: ({ live }: Written) => StopAgents.use((agents) => agents.setStopped(live.accountId, true, by)),
  paused: ({ live, others }: Written) =>
    Credentials.use(({ pause }) => Effect.forEach([live, ...others], ({ keyId }) => pause(keyId, true, by)))
} as const

/** What an order is: it spends, or lets something out of the account. */
const REFUSED: ReadonlySet<string> = new Set(["changeLink", "createOrder", "createWebhook"])

export const stoppedAgentsSuite = scenarios("stopped agents", {}, (it) => {
  for (const [rule, halt] of Object.entries(WAYS))
    it.effect(`buy nothing and add no webhook; they cancel, abandon, delete and replay all the same: ${rule}`, () =>
      Effect.gen(function* () {
        const written = yield* everyWrite
        const { live, replay, requests } = written
        const writing = Object.values(endpoints).filter(({ method }) => method !== "GET")
        expect(Object.keys(requests).toSorted()).toEqual(writing.map(({ identifier }) => identifier).toSorted())
        yield* halt(written)
        for (const [name, request] of Object.entries(requests)) {
          const answer = yield* request
          if (REFUSED.has(name)) {
            const refused = refusalIn(answer)
            expect([name, refused]).toMatchObject([
              name,
              { code: "spend_policy_refused", status: 403, recovery: "human", details: { rule } }
            ])
          } else expect([name, answer.status < 300], answer.text).toEqual([name, true])
        }
        expect((yield* replay).headers.get("idempotent-replayed")).toBe("true")
        const reads = yield* Effect.all(
          [ME, ORDERS, WEBHOOKS, `${ORDERS}?status=paid`].map((path) => call("GET", path, { key: live.key }))
        )
        expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      })
    )
})
