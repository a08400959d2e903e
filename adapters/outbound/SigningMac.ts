// The HMAC that signs deliveries. Node is given a key object: whether bytes are one, it finds out by an error that it throws and catches,
// which costs more than the signature.
import { createHmac, createSecretKey } from "node:crypto"
import { Layer } from "effect"
import { Mac, SecureRandom } from "effect/crypto"

export const layer = Mac.layerWebCryptoWith({
  hmac: (hash, key, data) => createHmac(hash, createSecretKey(key)).update(data).digest()
}).pipe(Layer.provide(SecureRandom.layerWebCrypto))
