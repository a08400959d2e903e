// What Subscriptions promises: a key's own active subscriptions, oldest first, with the keys that they sign with.
import { Effect } from "effect"
import { expect } from "vitest"
import { rotateSecret } from "#core/decisions/Deliveries.ts"
import { revokeKey } from "#core/decisions/Keys.ts"
import { ROTATION_OVERLAP_MS } from "#core/domain/Subscription.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { Subscriptions } from "#core/ports/Subscriptions.ts"
import { subscribeTo, unsubscribeFrom } from "./OrderSteps.ts"
import { actor, buyer, issueKeyTo } from "./ShopSetup.ts"
import { type StoreLayer, storeSuite } from "./StoreSuite.ts"

export const subscriptionsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Subscriptions of ${name}`, store, (it) => {
    // The first: no other test has subscribed anything yet.
    it.effect("finds an active one, whosever it is, and none where none is", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        expect(yield* subscriptions.anyActive).toBeNull()
        const [{ caller }, { caller: neighbour }] = [yield* buyer(), yield* buyer()]
        const [gone, kept] = [yield* subscribeTo(caller), yield* subscribeTo(neighbour)]
        expect([gone, kept]).toContainEqual(yield* subscriptions.anyActive)
        yield* unsubscribeFrom(caller, gone.webhookId)
        expect(yield* subscriptions.anyActive).toEqual(kept)
        yield* unsubscribeFrom(neighbour, kept.webhookId)
        expect(yield* subscriptions.anyActive).toBeNull()
      })
    )

    it.effect("lists what a key subscribed and has not revoked, oldest first, and no other key's", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        const { caller } = yield* buyer()
        const second = yield* issueKeyTo({ accountId: caller.accountId, mode: "sandbox" })
        const other = { ...caller, keyId: second.keyId, mode: second.mode }
        const first = yield* subscribeTo(caller)
        const foreign = yield* subscribeTo(other)
        const gone = yield* subscribeTo(caller)
        const last = yield* subscribeTo(caller)
        yield* unsubscribeFrom(caller, gone.webhookId)
        expect(yield* subscriptions.ofKey(caller.keyId)).toEqual([first, last])
        expect(yield* subscriptions.ofKey(other.keyId)).toEqual([foreign])
        expect(yield* subscriptions.ofKey("key_unknown")).toEqual([])
      })
    )

    it.effect("lists none of a revoked key, and leaves the other keys theirs", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        const book = yield* OrderBook
        const { caller } = yield* buyer()
        const { keyId } = caller
        const second = yield* issueKeyTo({ accountId: caller.accountId })
        const other = { ...caller, keyId: second.keyId }
        yield* subscribeTo(caller)
        const kept = yield* subscribeTo(other)
        yield* book.transact({ _tag: "ForKey", keyId }, revokeKey(keyId, actor))
        expect(yield* subscriptions.ofKey(keyId)).toEqual([])
        expect(yield* subscriptions.ofKey(other.keyId)).toEqual([kept])
      })
    )

    it.effect("keeps every key that a rotated secret was promised to be signed with", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        const book = yield* OrderBook
        const { caller } = yield* buyer()
        const { webhookId, sealedSigningKey } = yield* subscribeTo(caller)
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
