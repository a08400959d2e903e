// A delivery engine over an empty store in memory, under a clock that only a test moves, with whatever sends for it: a script, or
// the real sender. Time stands still while something is really sent; what came of it is waited for by its commit.

import { NodeCrypto } from "@effect/platform-node"
import { Clock, Context, Effect, Fiber, Layer, PubSub, Queue, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { renderTest } from "#adapters/contract/Events.ts"
import { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import { openAccount } from "#core/decisions/Accounts.ts"
import { find } from "#core/decisions/Books.ts"
import { testEndpoint } from "#core/decisions/Deliveries.ts"
import { issueKey } from "#core/decisions/Keys.ts"
import { subscribe } from "#core/decisions/Subscriptions.ts"
import { ALL_SCOPES, type Caller, callerOf, noLimits } from "#core/domain/ApiKey.ts"
import type { Delivery, Outcome } from "#core/domain/Delivery.ts"
import { signingKey } from "#core/domain/Signature.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { Deliveries } from "#core/ports/Deliveries.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { Vault } from "#core/ports/Vault.ts"
import { type Dispatch, WebhookSender } from "#core/ports/WebhookSender.ts"
import { DeliverEvents } from "#core/usecases/DeliverEvents.ts"
import { SignDelivery } from "#core/usecases/SignDelivery.ts"
import * as Given from "#test/core/Given.ts"

/** Seals nothing, and so answers at once: nothing but what is really sent takes time that no clock tells. */
export const plaintextVault = Layer.succeed(Vault, { seal: Effect.succeed, unseal: Effect.succeed })

const START_MS = Date.UTC(2027, 5, 1, 12)

const render = { ...Given.render, test: renderTest }

export class DelivererHarness extends Context.Service<
  DelivererHarness,
  {
    /** Starts another one over the same store, until the scope closes. */
    readonly start: Effect.Effect<void, never, Scope.Scope>
    /** The next delivery that was moved by an attempt, in the order of their commits. Each is told once. */
    readonly nextMove: Effect.Effect<Delivery>
    /** How often anything was claimed or found not to be there. */
    readonly claims: () => number
    readonly subscription: (webhookId: string) => Subscription | undefined
    readonly delivery: (deliveryId: string) => Delivery | undefined
  }
>()("backlinks/test/Engine") {}

/** The outbox, counting. */
class Claims extends Context.Service<Claims, { readonly count: () => number }>()("backlinks/test/Claims") {}

const counted = Layer.effectContext(
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    let count = 0
    const claim: typeof deliveries.claim = (query) =>
      Effect.suspend(() => {
        count++
        return deliveries.claim(query)
      })
    return Context.make(Claims, { count: () => count }).pipe(Context.add(Deliveries, { ...deliveries, claim }))
  })
)

/** It gives what is under way a second to finish; time is made to pass until it did. */
const stop = Effect.fnUntraced(function* (fiber: Fiber.Fiber<unknown, unknown>) {
  const stopping = yield* Effect.forkDetach(Fiber.interrupt(fiber))
  while (stopping.pollUnsafe() === undefined) yield* TestClock.adjust("1 second")
})

const engine = Layer.effect(
  DelivererHarness,
  Effect.gen(function* () {
    yield* TestClock.setTime(START_MS)
    const { current, commits } = yield* MemoryBooks
    const { run } = yield* DeliverEvents
    const { count: claims } = yield* Claims
    const heard = yield* PubSub.subscribe(commits)
    const moved: Array<Delivery> = []
    const nextMove: Effect.Effect<Delivery> = Effect.gen(function* () {
      while (moved.length === 0) {
        const { changes } = yield* PubSub.take(heard)
        for (const change of changes) if (change._tag === "DeliveryMoved") moved.push(change.delivery)
      }
      return moved.shift() ?? (yield* Effect.die("just seen"))
    })
    return {
      start: Effect.asVoid(Effect.acquireRelease(Effect.forkDetach(run, { startImmediately: true }), stop)),
      nextMove,
      claims,
      subscription: (webhookId) => find(current().subscriptions, webhookId),
      delivery: (deliveryId) => find(current().deliveries, deliveryId)
    }
  })
)

/** Everything but the sender. */
export const layer = <E>(sender: Layer.Layer<WebhookSender, E>) =>
  engine.pipe(
    Layer.provideMerge(DeliverEvents.layer.pipe(Layer.provide(SignDelivery.layer))),
    Layer.provideMerge(
      Layer.mergeAll(
        counted.pipe(Layer.provideMerge(MemoryStore.layer)),
        plaintextVault,
        NodeCrypto.layerMac,
        NodeCrypto.layerDigest,
        sender
      )
    )
  )

export interface Sent extends Dispatch {
  readonly atMs: number
}

export interface ScriptedSender {
  readonly layer: Layer.Layer<WebhookSender>
  /** Everything that was sent so far. */
  readonly sent: ReadonlyArray<Sent>
  /** The next that is begun to be sent, each once. */
  readonly next: Effect.Effect<Sent>
}

/** A sender that sends nothing: what comes of the `index`-th attempt is the script's to say. */
export const scriptedSender = (
  outcome: (sent: Sent, index: number) => Effect.Effect<Outcome> | Outcome
): ScriptedSender => {
  const sent: Array<Sent> = []
  const begun = Effect.runSync(Queue.unbounded<Sent>())
  const send = Effect.fnUntraced(function* (dispatch: Dispatch) {
    const one = { ...dispatch, atMs: yield* Clock.currentTimeMillis }
    const came = outcome(one, sent.push(one) - 1)
    yield* Queue.offer(begun, one)
    return Effect.isEffect(came) ? yield* came : came
  })
  return { layer: Layer.succeed(WebhookSender, { send }), sent, next: Queue.take(begun) }
}

/** A key of an account of its own. */
export const createCaller = Effect.gen(function* () {
  const book = yield* OrderBook
  const actor = "webhooks"
  const opened = openAccount({ name: "Ada", email: "ada@brand.example", actor })
  const { accountId } = yield* book.transact({ _tag: "ForAccount", accountId: "" }, opened)
  const key = { label: "webhooks", scopes: ALL_SCOPES, limits: noLimits, hash: accountId, lastFour: "wxyz", actor }
  const issued = issueKey({ ...key, accountId, mode: "live", prefix: "sn_live_" })
  return callerOf(yield* book.transact({ _tag: "ForAccount", accountId }, issued))
})

export interface OwnedEndpoint {
  readonly owner: Caller
  readonly webhookId: string
  readonly secret: string
}

export const createEndpoint = Effect.fnUntraced(function* (url: string) {
  const book = yield* OrderBook
  const { seal } = yield* Vault
  const owner = yield* createCaller
  const secret = `whsec_${owner.keyId}`
  const sealedSigningKey = yield* seal(yield* signingKey(secret))
  const wish = subscribe({ caller: owner, url, events: ["order.accepted"], sealedSigningKey })
  const { webhookId } = yield* book.transact({ _tag: "ForAccount", accountId: owner.accountId }, wish)
  return { owner, webhookId, secret } satisfies OwnedEndpoint
})

/** Queues a `webhook.test` there. */
export const queueTest = Effect.fnUntraced(function* ({ owner, webhookId }: OwnedEndpoint) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForSubscription", webhookId }, testEndpoint(webhookId, owner, render))
})
