// The keys of the authorization server, derived from the service's encryption key, so that every instance has the same ones and nothing
// more has to be configured or kept.
import { createPrivateKey, hash, hkdfSync } from "node:crypto"
import { Redacted } from "effect"

/** 32 bytes. Other purposes, and the encryption key itself, cannot be told from them. */
const derive = (encryptionKey: Redacted.Redacted<string>, purpose: string): Buffer =>
  Buffer.from(
    hkdfSync("sha256", Buffer.from(Redacted.value(encryptionKey), "base64"), "", `backlinks/oauth/${purpose}`, 32)
  )

/** RFC 8410: what stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const ED25519_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex")

const signingKey = (encryptionKey: Redacted.Redacted<string>) => {
  const der = Buffer.concat([ED25519_PREFIX, derive(encryptionKey, "signing")])
  const { kty, crv, x, d } = createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ format: "jwk" })
  return { kty, crv, x, d, use: "sig", alg: "EdDSA", kid: hash("sha256", x ?? "", "base64url").slice(0, 16) }
}

/** `present` makes signatures; those of `previous` still count. */
export const derivedKeys = (present: Redacted.Redacted<string>, previous?: Redacted.Redacted<string>) => {
  const all = previous === undefined ? [present] : [present, previous]
  return {
    cookies: all.map((key) => derive(key, "cookies").toString("base64url")),
    registrations: all.map((key) => derive(key, "registrations")),
    signing: all.map(signingKey)
  }
}

export type DerivedKeys = ReturnType<typeof derivedKeys>
