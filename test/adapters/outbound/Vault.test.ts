// The vault against node:crypto as an independent implementation, and against corrupted texts.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import { layer } from "#adapters/outbound/Vault.ts"
import { Vault } from "#core/ports/Vault.ts"
import { effectProperty } from "#test/Property.ts"

const key = randomBytes(32)
const vault = layer(Redacted.make(key.toString("base64")))
const aad = Buffer.from("backlinks/vault/v1")

const seal = (plain: string) => Vault.use((one) => one.seal(plain))
const unseal = (sealed: string) => Vault.use((one) => one.unseal(sealed))

/** The defect of unsealing an invalid text. */
const refused = (sealed: string, under = vault) =>
  Effect.map(Effect.exit(Effect.provide(unseal(sealed), under)), (exit) => {
    if (Exit.isSuccess(exit) || !Cause.hasDies(exit.cause)) throw new Error("the text should not have opened")
    return Cause.pretty(exit.cause)
  })

describe("the vault", () => {
  effectProperty("what is sealed opens again, and says nothing", [fc.string({ unit: "grapheme" })], (plain) =>
    Effect.gen(function* () {
      const [once, twice] = [yield* seal(plain), yield* seal(plain)]
      expect(once).toMatch(/^v1\.[\w-]{16}\.[\w-]{22,}$/)
      expect(twice).not.toBe(once)
      expect(once).not.toContain(plain.length > 4 ? plain : "no text is this short")
      expect(yield* unseal(once)).toBe(plain)
    }).pipe(Effect.provide(vault))
  )

  it.effect("is AES-256-GCM with a nonce of 96 bits and a tag of 128", () =>
    Effect.gen(function* () {
      const [, nonce = "", sealed = ""] = (yield* seal("clé 🔑")).split(".")
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
      expect(yield* unseal(`v1.${nonce.toString("base64url")}.${sealed.toString("base64url")}`)).toBe("from outside")
    }).pipe(Effect.provide(vault))
  )

  it.effect("rejects a text with any single bit changed", () =>
    Effect.gen(function* () {
      const [version, nonce = "", sealed = ""] = (yield* seal("secret")).split(".")
      const flips = (text: string) => {
        const bytes = Buffer.from(text, "base64url")
        return Array.from({ length: bytes.length * 8 }, (_, bit) => {
          const changed = Buffer.from(bytes)
          changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          return changed.toString("base64url")
        })
      }
      for (const other of flips(nonce)) yield* refused(`${version}.${other}.${sealed}`)
      for (const other of flips(sealed)) yield* refused(`${version}.${nonce}.${other}`)
    }).pipe(Effect.provide(vault))
  )

  it.effect("rejects a text under another key, and names the setting without its value", () =>
    Effect.gen(function* () {
      const sealed = yield* Effect.provide(seal("secret"), vault)
      const other = randomBytes(32).toString("base64")
      const message = yield* refused(sealed, layer(Redacted.make(other)))
      expect(message).toContain("ENCRYPTION_KEY")
      expect(message).not.toContain(other)
    })
  )

  it.effect("rejects other formats: another version, missing parts, extra parts, invalid base64url", () =>
    Effect.gen(function* () {
      const sealed = yield* Effect.provide(seal("secret"), vault)
      const [, nonce, text] = sealed.split(".")
      for (const strange of [
        "",
        "secret",
        `v2.${nonce}.${text}`,
        `v1.${nonce}`,
        `v1..${text}`,
        `v1.${nonce}.`,
        `${sealed}.${text}`,
        `v1.${nonce}.****`,
        `v1.${text}.${nonce}`,
        `v1.${nonce}.${text?.slice(0, 20)}`
      ]) {
        yield* refused(strange)
      }
    })
  )

  it.effect("rejects a key other than 32 bytes in base64, without repeating it", () =>
    Effect.gen(function* () {
      for (const bad of ["", "hunter2!", randomBytes(31).toString("base64"), randomBytes(33).toString("base64")]) {
        const exit = yield* Effect.exit(Effect.provide(seal("x"), layer(Redacted.make(bad))))
        const message = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "it started"
        expect(message).toContain("ENCRYPTION_KEY must be 32 bytes")
        expect(message).not.toContain(bad === "" ? "hunter2!" : bad)
      }
    })
  )
})
