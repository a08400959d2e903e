// The ceremonies of passkeys, by the library `@simplewebauthn/server`, which is loaded when the first one is used.
import { Effect, Layer, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { CHALLENGE_MS, type Passkey } from "#core/domain/members/Factor.ts"
import { PasskeyRefused } from "#core/domain/members/MemberRefusal.ts"
import { PasskeyId } from "#core/domain/shared/Ids.ts"
import { Passkeys } from "#core/ports/members/Passkeys.ts"

const optionalText = Schema.optionalKey(Schema.String)

const credential = {
  id: Schema.String,
  rawId: Schema.String,
  type: Schema.Literal("public-key"),
  clientExtensionResults: Schema.optionalKey(Schema.Unknown)
}

const Registration = Schema.fromJsonString(
  Schema.Struct({
    ...credential,
    response: Schema.Struct({
      clientDataJSON: Schema.String,
      attestationObject: Schema.String,
      transports: Schema.optionalKey(Schema.Array(Schema.String))
    })
  })
)

const Assertion = Schema.fromJsonString(
  Schema.Struct({
    ...credential,
    response: Schema.Struct({
      clientDataJSON: Schema.String,
      authenticatorData: Schema.String,
      signature: Schema.String,
      userHandle: optionalText
    })
  })
)

/** What both kinds of responses have. */
const Claim = Schema.fromJsonString(
  Schema.Struct({ id: Schema.String, response: Schema.Struct({ clientDataJSON: Schema.String }) })
)
const ClientData = Schema.fromJsonString(Schema.Struct({ challenge: Schema.String }))

const refused = Effect.fail(new PasskeyRefused())

const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, text: string) =>
  Effect.mapError(Effect.fromResult(Schema.decodeUnknownResult(schema)(text)), () => new PasskeyRefused())

const textOf = (base64url: string): Effect.Effect<string, PasskeyRefused> =>
  Effect.mapError(Effect.fromResult(Base64Url.decodeString(base64url)), () => new PasskeyRefused())

/** The library throws a sentence for each fault; callers learn that the response does not count. */
const verified = <A>(verify: () => Promise<A>): Effect.Effect<A, PasskeyRefused> =>
  Effect.tryPromise({ try: verify, catch: () => new PasskeyRefused() })

const library = Effect.cached(Effect.promise(() => import("@simplewebauthn/server")))

/** Names as the specification has them; the library asks for exactly those that it knows. */
type Transports = Array<"ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb">
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const

const knownTransports = (names: ReadonlyArray<string>): Transports =>
  TRANSPORTS.filter((transport) => names.includes(transport))

export interface PasskeyOptions {
  /** Where people reach the service; its host is the relying party, its origin the one that pages have. */
  readonly peopleUrl: string
  /** The name of the service. */
  readonly serviceName: string
}

/** EdDSA, ES256 and RS256, by their COSE numbers. */
const ALGORITHMS = [-8, -7, -257]

const encoder = new TextEncoder()

/** The library takes only an array that shares its buffer with no other. */
const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(base64url, "base64url"))

const allowedIn = ({ passkeyId: id, transports }: Pick<Passkey, "passkeyId" | "transports">) => ({
  id,
  transports: knownTransports(transports)
})

export const layer = ({ peopleUrl, serviceName }: PasskeyOptions): Layer.Layer<Passkeys> =>
  Layer.effect(
    Passkeys,
    Effect.gen(function* () {
      const loaded = yield* library
      const { hostname: rpID, origin } = new URL(peopleUrl)
      const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true }

      return Passkeys.of({
        registrationOptions: Effect.fnUntraced(function* ({ member, accountName, challenge, existing }) {
          const { generateRegistrationOptions } = yield* loaded
          const options = yield* Effect.promise(() =>
            generateRegistrationOptions({
              rpName: serviceName,
              rpID,
              userName: member.email,
              userID: encoder.encode(member.memberId),
              userDisplayName: `${member.email} (${accountName})`,
              challenge: bytesOf(challenge),
              timeout: CHALLENGE_MS,
              attestationType: "none",
              supportedAlgorithmIDs: ALGORITHMS,
              excludeCredentials: existing.map(allowedIn),
              authenticatorSelection: { residentKey: "required", userVerification: "required" }
            })
          )
          return JSON.stringify(options)
        }),
        assertionOptions: Effect.fnUntraced(function* ({ challenge, allowed }) {
          const { generateAuthenticationOptions } = yield* loaded
          const options = yield* Effect.promise(() =>
            generateAuthenticationOptions({
              rpID,
              challenge: bytesOf(challenge),
              timeout: CHALLENGE_MS,
              userVerification: "required",
              allowCredentials: allowed.map(allowedIn)
            })
          )
          return JSON.stringify(options)
        }),
        claimOf: Effect.fnUntraced(function* (text) {
          const { id, response } = yield* decode(Claim, text)
          const { challenge } = yield* decode(ClientData, yield* textOf(response.clientDataJSON))
          return { challenge, passkeyId: PasskeyId.make(id) }
        }),
        verifyRegistration: Effect.fnUntraced(function* (text, challenge) {
          const { verifyRegistrationResponse } = yield* loaded
          const { id, rawId, type, response } = yield* decode(Registration, text)
          const { clientDataJSON, attestationObject } = response
          const given = { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject } }
          const result = yield* verified(() =>
            verifyRegistrationResponse({
              ...expected,
              response: given,
              expectedChallenge: challenge,
              supportedAlgorithmIDs: ALGORITHMS
            })
          )
          if (!result.verified) return yield* refused
          const { publicKey, counter, ...credential } = result.registrationInfo.credential
          const passkeyId = PasskeyId.make(credential.id)
          const transports = knownTransports(response.transports ?? [])
          return { passkeyId, publicKey: Base64Url.encode(publicKey), counter, transports }
        }),
        verifyAssertion: Effect.fnUntraced(function* (text, challenge, { passkeyId, publicKey, counter, memberId }) {
          const { verifyAuthenticationResponse } = yield* loaded
          const { id, rawId, type, response } = yield* decode(Assertion, text)
          const { clientDataJSON, authenticatorData, signature, userHandle } = response
          if (id !== passkeyId) return yield* refused
          if (userHandle !== undefined && (yield* textOf(userHandle)) !== memberId) return yield* refused
          const result = yield* verified(() =>
            verifyAuthenticationResponse({
              ...expected,
              response: {
                id,
                rawId,
                type,
                clientExtensionResults: {},
                response: { clientDataJSON, authenticatorData, signature }
              },
              expectedChallenge: challenge,
              credential: { id, publicKey: bytesOf(publicKey), counter }
            })
          )
          if (!result.verified) return yield* refused
          return result.authenticationInfo.newCounter
        })
      })
    })
  )
