// Calls that an idempotency key binds, each before it is sent: what it sends, how often it took effect, and what somebody may do meanwhile.
import { Effect, HashMap } from "effect"
import { OrderDetail } from "#adapters/contract/ordering/Orders.ts"
import type { Books } from "#core/decisions/Books.ts"
import { LinkId, QuoteId, WebhookId } from "#core/domain/shared/Ids.ts"
import { known, movements } from "../core/BookReads.ts"
import { type Buyer, buyer, cart, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { call, ORDERS, placedBy, postOrder, QUOTES, read, SANDBOX, WEBHOOKS } from "./HttpCalls.ts"
import { RunningService, untilBooks } from "./RunningService.ts"

export const receiver = Effect.map(RunningService, ({ port }) => ({
  url: `http://127.0.0.1:${port}/healthz`,
  events: ["order.accepted"]
}))

export interface Write {
  readonly by: Buyer
  readonly method?: "PATCH"
  readonly path: string
  readonly body?: unknown
  /** How often it took effect. */
  readonly effects: (books: Books) => number
  /** What somebody does between the call that was cut off and the same call again, and what shows that it was not undone. */
  readonly meanwhile?: {
    readonly act: Effect.Effect<unknown, unknown, RunningService>
    readonly stays: (books: Books) => boolean
  }
}

const withHook = Effect.gen(function* () {
  const by = yield* buyer()
  const { text } = yield* call("POST", WEBHOOKS, { key: by.key, body: yield* receiver })
  const webhookId = WebhookId.make(JSON.parse(text).id)
  return { by, webhookId, path: `${WEBHOOKS}/${webhookId}` }
})

const testsOf = ({ deliveries }: Books, webhookId: WebhookId) =>
  HashMap.toValues(deliveries).filter((one) => one.webhookId === webhookId && one.event === "webhook.test")

const sandboxOrder = Effect.fnUntraced(function* (approveAboveCents: number | null, credit: number) {
  const { siteId } = yield* listSite({ shelf: "Corail" })
  const by = yield* buyer({ mode: "sandbox", limits: { approveAboveCents } })
  return { by, placed: placedBy(yield* postOrder(by.key, cart([item(siteId)], { sandbox_credit_cents: credit }))) }
})

const linksIn = ({ links }: Books, orderId: string | null | undefined) =>
  HashMap.toValues(links).filter((link) => link.orderId === orderId)

/** Every call that an idempotency key binds, before it is sent. */
export const WRITES = {
  "cancelling an order": Effect.gen(function* () {
    const by = yield* buyer({ creditCents: 5_000 })
    const { siteId } = yield* listSite({ shelf: "Corail" })
    const { order_id } = placedBy(yield* postOrder(by.key, cart([item(siteId), item(siteId)])))
    const effects = (books: Books) =>
      movements(books, by.accountId).filter((movement) => movement.startsWith("recredit")).length / 2
    return { by, path: `${ORDERS}/${order_id}/cancel`, body: { only: "cancellable" }, effects }
  }),
  "changing a link": Effect.gen(function* () {
    const by = yield* buyer({ creditCents: 5_000 })
    const { siteId } = yield* listSite({ shelf: "Corail" })
    const { order_id } = placedBy(yield* postOrder(by.key, cart([item(siteId)])))
    const { items } = yield* read(OrderDetail, by.key, `${ORDERS}/${order_id}`)
    const linkId = items[0]?.link_id ?? LinkId.make("")
    const [first, next] = [{ anchor_text: "another text" }, { anchor_text: "a third text" }]
    const effects = ({ links }: Books) =>
      known(links, linkId).history.filter(({ changed = [] }) => changed.some(({ to }) => to === first.anchor_text))
        .length
    const path = `${ORDERS}/${order_id}/links/${linkId}`
    const meanwhile = {
      act: call("PATCH", path, { key: by.key, body: next }),
      stays: ({ links }: Books) => known(links, linkId).anchorText === next.anchor_text
    }
    return { ...{ by, method: "PATCH", path, body: first }, effects, meanwhile } as const
  }),
  "abandoning a quote": Effect.gen(function* () {
    const by = yield* buyer({ creditCents: 200 })
    const { siteId } = yield* listSite()
    const { quote_id } = placedBy(yield* postOrder(by.key, cart([item(siteId)])))
    const effects = (books: Books) =>
      movements(books, by.accountId).filter((movement) => movement.startsWith("release")).length
    return { by, path: `${QUOTES}/${quote_id}/abandon`, effects }
  }),
  "adding a webhook": Effect.gen(function* () {
    const by = yield* buyer()
    const effects = ({ subscriptions }: Books) =>
      HashMap.size(HashMap.filter(subscriptions, ({ keyId }) => keyId === by.keyId))
    return { by, path: WEBHOOKS, body: yield* receiver, effects }
  }),
  "changing a webhook": Effect.map(withHook, ({ by, webhookId, path }) => {
    const [first, next] = [{ events: ["order.published"] }, { events: ["order.cancelled"] }]
    const meanwhile = {
      act: call("PATCH", path, { key: by.key, body: next }),
      stays: ({ subscriptions }: Books) => known(subscriptions, webhookId).events[0] === next.events[0]
    }
    const effects = ({ audit }: Books) =>
      HashMap.size(
        HashMap.filter(audit, ({ details, subject }) => subject === webhookId && details["events"] === first.events[0])
      )
    return { ...{ by, method: "PATCH", path, body: first }, effects, meanwhile } as const
  }),
  replaying: Effect.gen(function* () {
    const by = yield* buyer({ creditCents: 5_000 })
    const { text } = yield* call("POST", WEBHOOKS, { key: by.key, body: yield* receiver })
    const webhookId = WebhookId.make(JSON.parse(text).id)
    const path = `${WEBHOOKS}/${webhookId}`
    const switched = (active: boolean) => call("PATCH", path, { key: by.key, body: { active } })
    yield* switched(false)
    yield* postOrder(by.key, cart([item((yield* listSite()).siteId)]))
    yield* switched(true)
    const effects = ({ subscriptions }: Books) => known(subscriptions, webhookId).redeliveredAtMs?.length ?? 0
    // What was queued is dropped, so that it is missed again.
    const meanwhile = {
      act: Effect.andThen(switched(false), switched(true)),
      stays: ({ deliveries }: Books) =>
        HashMap.every(deliveries, (one) => one.webhookId !== webhookId || one.state !== "pending")
    }
    return { by, path: `${path}/replay`, body: { from: new Date(0).toISOString() }, effects, meanwhile }
  }),
  "testing a webhook": Effect.map(withHook, ({ by, webhookId, path }) => ({
    ...{ by, path: `${path}/test` },
    effects: (books: Books) => testsOf(books, webhookId).length
  })),
  redelivering: Effect.gen(function* () {
    const { by, webhookId, path } = yield* withHook
    const { delivery_id } = JSON.parse((yield* call("POST", `${path}/test`, { key: by.key })).text)
    // Its attempt is a transaction, too.
    yield* untilBooks((books) => testsOf(books, webhookId).every(({ attempts }) => attempts.length > 0))
    const effects = ({ subscriptions }: Books) => known(subscriptions, webhookId).redeliveredAtMs?.length ?? 0
    return { by, path: `${path}/deliveries/${delivery_id}/redeliver`, effects }
  }),
  "rotating a secret": Effect.map(withHook, ({ by, webhookId, path }) => ({
    ...{ by, path: `${path}/rotate-secret` },
    effects: ({ subscriptions }: Books) => known(subscriptions, webhookId).previousKeys.length
  })),
  "paying in the sandbox": Effect.map(sandboxOrder(null, 0), ({ by, placed: { quote_id } }) => ({
    ...{ by, path: `${SANDBOX}/quotes/${quote_id}/pay` },
    effects: ({ payments }: Books) => HashMap.size(HashMap.filter(payments, ({ quoteId }) => quoteId === quote_id))
  })),
  "approving in the sandbox": Effect.map(sandboxOrder(0, 10_000), ({ by, placed: { quote_id } }) => ({
    ...{ by, path: `${SANDBOX}/quotes/${quote_id}/approve` },
    effects: ({ quotes }: Books) => (known(quotes, QuoteId.make(quote_id ?? "")).approvedAtMs === null ? 0 : 1)
  })),
  "declining in the sandbox": Effect.map(sandboxOrder(0, 10_000), ({ by, placed: { quote_id } }) => ({
    ...{ by, path: `${SANDBOX}/quotes/${quote_id}/decline`, body: { reason: "Not now." } },
    effects: ({ quotes }: Books) => (known(quotes, QuoteId.make(quote_id ?? "")).declinedReason === "Not now." ? 1 : 0)
  })),
  "abandoning in the sandbox": Effect.map(sandboxOrder(null, 0), ({ by, placed: { quote_id } }) => ({
    ...{ by, path: `${SANDBOX}/quotes/${quote_id}/abandon` },
    effects: ({ quotes }: Books) => (known(quotes, QuoteId.make(quote_id ?? "")).abandonedBy === "human" ? 1 : 0)
  })),
  "advancing in the sandbox": Effect.map(sandboxOrder(null, 10_000), ({ by, placed: { order_id } }) => {
    const path = `${SANDBOX}/orders/${order_id}/advance`
    const effects = (books: Books) =>
      linksIn(books, order_id).flatMap(({ history }) => history.filter(({ status }) => status === "drafted")).length
    const meanwhile = {
      act: call("POST", path, { key: by.key, body: { to: "published" } }),
      stays: (books: Books) => linksIn(books, order_id).every(({ status }) => status === "published")
    }
    return { ...{ by, path, body: { to: "drafted" } }, effects, meanwhile }
  })
} satisfies Readonly<Record<string, Effect.Effect<Write, unknown, unknown>>>
