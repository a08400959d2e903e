// Passwords by scrypt (RFC 7914), with 32 MiB and some 100 ms for each. The hash has its costs and its salt.
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { Effect, Layer } from "effect"
import { Passwords } from "#core/ports/members/Passwords.ts"

interface Costs {
  /** Exponent of two: the number of rounds. */
  readonly power: number
  readonly blockSize: number
  readonly parallel: number
}

const COSTS: Costs = { power: 15, blockSize: 8, parallel: 1 }
const KEY_BYTES = 32
const SALT_BYTES = 16

const FORMAT = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

const derive = (password: string, salt: Buffer, { power, blockSize, parallel }: Costs): Effect.Effect<Buffer> =>
  Effect.callback((resume) => {
    const cost = 2 ** power
    const options = { cost, blockSize, parallelization: parallel, maxmem: 256 * cost * blockSize }
    scrypt(password.normalize("NFC"), salt, KEY_BYTES, options, (error, key) =>
      resume(error === null ? Effect.succeed(key) : Effect.die(error))
    )
  })

const text = ({ power, blockSize, parallel }: Costs, salt: Buffer, key: Buffer): string =>
  ["scrypt", power, blockSize, parallel, salt.toString("base64url"), key.toString("base64url")].join("$")

export const layer: Layer.Layer<Passwords> = Layer.succeed(Passwords, {
  hash: (password) =>
    Effect.suspend(() => {
      const salt = randomBytes(SALT_BYTES)
      return Effect.map(derive(password, salt, COSTS), (key) => text(COSTS, salt, key))
    }),
  verify: (password, hash) => {
    const [, power, blockSize, parallel, salt = "", key = ""] = FORMAT.exec(hash) ?? []
    if (salt === "") return Effect.succeed(false)
    const costs = { power: Number(power), blockSize: Number(blockSize), parallel: Number(parallel) }
    return Effect.map(derive(password, Buffer.from(salt, "base64url"), costs), (found) =>
      timingSafeEqual(found, Buffer.from(key, "base64url"))
    )
  }
})
