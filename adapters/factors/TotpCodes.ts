// The codes of authenticator apps, by the library `otpauth`.
import { Layer } from "effect"
import { Secret, TOTP } from "otpauth"
import { TotpCodes } from "#core/ports/members/TotpCodes.ts"

const PERIOD_SECONDS = 30
const OPTIONS = { algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS }

/** Clocks may differ by one step. */
const WINDOW = 1

/** `issuer`: the name of the service, which apps show beside the address. */
export const layer = (issuer: string): Layer.Layer<TotpCodes> =>
  Layer.succeed(TotpCodes, {
    secretOf: (bytes) => new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32,
    uri: (secret, email) => new TOTP({ ...OPTIONS, issuer, label: email, secret }).toString(),
    stepOf: (secret, code, atMs) => {
      const delta = TOTP.validate({
        ...OPTIONS,
        secret: Secret.fromBase32(secret),
        token: code,
        timestamp: atMs,
        window: WINDOW
      })
      return delta === null ? null : TOTP.counter({ period: PERIOD_SECONDS, timestamp: atMs }) + delta
    }
  })
