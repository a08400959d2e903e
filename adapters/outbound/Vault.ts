// Encrypts text under the configured key with AES-256-GCM. The sealed text begins with a version, so that another scheme can
// follow.
import { Effect, Layer, Redacted, Result } from "effect"
import { Aead, SecureRandom } from "effect/crypto"
import { Base64, Base64Url } from "effect/encoding"
import { Vault } from "#core/ports/Vault.ts"

const VERSION = "v1"
const NONCE_BYTES = 12

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Associated data of every sealed text: binds it to this vault and version. */
const aad = encoder.encode(`backlinks/vault/${VERSION}`)

const keyOf = (text: Redacted.Redacted<string>) =>
  Effect.fromResult(Base64.decode(Redacted.value(text))).pipe(
    Effect.flatMap((bytes) => Aead.key(Aead.aes256Gcm, bytes)),
    // Without the cause: it may quote the key, which must not reach a log.
    Effect.catch(() => Effect.die(new Error("ENCRYPTION_KEY must be 32 bytes, written in base64.")))
  )

/** `v1.<nonce>.<ciphertext and tag>`, both in base64url. */
const format = (nonce: Uint8Array, sealed: Uint8Array): string =>
  [VERSION, Base64Url.encode(nonce), Base64Url.encode(sealed)].join(".")

const parse = (text: string): Result.Result<{ readonly nonce: Uint8Array; readonly sealed: Uint8Array }, Error> => {
  const [version, nonce = "", sealed = "", ...rest] = text.split(".")
  if (version !== VERSION || rest.length > 0) return Result.fail(new Error(`not of version ${VERSION}`))
  return Result.all({ nonce: Base64Url.decode(nonce), sealed: Base64Url.decode(sealed) })
}

const unsealError = (cause: unknown) =>
  new Error("A sealed text was not sealed under the present ENCRYPTION_KEY, or was changed since.", { cause })

/** `key`: 32 bytes in base64. A wrong one is a configuration mistake and stops the service while it starts. */
export const layer = (key: Redacted.Redacted<string>): Layer.Layer<Vault> =>
  Layer.effect(
    Vault,
    Effect.gen(function* () {
      const aead = yield* Aead.Aead
      const random = yield* SecureRandom.SecureRandom
      const secret = yield* keyOf(key)

      return Vault.of({
        seal: Effect.fnUntraced(function* (plain) {
          const nonce = yield* random.randomBytes(NONCE_BYTES)
          const sealed = yield* Effect.orDie(aead.encrypt(secret, encoder.encode(plain), { nonce, aad }))
          return format(nonce, sealed)
        }),
        unseal: (text) =>
          Effect.fromResult(parse(text)).pipe(
            Effect.flatMap(({ nonce, sealed }) => aead.decrypt(secret, sealed, { nonce, aad })),
            Effect.map((bytes) => decoder.decode(bytes)),
            Effect.catch((cause) => Effect.die(unsealError(cause)))
          )
      })
    })
  ).pipe(Layer.provide(Aead.layerWebCrypto), Layer.provide(SecureRandom.layerWebCrypto))
