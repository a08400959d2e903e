// What every store promises of Subscriptions: a key's own active subscriptions, oldest first, with their signing keys.
import { Effect } from "effect"
import { expect } from "vitest"
import { rotateSecret } from "#core/decisions/Deliveries.ts"
import { revokeKey } from "#core/decisions/Keys.ts"
import { ROTATION_OVERLAP_MS } from "#core/domain/Subscription.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { Subscriptions } from "#core/ports/Subscriptions.ts"
import { addSubscription, revokeSubscription } from "./OrderSteps.ts"
import { actor, buyer, issueKeyTo } from "./ShopSetup.ts"
import { type StoreLayer, storeSuite } from "./StoreSuite.ts"

export const subscriptionsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Subscriptions of ${name}`, store, (it) => {
    // Must stay the first test: the others leave subscriptions behind.
    it.effect("finds any active subscription, and none where there is none", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        expect(yield* subscriptions.anyActive).toBeNull()
        const [{ caller }, { caller: neighbour }] = [yield* buyer(), yield* buyer()]
        const [gone, kept] = [yield* addSubscription(caller), yield* addSubscription(neighbour)]
        expect([gone, kept]).toContainEqual(yield* subscriptions.anyActive)
        yield* revokeSubscription(caller, gone.webhookId)
        expect(yield* subscriptions.anyActive).toEqual(kept)
        yield* revokeSubscription(neighbour, kept.webhookId)
        expect(yield* subscriptions.anyActive).toBeNull()
      })
    )

    it.effect("lists a key's own subscriptions that are not revoked, oldest first", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        const { caller } = yield* buyer()
        const second = yield* issueKeyTo({ accountId: caller.accountId, mode: "sandbox" })
        const other = { ...caller, keyId: second.keyId, mode: second.mode }
        const first = yield* addSubscription(caller)
        const foreign = yield* addSubscription(other)
        const gone = yield* addSubscription(caller)
        const last = yield* addSubscription(caller)
        yield* revokeSubscription(caller, gone.webhookId)
        expect(yield* subscriptions.ofKey(caller.keyId)).toEqual([first, last])
        expect(yield* subscriptions.ofKey(other.keyId)).toEqual([foreign])
        expect(yield* subscriptions.ofKey("key_unknown")).toEqual([])
      })
    )

    it.effect("lists none of a revoked key, and all of the other keys", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        const book = yield* OrderBook
        const { caller } = yield* buyer()
        const { keyId } = caller
        const second = yield* issueKeyTo({ accountId: caller.accountId })
        const other = { ...caller, keyId: second.keyId }
        yield* addSubscription(caller)
        const kept = yield* addSubscription(other)
        yield* book.transact({ _tag: "ForKey", keyId }, revokeKey(keyId, actor))
        expect(yield* subscriptions.ofKey(keyId)).toEqual([])
        expect(yield* subscriptions.ofKey(other.keyId)).toEqual([kept])
      })
    )

    it.effect("keeps every signing key that a rotation promised to use", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        const book = yield* OrderBook
        const { caller } = yield* buyer()
        const { webhookId, sealedSigningKey } = yield* addSubscription(caller)
        const rotate = (key: string) =>
          book.transact({ _tag: "ForSubscription", webhookId }, rotateSecret(webhookId, key, caller))
        const first = yield* rotate("second")
        const second = yield* rotate("third")
        const [kept] = yield* subscriptions.ofKey(caller.keyId)
        expect(kept).toMatchObject({
          sealedSigningKey: "third",
          previousKeys: [
            { sealedSigningKey: "second", untilMs: second.previousValidUntilMs },
            { sealedSigningKey, untilMs: first.previousValidUntilMs }
          ]
        })
        expect(first.previousValidUntilMs).toBeGreaterThanOrEqual((kept?.createdAtMs ?? 0) + ROTATION_OVERLAP_MS)
      })
    )
  })
