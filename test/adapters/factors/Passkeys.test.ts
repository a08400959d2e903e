// Responses that no browser gives are refused, whatever they are, and never a defect.
import { Effect } from "effect"
import { Base64Url } from "effect/encoding"
import fc from "fast-check"
import { expect, it } from "vitest"
import { layer } from "#adapters/factors/Passkeys.ts"
import { AccountId, MemberId, PasskeyId } from "#core/domain/shared/Ids.ts"
import { Passkeys } from "#core/ports/members/Passkeys.ts"

const passkeys = Effect.runSync(
  Effect.provide(Passkeys, layer({ peopleUrl: "https://links.example", serviceName: "A Service" }))
)

const clientData = fc.record(
  { type: fc.constantFrom("webauthn.get", "webauthn.create"), challenge: fc.string(), origin: fc.webUrl() },
  { requiredKeys: [] }
)
const base64url = fc.uint8Array({ maxLength: 60 }).map((bytes) => Base64Url.encode(bytes))
const part = fc.oneof(
  base64url,
  fc.string(),
  clientData.map((data) => Base64Url.encode(JSON.stringify(data)))
)

/** From nonsense to what has the shape of a response. */
const response = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record({
      id: base64url,
      rawId: base64url,
      type: fc.constant("public-key"),
      response: fc.record({
        clientDataJSON: part,
        attestationObject: part,
        authenticatorData: part,
        signature: part,
        userHandle: part
      })
    })
    .map((value) => JSON.stringify(value))
)

const passkey = {
  passkeyId: PasskeyId.make("AAAA"),
  memberId: MemberId.make("mem_1"),
  name: "Laptop",
  publicKey: "pQECAyYgASFYIA",
  counter: 0,
  transports: [],
  createdAtMs: 0,
  lastUsedAtMs: null
}

it("are refused", () =>
  fc.assert(
    fc.asyncProperty(response, async (text) => {
      const tags = await Effect.runPromise(
        Effect.all([
          Effect.flip(passkeys.verifyRegistration(text, "challenge")),
          Effect.flip(passkeys.verifyAssertion(text, "challenge", passkey))
        ])
      )
      expect(tags.map(({ _tag }) => _tag)).toEqual(["PasskeyRefused", "PasskeyRefused"])
      const claim = await Effect.runPromise(Effect.result(passkeys.claimOf(text)))
      if (claim._tag === "Failure") expect(claim.failure._tag).toBe("PasskeyRefused")
    }),
    { numRuns: 300 }
  ))

it("asks for a discoverable passkey with user verification, at this service, and not for one that the member has", async () => {
  const member = {
    memberId: MemberId.make("mem_1"),
    accountId: AccountId.make("acc_1"),
    email: "ada@brand.example",
    role: "owner" as const,
    createdAtMs: 0,
    removedAtMs: null
  }
  const request = { member, accountName: "Ada Ltd", challenge: "Y2hhbGxlbmdl", existing: [passkey] }
  const options = JSON.parse(await Effect.runPromise(passkeys.registrationOptions(request)))
  expect(options).toMatchObject({
    challenge: "Y2hhbGxlbmdl",
    rp: { id: "links.example", name: "A Service" },
    user: { id: Base64Url.encode("mem_1"), name: "ada@brand.example" },
    excludeCredentials: [{ id: "AAAA" }],
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none"
  })
  const asked = JSON.parse(
    await Effect.runPromise(passkeys.assertionOptions({ challenge: "Y2hhbGxlbmdl", allowed: [] }))
  )
  expect(asked).toMatchObject({ challenge: "Y2hhbGxlbmdl", rpId: "links.example", userVerification: "required" })
})
