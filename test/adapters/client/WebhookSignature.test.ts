// The client's check of webhook signatures: deliveries signed by node:crypto from the documentation alone, and by the service's signer.
import { createHash, createHmac, type Hmac } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  readDelivery,
  SignatureError,
  type SignatureFault,
  type Verdict,
  verifySignature
} from "#adapters/client/WebhookSignature.ts"
import { DEFAULT_TOLERANCE_SECONDS, sign, signingKey } from "#core/domain/webhooks/Signature.ts"
import { asyncProperty } from "#test/Property.ts"

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

const accepted: Verdict = { _tag: "Accepted" }
const refused = (reason: SignatureFault): Verdict => ({ _tag: "Refused", reason })

const check = (delivery: Partial<Parameters<typeof verifySignature>[0]>): Promise<Verdict> =>
  verifySignature({ header: `t=${now},v1=${tag}`, body, secret, nowSeconds: now, ...delivery })

/** What the service sends. */
const signWith = (secrets: readonly [string, ...Array<string>], timestampSeconds: number, body: Uint8Array) =>
  Effect.all([signingKey(secrets[0]), ...secrets.slice(1).map((one) => signingKey(one))]).pipe(
    Effect.flatMap((signingKeys) => sign({ signingKeys, timestampSeconds, body })),
    Effect.provide([NodeCrypto.layerDigest, NodeCrypto.layerMac]),
    Effect.runPromise
  )

describe("verifySignature", () => {
  const rawHash = createHash("sha256").update(secret).digest()

  it("accepts what node:crypto signed", async () => {
    expect(await check({})).toEqual(accepted)
  })

  it("takes the text of a body for its bytes", async () => {
    const text = '{"ancre":"référencement 🔑"}'
    const header = `t=${now},v1=${nodeTag(secret, now, bytes(text))}`
    expect(await check({ header, body: text })).toEqual(accepted)
    expect(await check({ header, body: `${text} ` })).toEqual(refused("mismatch"))
  })

  it("takes the process's clock where none is given", async () => {
    const t = Math.floor(Date.now() / 1_000)
    const header = `t=${t},v1=${nodeTag(secret, t, body)}`
    expect(await verifySignature({ header, body, secret })).toEqual(accepted)
    expect(await verifySignature({ header: `t=${now},v1=${tag}`, body, secret })).toMatchObject({ _tag: "Refused" })
  })

  it.each(["", '{"ancre":"référencement"}', '{"anchor":"👩‍🚀"}'])("accepts the body %j", async (text) => {
    const header = `t=${now},v1=${nodeTag(secret, now, bytes(text))}`
    expect(await check({ header, body: bytes(text) })).toEqual(accepted)
  })

  it.each([
    [accepted, [0, 1, 299, 300, -1, -299, -300]],
    [refused("too_old"), [300.001, 301, 86_400]],
    [refused("too_new"), [-301, -302, -86_400]]
  ])("answers %j to deliveries %j seconds old", async (verdict, ages) => {
    expect(DEFAULT_TOLERANCE_SECONDS).toBe(300)
    for (const age of ages) expect(await check({ nowSeconds: now + age })).toEqual(verdict)
  })

  it("applies the tolerance of the receiver", async () => {
    expect(await check({ nowSeconds: now + 10, toleranceSeconds: 10 })).toEqual(accepted)
    expect(await check({ nowSeconds: now + 11, toleranceSeconds: 10 })).toEqual(refused("too_old"))
    expect(await check({ nowSeconds: now - 11, toleranceSeconds: 10 })).toEqual(refused("too_new"))
    expect(await check({ nowSeconds: now, toleranceSeconds: 0 })).toEqual(accepted)
  })

  it("refuses if clock or tolerance is NaN", async () => {
    expect(await check({ nowSeconds: Number.NaN })).toEqual(refused("too_old"))
    expect(await check({ toleranceSeconds: Number.NaN })).toEqual(refused("too_old"))
  })

  it.each([
    ["one byte of the body changed", { body: bytes('{"id":"evt_2","type":"order.published"}') }],
    ["a byte added", { body: bytes('{"id":"evt_1","type":"order.published"} ') }],
    ["the body parsed and written again", { body: bytes('{ "id": "evt_1", "type": "order.published" }') }],
    ["the time changed", { header: `t=${now + 1},v1=${tag}` }],
    ["another secret", { secret: `${secret}x` }],
    ["the hash given for the secret", { secret: nodeKey(secret) }],
    ["a signature keyed with the secret itself", { header: `t=${now},v1=${hmac(secret, `${now}.`, body)}` }],
    ["a signature keyed with the hash as bytes", { header: `t=${now},v1=${hmac(rawHash, `${now}.`, body)}` }],
    ["a signature over the body alone", { header: `t=${now},v1=${hmac(nodeKey(secret), body)}` }],
    ["an all-zero signature", { header: `t=${now},v1=${"0".repeat(64)}` }]
  ])("refuses %s as a mismatch", async (_, delivery) => {
    expect(await check(delivery)).toEqual(refused("mismatch"))
  })

  it.each([
    ["the other secret's signature second", `t=${now},v1=${tag},v1=${nodeTag(oldSecret, now, body)}`],
    ["the other secret's signature first", `t=${now},v1=${nodeTag(oldSecret, now, body)},v1=${tag}`],
    ["a later scheme beside", `t=${now},v2=whatever/it+is==,v1=${tag}`],
    ["a later scheme whose name begins like ours", `t=${now},v1=${tag},v10=abc,ts=5`],
    ["the time last", `v1=${tag},t=${now}`]
  ])("accepts %s", async (_, header) => {
    expect(await check({ header })).toEqual(accepted)
  })

  it("accepts either secret during a rotation, and no other", async () => {
    const header = await signWith([secret, oldSecret], now, body)
    expect(await check({ header, secret })).toEqual(accepted)
    expect(await check({ header, secret: oldSecret })).toEqual(accepted)
    expect(await check({ header, secret: "whsec_stranger" })).toEqual(refused("mismatch"))
  })

  it.each([
    ["nothing", ""],
    ["no time", `v1=${tag}`],
    ["no signature", `t=${now}`],
    ["only a scheme of another day", `t=${now},v0=${tag}`],
    ["the time twice", `t=${now},t=${now},v1=${tag}`],
    ["two different times", `t=${now},v1=${tag},t=${now + 1}`],
    ["an empty time", `t=,v1=${tag}`],
    ["a fraction of a second", `t=${now}.5,v1=${tag}`],
    ["a negative time", `t=-${now},v1=${tag}`],
    ["a signed time", `t=+${now},v1=${tag}`],
    ["an exponent", `t=18e8,v1=${tag}`],
    ["a hexadecimal time", `t=0x6b49d200,v1=${tag}`],
    ["a leading zero", `t=0${now},v1=${tag}`],
    ["a time beyond all calendars", `t=9999999999999,v1=${tag}`],
    ["uppercase hex", `t=${now},v1=${tag.toUpperCase()}`],
    ["truncated hex", `t=${now},v1=${tag.slice(0, 62)}`],
    ["hex too long", `t=${now},v1=${tag}00`],
    ["no hex", `t=${now},v1=${"g".repeat(64)}`],
    ["an empty signature", `t=${now},v1=`],
    ["one good and one bad signature", `t=${now},v1=${tag},v1=abc`],
    ["white space after a comma", `t=${now}, v1=${tag}`],
    ["white space around", ` t=${now},v1=${tag} `],
    ["a trailing comma", `t=${now},v1=${tag},`],
    ["a line end", `t=${now},v1=${tag}\n`],
    ["a semicolon between", `t=${now};v1=${tag}`],
    ["a field without value", `t=${now},v1=${tag},v2`],
    ["white space in a scheme of another day", `t=${now},v1=${tag},v2=a b`],
    ["an uppercase field", `T=${now},v1=${tag}`],
    ["two headers joined", `t=${now},v1=${tag}, t=${now},v1=${tag}`],
    ["a character beyond ASCII", `t=${now},v1=${tag},v2=é`]
  ])("calls a header with %s malformed", async (_, header) => {
    expect(await check({ header })).toEqual(refused("malformed"))
  })

  asyncProperty(
    "accepts what sign wrote, exactly within the tolerance",
    [fc.uint8Array({ maxLength: 300 }), fc.string({ minLength: 1 }), fc.integer({ min: -600, max: 600 })],
    async (body, secret, ageSeconds) => {
      const header = await signWith([secret], now, body)
      const verdict = await check({ header, body, secret, nowSeconds: now + ageSeconds })
      const expected = Math.abs(ageSeconds) <= 300 ? accepted : refused(ageSeconds > 0 ? "too_old" : "too_new")
      expect(verdict).toEqual(expected)
    }
  )

  asyncProperty(
    "refuses any flipped bit of the body or the signature",
    [fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(), fc.nat({ max: 63 })],
    async (body, at, digit) => {
      const tag = nodeTag(secret, now, body)
      const flipped = body.map((byte, index) => (index === at % body.length ? byte ^ (1 << (at % 8)) : byte))
      expect(await check({ header: `t=${now},v1=${tag}`, body: flipped })).toEqual(refused("mismatch"))
      const otherDigit = (Number.parseInt(tag.charAt(digit), 16) ^ 1).toString(16)
      const otherTag = tag.slice(0, digit) + otherDigit + tag.slice(digit + 1)
      expect(await check({ header: `t=${now},v1=${otherTag}`, body })).toEqual(refused("mismatch"))
    }
  )

  const field = fc.oneof(fc.constantFrom(`t=${now}`, `v1=${"a".repeat(64)}`, "v1=", "t=", "=", "", "v0=x"), fc.string())
  const header = fc.array(field, { maxLength: 5 }).map((fields) => fields.join(","))
  asyncProperty("never fails on an arbitrary header, and never accepts one", [header], async (header) => {
    expect((await check({ header }))._tag).toBe("Refused")
  })
})

describe("readDelivery", () => {
  const header = `t=${now},v1=${tag}`
  const given = { body, secret, nowSeconds: now }
  const event = { id: "evt_1", type: "order.published" }

  it.each([
    ["of fetch", new Headers({ "Service-Signature": header })],
    ["of Node", { host: "hooks.example", "service-signature": header, "set-cookie": ["a", "b"] }],
    ["as they are written", { "Service-Signature": header }]
  ])("reads the event of a genuine delivery from headers %s", async (_, headers) => {
    expect(await readDelivery({ ...given, headers })).toEqual(event)
    expect(await readDelivery({ ...given, headers, body: new TextDecoder().decode(body) })).toEqual(event)
  })

  it.each([
    ["no header", {}, "malformed"],
    ["two of them", { "service-signature": [header, header] }, "malformed"],
    ["another body's signature", { "service-signature": `t=${now},v1=${"0".repeat(64)}` }, "mismatch"]
  ] as const)("refuses a delivery with %s", async (_, headers, reason) => {
    const error = await readDelivery({ ...given, headers }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(SignatureError)
    expect(error).toMatchObject({ reason })
  })
})
