// The codes of authenticator apps by the test vectors of RFC 6238, and the time in which each counts.
import { Effect } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { layer } from "#adapters/factors/TotpCodes.ts"
import { TotpCodes } from "#core/ports/members/TotpCodes.ts"
import { property } from "#test/Property.ts"

const codes = Effect.runSync(Effect.provide(TotpCodes, layer("A Service")))

const secret = codes.secretOf(new TextEncoder().encode("12345678901234567890"))

/** Appendix B, SHA-1, without the first two of eight digits. */
const VECTORS = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"]
] as const

it.each(VECTORS)("at %d seconds the code is %s, for that step and one to each side", (seconds, code) => {
  const step = Math.floor(seconds / 30)
  const at = (steps: number) => codes.stepOf(secret, code, (seconds + 30 * steps) * 1_000)
  expect([at(-1), at(0), at(1)]).toEqual([step, step, step])
  expect([at(-2), at(2)]).toEqual([null, null])
})

it("names the service and the address to the app", () => {
  const uri = new URL(codes.uri(secret, "ada+1@brand.example"))
  expect([uri.protocol, uri.host]).toEqual(["otpauth:", "totp"])
  expect(decodeURIComponent(uri.pathname)).toBe("/A Service:ada+1@brand.example")
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer: "A Service", digits: "6", period: "30" })
})

property("any other text is no code", [fc.string({ maxLength: 8 })], (text) => {
  if (text !== "287082") expect(codes.stepOf(secret, text, 59_000)).toBe(codesNear(text))
})

/** The step of a text that is the code of a step beside it by chance. */
const codesNear = (text: string): number | null => {
  const near = [0, 2].find((step) => /^\d{6}$/.test(text) && codes.stepOf(secret, text, step * 30_000) === step)
  return near ?? null
}
