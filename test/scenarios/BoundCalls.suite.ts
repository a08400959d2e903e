// A call with an idempotency key takes effect once: sent again, sent by 20 at once on every instance, and after an answer was lost between
// the commit and the client.
import { Effect, HashMap } from "effect"
import { expect } from "vitest"
import { OrderDetail } from "#adapters/contract/ordering/Orders.ts"
import type { Books } from "#core/decisions/Books.ts"
import { LinkId, QuoteId, WebhookId } from "#core/domain/shared/Ids.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { known, movements } from "../core/BookReads.ts"
import { type Buyer, buyer, cart, freshKey, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistent } from "./ConsistentBooks.ts"
import { OrderBookFaults } from "./FaultyOrderBook.ts"
import { call, isReplay, ORDERS, placedBy, postOrder, QUOTES, read, refusalIn, SANDBOX, WEBHOOKS } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService, ServiceInstances, untilBooks } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const receiver = Effect.map(RunningService, ({ port }) => ({
  url: `http://127.0.0.1:${port}/healthz`,
  events: ["order.accepted"]
}))

interface Write {
  readonly by: Buyer
  readonly method?: "PATCH"
  readonly path: string
  readonly body?: unknown
  /** How often it took effect. */
  readonly effects: (books: Books) => number
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

const historyOf = ({ links }: Books, orderId: string | null | undefined) =>
  HashMap.toValues(links).flatMap((link) => (link.orderId === orderId ? [link.history.length - 1] : []))

/** Every call that an idempotency key binds, before it is sent. */
const WRITES = {
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
    const effects = ({ links }: Books) => known(links, linkId).history.length - 1
    const path = `${ORDERS}/${order_id}/links/${linkId}`
    return { ...{ by, method: "PATCH", path, body: { anchor_text: "another text" } }, effects } as const
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
  "advancing in the sandbox": Effect.map(sandboxOrder(null, 10_000), ({ by, placed: { order_id } }) => ({
    ...{ by, path: `${SANDBOX}/orders/${order_id}/advance`, body: { to: "drafted" } },
    effects: (books: Books) => Math.max(...historyOf(books, order_id))
  }))
} satisfies Readonly<Record<string, Effect.Effect<Write, unknown, unknown>>>

/** Sends it under this idempotency key, to the instance at that address. */
const sending =
  ({ by, method, path, body }: Write, idempotencyKey: string) =>
  (url = "") =>
    call(method ?? "POST", `${url}${path}`, {
      key: by.key,
      headers: { "idempotency-key": idempotencyKey },
      ...(body === undefined ? {} : { body })
    })

export const boundCallsSuite = scenarios("calls under an idempotency key", {}, (it) => {
  for (const [name, prepare] of Object.entries(WRITES)) {
    it.effect(`${name}: three at once on every instance, and one later, are one effect and one answer`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const instances = yield* (yield* ServiceInstances).all
        const write: Write = yield* prepare
        const send = sending(write, freshKey())
        const answers = yield* concurrently(instances.flatMap(({ url }) => times(3, () => send(url))))
        const later = yield* send()
        for (const { status, text } of [...answers, later]) expect(status, text).toBeLessThan(300)
        expect(new Set([...answers, later].map(({ text }) => text)).size, later.text).toBe(1)
        expect(isReplay(later)).toBe(true)
        expect(write.effects(yield* books)).toBe(1)
        expectConsistent(yield* books)
      })
    )

    it.effect(`${name}: an answer that is lost after the commit; sent again, it is one effect, and then a replay`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { injectFaults } = yield* OrderBookFaults
        const write: Write = yield* prepare
        const send = sending(write, freshKey())
        yield* injectFaults("loses its answer")
        const lost = refusalIn(yield* send())
        expect(lost).toMatchObject({ code: "store_unavailable", status: 503, retryable: true })
        expect(write.effects(yield* books)).toBe(1)
        const found = yield* send()
        expect(found.status, found.text).toBeLessThan(300)
        const again = yield* send()
        expect([isReplay(found), isReplay(again), again.text]).toEqual([false, true, found.text])
        expect(write.effects(yield* books)).toBe(1)
        expectConsistent(yield* books)
      })
    )
  }

  it.effect("a secret is in replays for ten minutes, and a key is free after a day", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { advance } = yield* MovableClock
      const write: Write = yield* WRITES["adding a webhook"]
      const send = sending(write, freshKey())
      const first = JSON.parse((yield* send()).text)
      expect(first.secret).toMatch(/^whsec_/)
      yield* advance("9 minutes")
      expect(JSON.parse((yield* send()).text)).toEqual(first)
      yield* advance("1 minute")
      const late = yield* send()
      const { secret: _, ...shown } = first
      expect([isReplay(late), JSON.parse(late.text)]).toEqual([true, shown])
      yield* advance("24 hours")
      const next = yield* send()
      expect([next.status, isReplay(next), JSON.parse(next.text).id === first.id]).toEqual([201, false, false])
      expect(write.effects(yield* books)).toBe(2)
    })
  )

  it.effect("another body is refused; another credential, path or refused request is independent", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { by, path, body, effects }: Write = yield* WRITES["adding a webhook"]
      const key = freshKey()
      const send = (who: Pick<Buyer, "key">, sent: unknown, target = path) =>
        call("POST", target, { key: who.key, body: sent, headers: { "idempotency-key": key } })
      const refused = refusalIn(yield* send(by, { url: "ftp://hooks.example/", events: ["order.accepted"] }))
      expect(refused.code).toBe("webhook_url_refused")
      const first = yield* send(by, body)
      expect(first.status, first.text).toBe(201)
      const reused = refusalIn(yield* send(by, { ...(yield* receiver), events: ["order.cancelled"] }))
      expect(reused).toMatchObject({ code: "idempotency_key_reused", status: 422, param: "Idempotency-Key" })
      const sibling = yield* issueKey(by.accountId)
      const other = yield* send(sibling, body)
      expect([other.status, JSON.parse(other.text).id === JSON.parse(first.text).id]).toEqual([201, false])
      const rotated = yield* send(by, {}, `${WEBHOOKS}/${JSON.parse(first.text).id}/rotate-secret`)
      expect([rotated.status, isReplay(rotated)]).toEqual([200, false])
      expect(effects(yield* books)).toBe(1)
    })
  )
})
