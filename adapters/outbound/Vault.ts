// Encrypts text under the configured key with AES-256-GCM, bound to its owner, such as a webhook. The sealed text begins with a version, so that another
// scheme can follow, and names its key, so that the key can be replaced.
import { createHash } from "node:crypto"
import { Effect, Layer, Redacted, Result } from "effect"
import { Aead, SecureRandom } from "effect/crypto"
import { Base64, Base64Url } from "effect/encoding"
import { Vault } from "#core/ports/webhooks/Vault.ts"

const VERSION = "v2"
/** It was bound to no owner and names no key. Such texts still open; they are not made any more. */
const UNBOUND_VERSION = "v1"
const NONCE_BYTES = 12
const KEY_NAME_CHARACTERS = 8

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Associated data: binds a sealed text to this vault, the version and the owner. */
const aadFor = (owner: string) => encoder.encode(`backlinks/vault/${VERSION}/${owner}`)
const unboundAad = encoder.encode(`backlinks/vault/${UNBOUND_VERSION}`)

/** Tells keys apart, and nothing about a key of 256 random bits. */
const nameOf = (bytes: Uint8Array): string =>
  createHash("sha256").update("backlinks/vault/key/").update(bytes).digest("base64url").slice(0, KEY_NAME_CHARACTERS)

const keyOf = (text: Redacted.Redacted<string>, setting: string) =>
  Effect.fromResult(Base64.decode(Redacted.value(text))).pipe(
    Effect.flatMap((bytes) =>
      Effect.map(Aead.key(Aead.aes256Gcm, bytes), (secret) => ({ name: nameOf(bytes), secret }))
    ),
    // The cause is left out: it may quote the key, which must not reach a log.
    Effect.catch(() => Effect.die(new Error(`${setting} must be 32 bytes, written in base64.`)))
  )

interface Sealed {
  /** `null` in texts that name none. */
  readonly keyName: string | null
  readonly nonce: Uint8Array
  readonly bytes: Uint8Array
}

const decodeParts = (keyName: string | null, nonce: string, sealed: string): Result.Result<Sealed, Error> =>
  Result.map(Result.all([Base64Url.decode(nonce), Base64Url.decode(sealed)]), ([nonce, bytes]) => ({
    keyName,
    nonce,
    bytes
  }))

/** `v2.<key>.<nonce>.<ciphertext and tag>` or `v1.<nonce>.<ciphertext and tag>`; nonce and ciphertext in base64url. */
const parse = (text: string): Result.Result<Sealed, Error> => {
  const parts = text.split(".")
  const [version, first = "", second = "", third = ""] = parts
  if (version === VERSION && parts.length === 4) return decodeParts(first, second, third)
  if (version === UNBOUND_VERSION && parts.length === 3) return decodeParts(null, first, second)
  return Result.fail(new Error(`neither of version ${VERSION} nor of ${UNBOUND_VERSION}`))
}

const unsealError = (cause: unknown) =>
  new Error(
    "A sealed text was not sealed for this owner under the present ENCRYPTION_KEY or ENCRYPTION_KEY_PREVIOUS, or was changed since.",
    { cause }
  )

export interface VaultKeys {
  /** 32 bytes in base64, as is `previous`. A wrong one is a configuration mistake and stops the service while it starts. */
  readonly key: Redacted.Redacted<string>
  /** Opens texts, and seals none. */
  readonly previous?: Redacted.Redacted<string>
}

export const layer = ({ key, previous }: VaultKeys): Layer.Layer<Vault> =>
  Layer.effect(
    Vault,
    Effect.gen(function* () {
      const aead = yield* Aead.Aead
      const random = yield* SecureRandom.SecureRandom
      const present = yield* keyOf(key, "ENCRYPTION_KEY")
      const keys = previous === undefined ? [present] : [present, yield* keyOf(previous, "ENCRYPTION_KEY_PREVIOUS")]
      const prefix = `${VERSION}.${present.name}.`

      const decrypt = ({ keyName, nonce, bytes }: Sealed, owner: string) =>
        Effect.firstSuccessOf(
          keys
            .filter(({ name }) => keyName === null || keyName === name)
            .map(({ secret }) =>
              aead.decrypt(secret, bytes, { nonce, aad: keyName === null ? unboundAad : aadFor(owner) })
            )
        )

      const opened = (text: string, owner: string) =>
        Effect.fromResult(parse(text)).pipe(
          Effect.flatMap((sealed) => decrypt(sealed, owner)),
          Effect.map((bytes) => decoder.decode(bytes))
        )

      return Vault.of({
        seal: Effect.fnUntraced(function* (plain, owner) {
          const nonce = yield* random.randomBytes(NONCE_BYTES)
          const options = { nonce, aad: aadFor(owner) }
          const sealed = yield* Effect.orDie(aead.encrypt(present.secret, encoder.encode(plain), options))
          return `${prefix}${Base64Url.encode(nonce)}.${Base64Url.encode(sealed)}`
        }),
        unseal: (text, owner) => Effect.catchCause(opened(text, owner), (cause) => Effect.die(unsealError(cause))),
        // A text of the unbound version would open for every owner.
        open: (text, owner) =>
          text.startsWith(`${VERSION}.`)
            ? Effect.catchCause(opened(text, owner), () => Effect.succeed(null))
            : Effect.succeed(null),
        isCurrent: (text) => text.startsWith(prefix)
      })
    })
  ).pipe(Layer.provide(Aead.layerWebCrypto), Layer.provide(SecureRandom.layerWebCrypto))
