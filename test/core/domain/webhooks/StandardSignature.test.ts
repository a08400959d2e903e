// Signatures of Standard Webhooks, compared with node:crypto and with the library that receivers use.
import { createHmac } from "node:crypto"
import { Layer, ManagedRuntime } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { afterAll, describe, expect, it } from "vitest"
import { EventId } from "#core/domain/shared/Ids.ts"
import { type StandardKey, secretOf, signStandard, standardKey } from "#core/domain/webhooks/StandardSignature.ts"
import { asyncProperty } from "#test/Property.ts"

const runtime = ManagedRuntime.make(Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto)))
afterAll(() => runtime.dispose())

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const signWith = (
  [newest, ...older]: readonly [StandardKey, ...ReadonlyArray<StandardKey>],
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string }
) =>
  runtime.runPromise(
    signStandard({ keys: [newest, ...older], eventId: EventId.make(id), timestampSeconds: seconds, body: bytes(body) })
  )

const randomBytes = fc.uint8Array({ minLength: 24, maxLength: 64 })

describe("the signature of Standard Webhooks", () => {
  it("is that of the vector in the specification's libraries", async () => {
    const key = standardKey(Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64"))
    expect(secretOf(key)).toBe("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    const signed = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: '{"test": 2432232314}' }
    expect(await signWith([key], signed)).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  })

  asyncProperty(
    "agrees with node:crypto on any bytes, times, ids and keys, one for each, the newest first",
    [fc.array(randomBytes, { minLength: 1, maxLength: 5 }), fc.nat({ max: 2 ** 40 }), fc.string({ unit: "grapheme" })],
    async ([newest = new Uint8Array(), ...older], seconds, body) => {
      const id = "evt_1"
      const header = await signWith([standardKey(newest), ...older.map(standardKey)], { id, seconds, body })
      const tags = [newest, ...older].map((key) =>
        createHmac("sha256", key).update(`${id}.${seconds}.`).update(bytes(body)).digest("base64")
      )
      expect(header).toBe(tags.map((tag) => `v1,${tag}`).join(" "))
    }
  )

  asyncProperty(
    "is accepted by the library with the secret as its owner has it, and with no other secret",
    [randomBytes, randomBytes, fc.json()],
    async (own, other, body) => {
      fc.pre(Buffer.compare(own, other) !== 0)
      const seconds = Math.floor(Date.now() / 1_000)
      const signature = await signWith([standardKey(own)], { id: "evt_1", seconds, body })
      const headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": String(seconds),
        "webhook-signature": signature
      }
      expect(new Webhook(secretOf(standardKey(own))).verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => new Webhook(secretOf(standardKey(other))).verify(body, headers)).toThrow()
    }
  )
})
