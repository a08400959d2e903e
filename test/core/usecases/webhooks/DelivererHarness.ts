// The deliverer over an empty store in memory, with a test clock and a scripted or the real sender. Time stands still while the
// real sender works; tests wait for the commit that records the attempt.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Clock, Context, Effect, Fiber, Layer, PubSub, Queue, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import { find } from "#core/decisions/Books.ts"
import { DeliveryId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { Delivery, Outcome } from "#core/domain/webhooks/Delivery.ts"
import { signingKey } from "#core/domain/webhooks/Signature.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"
import { type Dispatch, WebhookSender } from "#core/ports/webhooks/WebhookSender.ts"
import { DeliverEvents } from "#core/usecases/webhooks/DeliverEvents.ts"
import { SignDelivery } from "#core/usecases/webhooks/SignDelivery.ts"
import { addSubscription, nextWebhookId } from "#test/core/ports/ordering/OrderSteps.ts"
import { buyer } from "#test/core/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import type { OwnedSubscription } from "#test/core/ports/webhooks/DeliverySteps.ts"

/** Stores plain text, so that it needs no real time, which the test clock cannot move. */
export const plaintextVault = Layer.succeed(Vault, {
  seal: (plain) => Effect.succeed(plain),
  unseal: (sealed) => Effect.succeed(sealed),
  open: (sealed) => Effect.succeed(sealed),
  isCurrent: () => true
})

const START_MS = Date.UTC(2027, 5, 1, 12)

export class DelivererHarness extends Context.Service<
  DelivererHarness,
  {
    /** Starts a deliverer over the store, until the scope closes. */
    readonly start: Effect.Effect<void, never, Scope.Scope>
    /** The next delivery that an attempt updated, in the order of commits; each is returned once. */
    readonly nextMove: Effect.Effect<Delivery>
    /** The number of claims so far, empty ones included. */
    readonly claims: () => number
    readonly subscription: (webhookId: string) => Subscription | undefined
    readonly delivery: (deliveryId: string) => Delivery | undefined
  }
>()("backlinks/test/DelivererHarness") {}

/** The outbox with a counter of its claims. */
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

/** The deliverer waits up to a second for attempts in flight; the clock advances until it has stopped. */
const stop = Effect.fnUntraced(function* (fiber: Fiber.Fiber<unknown, unknown>) {
  const stopping = yield* Effect.forkDetach(Fiber.interrupt(fiber))
  while (stopping.pollUnsafe() === undefined) yield* TestClock.adjust("1 second")
})

const harness = Layer.effect(
  DelivererHarness,
  Effect.gen(function* () {
    yield* TestClock.setTime(START_MS)
    const { current, commits } = yield* MemoryBooks
    const { run } = yield* DeliverEvents
    const { count: claims } = yield* Claims
    const subscription = yield* PubSub.subscribe(commits)
    const moved: Array<Delivery> = []
    const nextMove: Effect.Effect<Delivery> = Effect.gen(function* () {
      while (moved.length === 0) {
        const { changes } = yield* PubSub.take(subscription)
        for (const change of changes) if (change._tag === "DeliveryMoved") moved.push(change.delivery)
      }
      return moved.shift() ?? (yield* Effect.die("no delivery moved"))
    })
    return {
      start: Effect.asVoid(Effect.acquireRelease(Effect.forkDetach(run, { startImmediately: true }), stop)),
      nextMove,
      claims,
      subscription: (webhookId) => find(current().subscriptions, WebhookId.make(webhookId)),
      delivery: (deliveryId) => find(current().deliveries, DeliveryId.make(deliveryId))
    }
  })
)

/** The harness with this sender. */
export const layer = <E>(sender: Layer.Layer<WebhookSender, E>) =>
  harness.pipe(
    Layer.provideMerge(DeliverEvents.layer.pipe(Layer.provide(SignDelivery.layer))),
    Layer.provideMerge(
      Layer.mergeAll(
        counted.pipe(Layer.provideMerge(MemoryStore.layer)),
        UniqueNumbers.layer,
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
  /** Everything sent so far. */
  readonly sent: ReadonlyArray<Sent>
  /** The next dispatch that begins, each once. */
  readonly next: Effect.Effect<Sent>
}

/** A sender without network: `outcome` decides the outcome of the `index`-th attempt. */
export const scriptedSender = (
  outcome: (sent: Sent, index: number) => Effect.Effect<Outcome> | Outcome
): ScriptedSender => {
  const sent: Array<Sent> = []
  const begun = Effect.runSync(Queue.unbounded<Sent>())
  const send = Effect.fnUntraced(function* (dispatch: Dispatch) {
    const one = { ...dispatch, atMs: yield* Clock.currentTimeMillis }
    const result = outcome(one, sent.push(one) - 1)
    yield* Queue.offer(begun, one)
    return Effect.isEffect(result) ? yield* result : result
  })
  return { layer: Layer.succeed(WebhookSender, { send }), sent, next: Queue.take(begun) }
}

export interface OwnedEndpoint extends OwnedSubscription {
  readonly secret: string
}

/** An endpoint with its own key and account. */
export const createEndpoint = Effect.fnUntraced(function* (url: string) {
  const { seal } = yield* Vault
  const { caller } = yield* buyer()
  const secret = `whsec_${caller.keyId}`
  const webhookId = nextWebhookId()
  const keys = { sealedSigningKey: yield* seal(yield* signingKey(secret), webhookId) }
  yield* addSubscription(caller, { webhookId: WebhookId.make(webhookId), url, keys })
  return { caller, webhookId: WebhookId.make(webhookId), secret } satisfies OwnedEndpoint
})
