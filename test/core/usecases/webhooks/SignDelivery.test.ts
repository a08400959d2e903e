// The headers of deliveries by the age of their secrets: each secret that has a key of Standard Webhooks signs with it, too.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { AccountId, DeliveryId, EventId, KeyId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { signingKey } from "#core/domain/webhooks/Signature.ts"
import { secretOf, standardKey } from "#core/domain/webhooks/StandardSignature.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { SignDelivery } from "#core/usecases/webhooks/SignDelivery.ts"
import { signaturesMadeWith, standardSignaturesMadeWith } from "#test/adapters/outbound/Receiver.ts"
import { HOUR_MS, subscription } from "#test/core/Given.ts"
import { plaintextVault } from "./DelivererHarness.ts"

const layer = SignDelivery.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(plaintextVault, NodeCrypto.layerMac, NodeCrypto.layerDigest))
)

const delivery: Delivery = {
  deliveryId: DeliveryId.make("dlv_1"),
  webhookId: WebhookId.make("wh_1"),
  accountId: AccountId.make("acc_1"),
  keyId: KeyId.make("key_1"),
  mode: "live",
  eventId: EventId.make("evt_1"),
  event: "order.accepted",
  body: '{"id":"evt_1"}',
  createdAtMs: 0,
  state: "pending",
  attempts: [],
  attemptsInRun: 0,
  nextAttemptAtMs: 0
}

/** A secret of its time, and what is stored of it. */
const secretWith = Effect.fnUntraced(function* (fill: number, { isOld = false } = {}) {
  const standard = standardKey(Buffer.alloc(32, fill))
  const secret = secretOf(standard)
  const sealedSigningKey = yield* signingKey(secret)
  return { secret, keys: isOld ? { sealedSigningKey } : { sealedSigningKey, sealedStandardKey: standard } }
})

/** The test clock is at 0. */
const sentWith = Effect.fnUntraced(function* (over: Partial<Subscription>) {
  const { headers, body } = yield* SignDelivery.use(({ signed }) =>
    signed({ delivery, subscription: subscription("wh_1", over) })
  )
  return { headers, body: Buffer.from(body) }
})

it.layer(layer)("a delivery", (it) => {
  it.effect("carries both signatures of a new secret, and the ids and time that they are made over", () =>
    Effect.gen(function* () {
      const { secret, keys } = yield* secretWith(1)
      const sent = yield* sentWith(keys)
      expect(sent.headers).toMatchObject({
        "service-event": "order.accepted",
        "service-delivery": "evt_1",
        "service-webhook": "wh_1",
        "webhook-id": "evt_1",
        "webhook-timestamp": "0"
      })
      expect(signaturesMadeWith(secret, sent)).toEqual([0])
      expect(standardSignaturesMadeWith(secret, sent)).toEqual([0])
    })
  )

  it.effect("has no signature of Standard Webhooks while its secret is older than they are", () =>
    Effect.gen(function* () {
      const { secret, keys } = yield* secretWith(2, { isOld: true })
      const sent = yield* sentWith(keys)
      expect(sent.headers).toMatchObject({ "webhook-id": "evt_1", "webhook-timestamp": "0" })
      expect(sent.headers).not.toHaveProperty("webhook-signature")
      expect(signaturesMadeWith(secret, sent)).toEqual([0])
    })
  )

  it.effect("is signed by each valid secret that can, while an old secret is still good", () =>
    Effect.gen(function* () {
      const [old, first, second] = [yield* secretWith(3, { isOld: true }), yield* secretWith(4), yield* secretWith(5)]
      const previousKeys = [first, old].map(({ keys }) => ({ ...keys, untilMs: HOUR_MS }))
      const sent = yield* sentWith({ ...second.keys, previousKeys })
      const made = [second, first, old].map(({ secret }) => [
        signaturesMadeWith(secret, sent),
        standardSignaturesMadeWith(secret, sent)
      ])
      expect(made).toEqual([
        [[0], [0]],
        [[1], [1]],
        [[2], []]
      ])
    })
  )

  it.effect("is not signed by a key that an older version left of the secret before", () =>
    Effect.gen(function* () {
      const [before, now] = [yield* secretWith(6), yield* secretWith(7, { isOld: true })]
      const sent = yield* sentWith({ ...before.keys, ...now.keys })
      expect(sent.headers).not.toHaveProperty("webhook-signature")
      expect(signaturesMadeWith(now.secret, sent)).toEqual([0])
    })
  )
})
