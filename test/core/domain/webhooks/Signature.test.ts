// Webhook signatures, compared with node:crypto, which shares no code with the Web Crypto layers of the implementation.
import { createHash, createHmac, type Hmac } from "node:crypto"
import { Layer, ManagedRuntime } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { SigningKey, sign, signingKey } from "#core/domain/webhooks/Signature.ts"
import { asyncProperty } from "#test/Property.ts"

const runtime = ManagedRuntime.make(
  Layer.mergeAll(Digest.layerWebCrypto, Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto)))
)
afterAll(() => runtime.dispose())

// An independent signer, written from the documentation alone.
const nodeKey = (secret: string): string => createHash("sha256").update(secret, "utf8").digest("hex")
const hmac = (key: string | Uint8Array, ...parts: ReadonlyArray<string | Uint8Array>): string =>
  parts.reduce<Hmac>((mac, part) => mac.update(part), createHmac("sha256", key)).digest("hex")
const nodeTag = (secret: string, t: number, body: Uint8Array): string => hmac(nodeKey(secret), `${t}.`, body)

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const now = 1_800_000_000
const secret = "whsec_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
const oldSecret = "whsec_previous"
const body = bytes('{"id":"evt_1","type":"order.published"}')
const tag = nodeTag(secret, now, body)

const signWith = (
  [current, ...previous]: readonly [string, ...Array<string>],
  timestampSeconds: number,
  body: Uint8Array
): Promise<string> => {
  const keyOf = (secret: string) => SigningKey(nodeKey(secret))
  return runtime.runPromise(sign({ signingKeys: [keyOf(current), ...previous.map(keyOf)], timestampSeconds, body }))
}

describe("signingKey", () => {
  it("is the lowercase hex text of SHA-256 of the secret", async () => {
    expect(await runtime.runPromise(signingKey("abc"))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    expect(await runtime.runPromise(signingKey(secret))).toBe(nodeKey(secret))
    expect(await runtime.runPromise(signingKey("clé 🔑"))).toBe(nodeKey("clé 🔑"))
  })
})

describe("sign", () => {
  it("writes the header of a vector computed with openssl", async () => {
    const tag = "a3fdc34f26923b252b384ce70f32a377f38644e2a8d11acd2144303758f1e280"
    expect(await signWith(["whsec_test"], 1_700_000_000, bytes("{}"))).toBe(`t=1700000000,v1=${tag}`)
  })

  it.each([
    ["an empty body", ""],
    ["ASCII", '{"a":1}'],
    ["UTF-8", '{"ancre":"référencement à Besançon"}'],
    ["emoji", '{"anchor":"👩‍🚀 links 🚀"}'],
    ["line ends and a NUL byte", '{\r\n "a": "\u0000"\n}']
  ])("agrees with node:crypto on %s", async (_, text) => {
    expect(await signWith([secret], now, bytes(text))).toBe(`t=${now},v1=${nodeTag(secret, now, bytes(text))}`)
  })

  it("also signs with the previous key during a rotation, the newest first", async () => {
    expect(await signWith([secret, oldSecret], now, body)).toBe(
      `t=${now},v1=${tag},v1=${nodeTag(oldSecret, now, body)}`
    )
  })

  asyncProperty(
    "agrees with node:crypto on any bytes, time and secrets",
    [
      fc.uint8Array({ maxLength: 300 }),
      fc.nat({ max: 2 ** 40 }),
      fc.string({ unit: "grapheme" }),
      fc.array(fc.string({ unit: "grapheme" }), { maxLength: 1 })
    ],
    async (body, t, current, previous) => {
      const header = await signWith([current, ...previous], t, body)
      const secrets = [current, ...previous]
      expect(header).toBe([`t=${t}`, ...secrets.map((secret) => `v1=${nodeTag(secret, t, body)}`)].join(","))
    }
  )
})
