// What every store promises of Subscriptions: a key's own active subscriptions, oldest first, with their signing keys.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { expect } from "vitest"
import { layer as vaultLayer } from "#adapters/outbound/Vault.ts"
import { revokeKey } from "#core/decisions/access/Keys.ts"
import { rotateSecret, rotateSeenSecret } from "#core/decisions/webhooks/SigningKeys.ts"
import { KeyId, WebhookId } from "#core/domain/shared/Ids.ts"
import {
  MAX_PREVIOUS_KEYS,
  ROTATION_OVERLAP_MS,
  type SealedKeys,
  sealedTexts
} from "#core/domain/webhooks/Subscription.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { TargetProbe } from "#core/ports/webhooks/TargetProbe.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"
import { NoteRefusals } from "#core/usecases/shared/NoteRefusals.ts"
import { ManageWebhooks } from "#core/usecases/webhooks/ManageWebhooks.ts"
import { ResealSigningKeys } from "#core/usecases/webhooks/ResealSigningKeys.ts"
import { givenService } from "#test/core/usecases/GivenService.ts"
import { addSubscription, nextWebhookId, revokeSubscription } from "../ordering/OrderSteps.ts"
import { actor, buyer, issueKeyTo } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite } from "../StoreSuite.ts"

const encryptionKey = (fill: number) => Redacted.make(Buffer.alloc(32, fill).toString("base64"))

/** The use case over the store, with a target for whatever address. */
const managing = ManageWebhooks.layer.pipe(
  Layer.provide(NoteRefusals.layer),
  Layer.provide(Layer.merge(vaultLayer({ key: encryptionKey(1) }), givenService)),
  Layer.provide(Layer.succeed(TargetProbe, { check: () => Effect.void })),
  Layer.provide(Layer.merge(NodeCrypto.layerDigest, SecureRandom.layerWebCrypto)),
  Layer.fresh
)

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
        expect(yield* subscriptions.ofKey(KeyId.make("key_unknown"))).toEqual([])
      })
    )

    it.effect("pages through the active subscriptions of all keys by id", () =>
      Effect.gen(function* () {
        const subscriptions = yield* Subscriptions
        const [{ caller }, { caller: neighbour }] = [yield* buyer(), yield* buyer()]
        const before = yield* addSubscription(caller)
        const first = yield* addSubscription(neighbour)
        const gone = yield* addSubscription(caller)
        yield* revokeSubscription(caller, gone.webhookId)
        const second = yield* addSubscription(caller)
        const third = yield* addSubscription(neighbour)
        const after = (webhookId: WebhookId, limit: number) => subscriptions.activeAfter({ after: webhookId, limit })
        expect(yield* after(before.webhookId, 2)).toEqual([first, second])
        expect(yield* after(before.webhookId, 3)).toEqual([first, second, third])
        expect(yield* after(third.webhookId, 3)).toEqual([])
        expect((yield* subscriptions.activeAfter({ after: null, limit: 1_000 })).slice(-3)).toEqual([
          first,
          second,
          third
        ])
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
        const rotate = (keys: SealedKeys) =>
          book.transact({ _tag: "ForSubscription", webhookId }, rotateSecret(webhookId, keys, caller))
        const first = yield* rotate({ sealedSigningKey: "second", sealedStandardKey: "standard" })
        const second = yield* rotate({ sealedSigningKey: "third", sealedStandardKey: "other" })
        const [kept] = yield* subscriptions.ofKey(caller.keyId)
        expect(kept).toMatchObject({
          sealedSigningKey: "third",
          sealedStandardKey: "other",
          previousKeys: [
            { sealedSigningKey: "second", sealedStandardKey: "standard", untilMs: second.previousValidUntilMs },
            { sealedSigningKey, untilMs: first.previousValidUntilMs }
          ]
        })
        expect(first.previousValidUntilMs).toBeGreaterThanOrEqual((kept?.createdAtMs ?? 0) + ROTATION_OVERLAP_MS)
        // Four earlier keys are good, which is the most there may be: the first of them is not cut short.
        for (const nth of [4, 5]) yield* rotate({ sealedSigningKey: `signing ${nth}`, sealedStandardKey: "another" })
        expect(
          yield* Effect.flip(rotate({ sealedSigningKey: "signing 6", sealedStandardKey: "another" }))
        ).toMatchObject({
          _tag: "SecretRotationLimitReached",
          resetsAtMs: first.previousValidUntilMs
        })
        const [present] = yield* subscriptions.ofKey(caller.keyId)
        expect(present).toMatchObject({ sealedSigningKey: "signing 5", previousKeys: { length: MAX_PREVIOUS_KEYS } })
      })
    )
  })

export const subscriptionRacesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Races for signing keys of ${name}`, store, (it) => {
    it.effect(
      "seals signing keys again under a new encryption key, however many do so while the secret is rotated",
      () =>
        Effect.gen(function* () {
          const subscriptions = yield* Subscriptions
          const book = yield* OrderBook
          const { caller } = yield* buyer()
          const [earlier, present] = [encryptionKey(1), encryptionKey(2)]
          const webhookId = nextWebhookId()
          const seal = (plain: string) =>
            Effect.provide(
              Vault.use((vault) => vault.seal(plain, webhookId)),
              vaultLayer({ key: earlier })
            )
          yield* addSubscription(caller, {
            webhookId: WebhookId.make(webhookId),
            keys: { sealedSigningKey: yield* seal("first") }
          })
          const later = { sealedSigningKey: yield* seal("second"), sealedStandardKey: yield* seal("standard") }
          const reads = { _tag: "ForSubscription" as const, webhookId: WebhookId.make(webhookId) }
          const pass = ResealSigningKeys.use((reseal) => reseal.pass()).pipe(
            Effect.provide(
              ResealSigningKeys.layer.pipe(Layer.provide(vaultLayer({ key: present, previous: earlier })), Layer.fresh)
            )
          )
          const rotate = book.transact(reads, rotateSecret(WebhookId.make(webhookId), later, caller))
          yield* Effect.all([pass, pass, rotate, pass, pass], { concurrency: "unbounded", discard: true })
          yield* pass
          expect((yield* pass).resealed).toBe(0)
          const [kept] = yield* subscriptions.ofKey(caller.keyId)
          if (kept === undefined) throw new Error("the webhook is gone")
          const sealed = sealedTexts([kept, ...kept.previousKeys])
          const opened = Effect.forEach(sealed, (one) => Vault.use((vault) => vault.unseal(one, webhookId)))
          expect(yield* Effect.provide(opened, vaultLayer({ key: present }))).toEqual(["second", "standard", "first"])
        })
    )

    it.effect("rotates once to a key that several rotate to at the same time, each with its text", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { caller } = yield* buyer()
        const { webhookId, sealedSigningKey } = yield* addSubscription(caller)
        const rotate = (nth: number, place = -1, seen = sealedSigningKey) => {
          const keys = { sealedSigningKey: `text ${nth}`, sealedStandardKey: `standard ${nth}` }
          const decide = rotateSeenSecret(webhookId, { sealedSigningKey: seen, place }, keys, caller)
          return book.transact({ _tag: "ForSubscription", webhookId }, decide)
        }
        const replies = yield* concurrently([1, 2, 3, 4, 5, 6].map((nth) => rotate(nth)))
        const [rotation, ...others] = replies.filter((reply) => reply !== null)
        expect([rotation !== undefined, others]).toEqual([true, []])
        const [kept] = yield* (yield* Subscriptions).ofKey(caller.keyId)
        expect(kept?.previousKeys).toMatchObject([{ sealedSigningKey, untilMs: rotation?.previousValidUntilMs }])
        // The others look again, and see that it is there.
        expect(yield* rotate(7, 0, kept?.sealedSigningKey)).toEqual(rotation)
        expect(yield* (yield* Subscriptions).ofKey(caller.keyId)).toEqual([kept])
      })
    )

    it.effect("rotates no second time to a key that another one has followed", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const { webhookId } = yield* addSubscription(caller)
        const { rotateSecret: rotate } = yield* ManageWebhooks
        const bytes = (fill: number) => new Uint8Array(32).fill(fill)
        const first = yield* rotate(caller, webhookId, bytes(1))
        const second = yield* rotate(caller, webhookId, bytes(2))
        const [kept] = yield* (yield* Subscriptions).ofKey(caller.keyId)
        expect(kept?.previousKeys).toHaveLength(2)
        const again = yield* concurrently([1, 2, 1, 2].map((fill) => rotate(caller, webhookId, bytes(fill))))
        expect(again.map((one) => one.previousValidUntilMs)).toEqual(
          [first, second, first, second].map((one) => one.previousValidUntilMs)
        )
        expect(yield* (yield* Subscriptions).ofKey(caller.keyId)).toEqual([kept])
      }).pipe(Effect.provide(managing))
    )
  })
