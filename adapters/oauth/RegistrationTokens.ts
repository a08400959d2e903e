// Tokens with which a client reads its own registration: the id of the client and a code over it, so that none has to be kept.
import { createHmac, timingSafeEqual } from "node:crypto"
import type { Adapter, AdapterPayload } from "oidc-provider"

const codeOf = (key: Buffer, clientId: string): Buffer => createHmac("sha256", key).update(clientId).digest()

export const registrationToken = (key: Buffer, clientId: string): string =>
  `${clientId}.${codeOf(key, clientId).toString("base64url")}`

/** The client of a token that one of the keys made. */
const clientOf = (keys: ReadonlyArray<Buffer>, token: string): string | undefined => {
  const at = token.lastIndexOf(".")
  const clientId = token.slice(0, Math.max(0, at))
  const code = Buffer.from(token.slice(at + 1), "base64url")
  const isRight = keys.some((key) => {
    const right = codeOf(key, clientId)
    return right.length === code.length && timingSafeEqual(right, code)
  })
  return isRight ? clientId : undefined
}

/** Nothing is stored: a token is as good as its code, as long as its client is registered. */
export const registrationTokenAdapter = (keys: ReadonlyArray<Buffer>, base: Adapter): Adapter => ({
  ...base,
  find: (token) => {
    const clientId = clientOf(keys, token)
    const payload: AdapterPayload | undefined =
      clientId === undefined ? undefined : { jti: token, kind: "RegistrationAccessToken", clientId }
    return Promise.resolve(payload)
  }
})
