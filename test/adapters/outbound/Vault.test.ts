// The vault against node:crypto as an independent implementation, and against corrupted texts.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import { layer } from "#adapters/outbound/Vault.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"
import { effectProperty } from "#test/Property.ts"

const key = randomBytes(32)
const redacted = (bytes: Buffer) => Redacted.make(bytes.toString("base64"))
const vault = layer({ key: redacted(key) })
const WEBHOOK = "wh_1"
const aad = Buffer.from(`backlinks/vault/v2/${WEBHOOK}`)

const seal = (plain: string) => Vault.use((one) => one.seal(plain, WEBHOOK))
const unseal = (sealed: string, webhookId = WEBHOOK) => Vault.use((one) => one.unseal(sealed, webhookId))

/** A sealed text of the version before: bound to no webhook, naming no key. */
const unbound = (plain: string) => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from("backlinks/vault/v1"))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  return `v1.${nonce.toString("base64url")}.${sealed.toString("base64url")}`
}

/** The defect of unsealing an invalid text. */
const refused = (sealed: string, under = vault, webhookId = WEBHOOK) =>
  Effect.map(Effect.exit(Effect.provide(unseal(sealed, webhookId), under)), (exit) => {
    if (Exit.isSuccess(exit) || !Cause.hasDies(exit.cause)) throw new Error("the text should not have opened")
    return Cause.pretty(exit.cause)
  })

describe("the vault", () => {
  effectProperty("what is sealed opens again, and says nothing", [fc.string({ unit: "grapheme" })], (plain) =>
    Effect.gen(function* () {
      const [once, twice] = [yield* seal(plain), yield* seal(plain)]
      expect(once).toMatch(/^v2\.[\w-]{8}\.[\w-]{16}\.[\w-]{22,}$/)
      expect(twice).not.toBe(once)
      expect(once).not.toContain(plain.length > 4 ? plain : "no text is this short")
      expect(yield* unseal(once)).toBe(plain)
    }).pipe(Effect.provide(vault))
  )

  it.effect("is AES-256-GCM with a nonce of 96 bits and a tag of 128", () =>
    Effect.gen(function* () {
      const [, , nonce = "", sealed = ""] = (yield* seal("clé 🔑")).split(".")
      const bytes = Buffer.from(sealed, "base64url")
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url")).setAAD(aad)
      decipher.setAuthTag(bytes.subarray(-16))
      const plain = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()])
      expect(plain.toString("utf8")).toBe("clé 🔑")
    }).pipe(Effect.provide(vault))
  )

  it.effect("unseals a text sealed by node:crypto in the same format", () =>
    Effect.gen(function* () {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(aad)
      const sealed = Buffer.concat([cipher.update("from outside"), cipher.final(), cipher.getAuthTag()])
      const [, name] = (yield* seal("names the key")).split(".")
      const text = `v2.${name}.${nonce.toString("base64url")}.${sealed.toString("base64url")}`
      expect(yield* unseal(text)).toBe("from outside")
    }).pipe(Effect.provide(vault))
  )

  it.effect("rejects a text with any single bit changed", () =>
    Effect.gen(function* () {
      const [version, name, nonce = "", sealed = ""] = (yield* seal("secret")).split(".")
      const flips = (text: string) => {
        const bytes = Buffer.from(text, "base64url")
        return Array.from({ length: bytes.length * 8 }, (_, bit) => {
          const changed = Buffer.from(bytes)
          changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          return changed.toString("base64url")
        })
      }
      for (const other of flips(nonce)) yield* refused(`${version}.${name}.${other}.${sealed}`)
      for (const other of flips(sealed)) yield* refused(`${version}.${name}.${nonce}.${other}`)
    }).pipe(Effect.provide(vault))
  )

  it.effect("rejects a text under another key, and names the setting without its value", () =>
    Effect.gen(function* () {
      const sealed = yield* Effect.provide(seal("secret"), vault)
      const other = randomBytes(32).toString("base64")
      const message = yield* refused(sealed, layer({ key: Redacted.make(other) }))
      expect(message).toContain("ENCRYPTION_KEY")
      expect(message).not.toContain(other)
    })
  )

  it.effect("rejects other formats: another version, missing parts, extra parts, invalid base64url", () =>
    Effect.gen(function* () {
      const sealed = yield* Effect.provide(seal("secret"), vault)
      const [, name, nonce, text] = sealed.split(".")
      for (const strange of [
        "",
        "secret",
        `v1.${nonce}.${text}`,
        `v2.${nonce}.${text}`,
        `v3.${name}.${nonce}.${text}`,
        `v2.AAAAAAAA.${nonce}.${text}`,
        `v2.${name}.${nonce}`,
        `v2.${name}..${text}`,
        `v2.${name}.${nonce}.`,
        `${sealed}.${text}`,
        `v2.${name}.${nonce}.****`,
        `v2.${name}.${text}.${nonce}`,
        `v2.${name}.${nonce}.${text?.slice(0, 20)}`
      ]) {
        yield* refused(strange)
      }
    })
  )

  it.effect("opens a text for the webhook it was sealed for and for no other", () =>
    Effect.gen(function* () {
      const sealed = yield* Effect.provide(seal("secret"), vault)
      expect(yield* Effect.provide(unseal(sealed), vault)).toBe("secret")
      for (const other of ["wh_2", "wh_", "wh_11", ""]) yield* refused(sealed, vault, other)
    })
  )

  it.effect(
    "opens texts of the version before, under the present key and the previous one, and would seal them again",
    () =>
      Effect.gen(function* () {
        const rotated = layer({ key: redacted(randomBytes(32)), previous: redacted(key) })
        for (const under of [vault, rotated]) {
          expect(yield* Effect.provide(unseal(unbound("earlier")), under)).toBe("earlier")
          const { isCurrent } = yield* Effect.provide(Vault, under)
          expect(isCurrent(unbound("earlier"))).toBe(false)
        }
      })
  )

  it.effect("opens under the previous key, and seals under the present one", () =>
    Effect.gen(function* () {
      const next = randomBytes(32)
      const [both, last] = [layer({ key: redacted(next), previous: redacted(key) }), layer({ key: redacted(next) })]
      const old = yield* Effect.provide(seal("secret"), vault)
      expect(yield* Effect.provide(unseal(old), both)).toBe("secret")
      const again = yield* Effect.provide(seal("secret"), both)
      expect(yield* Effect.provide(unseal(again), last)).toBe("secret")
      const { isCurrent } = yield* Effect.provide(Vault, both)
      expect([old, again].map(isCurrent)).toEqual([false, true])
      yield* refused(old, last)
      yield* refused(again, vault)
    })
  )

  it.effect("rejects a key other than 32 bytes in base64, without repeating it", () =>
    Effect.gen(function* () {
      for (const bad of ["", "hunter2!", randomBytes(31).toString("base64"), randomBytes(33).toString("base64")]) {
        const exit = yield* Effect.exit(Effect.provide(seal("x"), layer({ key: Redacted.make(bad) })))
        const message = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "it started"
        expect(message).toContain("ENCRYPTION_KEY must be 32 bytes")
        expect(message).not.toContain(bad === "" ? "hunter2!" : bad)
      }
    })
  )
})
