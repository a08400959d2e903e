// The bench attached to a running service with an open operator plane: it shows what agents do, executes commands, reconnects after
// a restart, and says why it cannot join.

import { randomUUID } from "node:crypto"
import { it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { HttpServer } from "effect/http"
import { expect } from "vitest"
import type { Ports } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import { settings } from "#adapters/config/Settings.ts"
import { freePort } from "#adapters/postgres/embedded/Postmaster.ts"
import { openAttachedBench } from "#bench/attached/AttachedBench.ts"
import type { Command } from "#bench/events/Command.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { customer, operatorClient, operatorService, siteRow, TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { receiver } from "#test/adapters/outbound/Receiver.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { connectTo } from "#test/scenarios/ConnectionSteps.ts"
import { call, placedBy, postOrder, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { RunningService, serverAddress } from "#test/scenarios/RunningService.ts"
import { watchModel } from "./ModelWatch.ts"

/** A service that the test can stop. */
const openService = Effect.fnUntraced(function* (env: Readonly<Record<string, string>> = {}) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const context = yield* Layer.buildWithScope(Layer.fresh(operatorService(env)), scope)
  const inside = Effect.provide(context)
  return { inside, shop: yield* inside(RunningService), stop: Scope.close(scope, Exit.void) }
})

/** A port that stays free for the service while it restarts. */
const stablePort = Effect.map(Effect.promise(freePort), String)

/** A service over given ports, so that it keeps its books when it restarts. */
const openWithPorts = Effect.fnUntraced(function* (ports: Context.Context<Ports>, port: string) {
  const env = { PORT: port, DEMO: "off", OPERATOR_TOKEN: TOKEN }
  const config = yield* settings.parse(ConfigProvider.fromUnknown(env))
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const service = Layer.fresh(Service.layerWithPorts(config, () => Layer.succeedContext(ports)))
  const context = yield* Layer.buildWithScope(service, scope)
  const { url } = yield* Effect.provide(serverAddress, context)
  return { url, stop: Scope.close(scope, Exit.void) }
})

const attach = Effect.fnUntraced(function* (url: string) {
  const bench = yield* openAttachedBench({ url, token: Redacted.make(TOKEN) })
  const { model, until } = watchModel(bench)
  const send = (command: Command) => Effect.promise(() => bench.send(command))
  return { bench, model, until, send }
})

/** Nothing says when the bench has begun to watch, so the operator acts until the bench shows it. */
const keepOpeningAccounts = (name: string) =>
  Effect.flatMap(operatorClient(name), (operator) =>
    Effect.forever(Effect.suspend(() => operator.openAccount({ name, email: `${randomUUID()}@brand.example` })))
  )

/** An order for one link over REST, from an account with that credit, and with a webhook of its key and one of a connection. */
const placeOrder = Effect.fnUntraced(function* (creditCents: number) {
  const operator = yield* operatorClient("olga")
  const site = yield* siteRow({ shelf: "Corail" })
  yield* operator.listGoods({ sites: [site] })
  const { key, accountId } = yield* customer(operator, creditCents)
  for (const credential of [key, (yield* connectTo(accountId)).key]) {
    const { url } = yield* receiver()
    yield* call("POST", WEBHOOKS, { key: credential, body: { url, events: ["order.accepted"] } })
  }
  const placed = placedBy(yield* postOrder(key, cart([item(site.siteId)])))
  return { accountId, quoteId: placed.quote_id ?? QuoteId.make(""), domain: site.domain }
})

it.live("shows what agents do, and acts as the operator", () =>
  Effect.gen(function* () {
    const { inside, shop } = yield* openService()
    const { bench, model, until, send } = yield* attach(shop.url)
    const hasActor = (id: string) => until(({ actors }) => actors.rows.some(({ actorId }) => actorId === id))
    yield* inside(Effect.raceFirst(hasActor("busy"), keepOpeningAccounts("busy")))

    const { quoteId, accountId, domain } = yield* inside(placeOrder(500))
    const row = until(({ orders }) => orders.rows.find((one) => one.quoteId === quoteId))
    expect(yield* row).toMatchObject({ status: "awaiting_payment", totalCents: 1_500, price: { creditCents: 500 } })
    expect(yield* send({ _tag: "Pay", quoteId })).toMatchObject({ ok: true })
    const paid = yield* until(({ orders }) => orders.rows.find(({ links }) => links.length > 0))
    expect(paid.links).toMatchObject([{ domain, status: "to_assign" }])

    const { orderId } = paid
    expect(yield* send({ _tag: "Publish", orderId })).toMatchObject({ ok: true })
    yield* until(({ orders }) => orders.rows.some(({ links }) => links[0]?.status === "published"))
    expect(yield* send({ _tag: "TopUp", accountId })).toMatchObject({ ok: true })
    const wallet = yield* until(({ wallets }) => wallets.find(({ balanceCents }) => balanceCents === 5_000))
    expect(wallet.ledger.map(({ kind }) => kind)).toEqual(["top_up", "hold", "capture", "top_up"])

    yield* until(({ webhooks }) => webhooks.deliveries.some(({ state }) => state === "delivered"))
    yield* until(({ webhooks }) => webhooks.endpoints.length === 2)
    expect(yield* send({ _tag: "SwitchFulfilment", to: "manual" })).toMatchObject({ ok: true })
    yield* until(({ run }) => run.fulfilment === "manual")
    yield* hasActor(accountId)
    expect(bench.unavailable).toHaveProperty("SetReceiver")
    expect(yield* send({ _tag: "SetReceiver", works: false })).toMatchObject({ ok: false })
    expect(model().orders.counts).toMatchObject({ opened: 1, placed: 1, published: 1 })
  }).pipe(Effect.scoped)
)

it.live("reconnects after a restart, and shows orders that were placed before it attached", () =>
  Effect.gen(function* () {
    const port = yield* stablePort
    const first = yield* openService({ PORT: port })
    const { inside } = first
    const before = yield* inside(placeOrder(2_000))
    const { until } = yield* attach(first.shop.url)
    const isPlaced = (text: string) => text === "order placed: 1 link"
    yield* until(({ orders }) =>
      orders.rows.find(
        ({ quoteId, timeline }) => quoteId === before.quoteId && timeline.some(({ text }) => isPlaced(text))
      )
    )

    yield* first.stop
    yield* until(({ run }) => run.lost !== null)
    const again = yield* openService({ PORT: port })
    yield* until(({ run, orders }) => run.lost === null && orders.rows.length === 0)
    const { quoteId } = yield* again.inside(
      Effect.raceFirst(
        Effect.flatMap(placeOrder(2_000), (bought) =>
          Effect.as(
            until(({ orders }) => orders.rows.length > 0),
            bought
          )
        ),
        keepOpeningAccounts("busy")
      )
    )
    yield* until(({ orders }) => orders.rows.some((one) => one.quoteId === quoteId))
  }).pipe(Effect.scoped)
)

it.live("continues after a restart with the same books, and publishes nothing twice", () =>
  Effect.gen(function* () {
    const books = yield* openService()
    const beside = yield* books.inside(Effect.context<Ports | HttpServer.HttpServer>())
    const ports = Context.omit(HttpServer.HttpServer)(beside)
    const port = yield* stablePort
    const first = yield* openWithPorts(ports, port)
    const before = yield* books.inside(placeOrder(2_000))
    const { bench, model, until } = yield* attach(first.url)
    const published: Array<string> = []
    bench.subscribe((event) => {
      if (event._tag === "OrderPlaced" || event._tag === "WalletMoved") published.push(JSON.stringify(event))
    })
    const placed = (quoteId: string) =>
      until(({ orders }) => orders.rows.some((row) => row.quoteId === quoteId && row.links.length > 0))
    yield* placed(before.quoteId)

    yield* first.stop
    yield* until(({ run }) => run.lost !== null)
    const meanwhile = yield* books.inside(placeOrder(2_000))
    yield* openWithPorts(ports, port)
    yield* until(({ run }) => run.lost === null)
    yield* placed(meanwhile.quoteId)
    yield* until(
      ({ wallets }) => wallets.find(({ accountId }) => accountId === meanwhile.accountId)?.ledger.length === 2
    )
    expect(new Set(published).size).toBe(published.length)
    expect(model().orders.counts).toMatchObject({ opened: 2, placed: 2 })
    expect(model().orders.rows.map(({ quoteId }) => quoteId)).toEqual([before.quoteId, meanwhile.quoteId])
  }).pipe(Effect.scoped)
)

it.live("says why it cannot join", () =>
  Effect.gen(function* () {
    const { shop, stop } = yield* openService()
    const reasonAt = (url: string, token = TOKEN) =>
      Effect.map(Effect.flip(openAttachedBench({ url, token: Redacted.make(token) })), ({ reason }) => reason)
    const wrong = yield* reasonAt(shop.url, "another-token-0123456789")
    expect(wrong).toContain("invalid_operator_token")
    expect(wrong).toContain("--token-file")
    expect(wrong).not.toContain("another-token")
    yield* stop
    expect(yield* reasonAt(shop.url)).toContain("service_unreachable")
    const closed = yield* openService({ OPERATOR_TOKEN: "" })
    expect(yield* reasonAt(closed.shop.url)).toContain("operator plane is off")
  }).pipe(Effect.scoped)
)
