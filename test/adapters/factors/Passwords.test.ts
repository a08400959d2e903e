// Passwords by scrypt: what is accepted, that no two hashes are alike, and that a hash of another kind accepts nothing.
import { scryptSync } from "node:crypto"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as ScryptPasswords from "#adapters/factors/Passwords.ts"
import { Passwords } from "#core/ports/members/Passwords.ts"

layer(ScryptPasswords.layer)("passwords", (it) => {
  it.effect("are accepted as they were given, and in the other form of an accent", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const hash = yield* passwords.hash("Clé \u00e9 1")
      expect(yield* passwords.verify("Clé \u00e9 1", hash)).toBe(true)
      expect(yield* passwords.verify("Cl\u0065\u0301 \u0065\u0301 1", hash)).toBe(true)
      for (const wrong of ["", "Clé é 2", "clé é 1", "Clé é 1 "])
        expect(yield* passwords.verify(wrong, hash)).toBe(false)
    })
  )

  it.effect("have a hash with its costs and a salt of its own, which the standard function gives too", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const [one, other] = [yield* passwords.hash("same"), yield* passwords.hash("same")]
      expect(one).not.toBe(other)
      const [kind, power, r, p, salt = "", key] = one.split("$")
      expect([kind, power, r, p]).toEqual(["scrypt", "15", "8", "1"])
      const options = { N: 32_768, r: 8, p: 1, maxmem: 67_108_864 }
      expect(scryptSync("same", Buffer.from(salt, "base64url"), 32, options).toString("base64url")).toBe(key)
    })
  )

  it.effect("are refused by what is no hash of theirs", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      for (const hash of ["", "same", "bcrypt$15$8$1$AAAAAAAAAAAAAAAAAAAAAA$x", "scrypt$15$8$1$short$short"])
        expect(yield* passwords.verify("same", hash)).toBe(false)
    })
  )
})
