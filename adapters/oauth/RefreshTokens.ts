// Rotates refresh tokens. All refreshes by one token within its grace get the same new one, at every instance and after a lost answer. The
// store keeps the new token sealed, under a key that only the old one gives.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { Clock, Effect } from "effect"
import { errors, Provider } from "oidc-provider"
import type { Grants } from "#core/ports/access/Grants.ts"
import type { Run } from "./ArtifactAdapter.ts"
import { hashOf } from "./Hashes.ts"

const CIPHER = "aes-256-gcm"
const NONCE_BYTES = 12
const TAG_BYTES = 16

const keyFrom = (token: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", token, "", "backlinks/oauth/successor", 32))

export const sealSuccessor = (token: string, successor: string): string => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, keyFrom(token), nonce)
  const sealed = [cipher.update(successor, "utf8"), cipher.final()]
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString("base64url")
}

/** Throws if another token sealed it. */
export const openSuccessor = (token: string, sealed: string): string => {
  const bytes = Buffer.from(sealed, "base64url")
  const decipher = createDecipheriv(CIPHER, keyFrom(token), bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const successor = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
  return Buffer.concat([successor, decipher.final()]).toString("utf8")
}

interface Rotation {
  readonly grants: Pick<Grants["Service"], "find" | "rotate">
  readonly run: Run
}

/**
 * The token that took this one's place. If that one was rotated meanwhile, the grace of this one still runs, and so does its own: then
 * the one after it, so that no client is given a token that is used up.
 */
const successorOf = ({ grants }: Rotation, token: string, newToken: () => string) => {
  const next = Effect.fnUntraced(function* (last: string) {
    const nowMs = yield* Clock.currentTimeMillis
    const sealed = yield* grants.rotate(hashOf(last), sealSuccessor(last, newToken()), nowMs)
    return sealed === null ? null : openSuccessor(last, sealed)
  })
  const isRotated = (one: string) =>
    Effect.map(grants.find("RefreshToken", hashOf(one)), (kept) => kept !== null && kept.consumedAtMs !== null)

  return Effect.gen(function* () {
    let last: string | null = null
    let successor = yield* next(token)
    while (successor !== null) {
      last = successor
      successor = (yield* isRotated(last)) ? yield* next(last) : null
    }
    return last
  })
}

/** What its types leave out of a token. */
interface Token {
  readonly jti: string
  readonly generateTokenId: () => string
}

/** The library consumes a token, makes the new one, and asks it for its id while it saves it. */
export const rotateOnce = (provider: Provider, rotation: Rotation): void => {
  const prototype: object = provider.RefreshToken.prototype
  const { generateTokenId } = prototype as Token // as the library's base of all tokens has it
  const successors = new WeakMap<object, string>()
  Object.defineProperties(prototype, {
    consume: {
      async value(this: Token) {
        const newToken = () => generateTokenId.call(this)
        const successor = await rotation.run(successorOf(rotation, this.jti, newToken))
        if (successor === null) throw new errors.InvalidGrant("refresh token already used")
        successors.set(this, successor)
      }
    },
    generateTokenId: {
      value(this: Token) {
        const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken
        return (rotated === undefined ? undefined : successors.get(rotated)) ?? generateTokenId.call(this)
      }
    }
  })
}
