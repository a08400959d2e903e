// Codes of sign-in mails: six digits, evenly made of random bytes, and read as people type and paste them.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CODE_ENTROPY_BYTES, codeFrom, shownCode, typedCode } from "#core/domain/members/SignInCode.ts"
import { property } from "#test/Property.ts"

const bytes = fc.uint8Array({ minLength: CODE_ENTROPY_BYTES, maxLength: CODE_ENTROPY_BYTES })
const codes = fc.integer({ min: 0, max: 999_999 }).map((code) => String(code).padStart(6, "0"))
const between = fc.array(fc.constantFrom("", " ", "\u00A0", "\u2009", "-", "\u2013", "\u200B", "\t"), {
  minLength: 7,
  maxLength: 7
})

describe("a code", () => {
  property("has six digits, and is that of its random bytes", [bytes], (entropy) => {
    expect(codeFrom(entropy)).toMatch(/^\d{6}$/)
    expect(codeFrom(entropy.slice())).toBe(codeFrom(entropy))
  })

  it("is made of all of its bytes", () => {
    const ofByte = (nth: number) => codeFrom(Uint8Array.from({ length: CODE_ENTROPY_BYTES }, (_, at) => +(at === nth)))
    expect(new Set(Array.from({ length: CODE_ENTROPY_BYTES }, (_, nth) => ofByte(nth))).size).toBe(CODE_ENTROPY_BYTES)
    expect(codeFrom(new Uint8Array(CODE_ENTROPY_BYTES))).toBe("000000")
  })

  property(
    "is read with anything that people put between its digits, and in wide ones",
    [codes, between],
    (code, gaps) => {
      const typed = gaps.map((gap, nth) => `${gap}${code[nth] ?? ""}`).join("")
      const wide = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
      expect([typed, shownCode(code), wide].map(typedCode)).toEqual([code, code, code])
    }
  )

  property(
    "is nothing that has not six digits",
    [codes, fc.constantFrom("1", "a", ".", "+", "\u0661")],
    (code, more) => {
      for (const text of ["", code.slice(1), `${code}${more}`, `${more}${code}`, `${more}${code.slice(2)}x`])
        expect(typedCode(text)).toBe(null)
    }
  )
})
