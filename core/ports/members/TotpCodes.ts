// The codes of authenticator apps, as RFC 6238 has them: SHA-1, six digits, steps of 30 seconds.
import { Context } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"

export class TotpCodes extends Context.Service<
  TotpCodes,
  {
    /** A secret in base32, from random bytes. */
    readonly secretOf: (bytes: Uint8Array) => string
    /** The `otpauth:` address that apps read from a QR code. */
    readonly uri: (secret: string, email: string) => string
    /** The step whose code this is, at that time or one step before or after it; `null` if it is no such code. */
    readonly stepOf: (secret: string, code: string, atMs: Millis) => number | null
  }
>()("backlinks/ports/members/TotpCodes") {}
