// The HMAC of deliveries is that of the Web Crypto API, for any key and data.
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { expect } from "vitest"
import * as SigningMac from "#adapters/outbound/SigningMac.ts"

const webCrypto = Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))

const tagBy = (layer: Layer.Layer<Mac.Mac>, key: Mac.Key, data: Uint8Array) =>
  Mac.Mac.use(({ sign }) => sign(key, data)).pipe(Effect.provide(layer))

describe("the HMAC of deliveries", () => {
  it.effect.prop("is that of the Web Crypto API", [Schema.Uint8Array, Schema.Uint8Array], ([bytes, data]) =>
    Effect.gen(function* () {
      const key = yield* Mac.key(Mac.hmacSha256, Uint8Array.of(1, ...bytes))
      expect([...(yield* tagBy(SigningMac.layer, key, data))]).toEqual([...(yield* tagBy(webCrypto, key, data))])
    })
  )
})
