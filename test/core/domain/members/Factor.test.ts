// The pure rules of second factors: how codes are typed, how many are looked at, and which counters of authenticators rise.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  CODE_BOUNDS,
  counterRises,
  mayTryCode,
  purposeText,
  resetCodeKey,
  resetCodeText,
  totpCodeKey
} from "#core/domain/members/Factor.ts"
import { property } from "#test/Property.ts"

const hex = fc.stringMatching(/^[0-9A-F]{20}$/)

describe("codes as they are typed", () => {
  it("count with blanks, hyphens and small letters, and with nothing else", () => {
    expect(resetCodeKey(" 0a1b-2c3d 4e5f-6071-8293\n")).toBe("0A1B2C3D4E5F60718293")
    for (const other of [
      "",
      "0A1B-2C3D-4E5F-6071-829",
      "0A1B-2C3D-4E5F-6071-82934",
      "0A1B-2C3D-4E5F-6071-829G",
      "123456"
    ]) {
      expect(resetCodeKey(other)).toBe(null)
    }
    expect(totpCodeKey(" 012 345 ")).toBe("012345")
    for (const other of ["", "12345", "1234567", "12345a", "١٢٣٤٥٦", "0A1B-2C3D-4E5F-6071-8293"]) {
      expect(totpCodeKey(other)).toBe(null)
    }
  })

  property("a one-time code is read back from its text", [hex], (key) => {
    expect(resetCodeKey(resetCodeText(key))).toBe(key)
    expect(totpCodeKey(resetCodeText(key))).toBe(null)
  })
})

describe("attempts", () => {
  const [hour, day] = CODE_BOUNDS

  property(
    "are never more in an hour or a day than the bounds, however they come, and one is let through again later",
    [fc.array(fc.integer({ min: 0, max: 3 * day.windowMs }), { maxLength: 120 })],
    (times) => {
      let tried: ReadonlyArray<number> = []
      for (const atMs of times.toSorted((a, b) => a - b)) if (mayTryCode(tried, atMs)) tried = [...tried, atMs]
      for (const { windowMs, limit } of CODE_BOUNDS) {
        for (const from of tried) {
          expect(tried.filter((atMs) => atMs >= from && atMs < from + windowMs).length).toBeLessThanOrEqual(limit)
        }
      }
      const last = tried.at(-1) ?? 0
      expect(mayTryCode(tried, last + day.windowMs)).toBe(true)
    }
  )

  it("are ten in an hour", () => {
    const ten = Array.from({ length: hour.limit }, (_, n) => n)
    expect(mayTryCode(ten.slice(1), 100)).toBe(true)
    expect(mayTryCode(ten, 100)).toBe(false)
    expect(mayTryCode(ten, hour.windowMs)).toBe(true)
  })
})

it("a counter rises, or is not kept at all", () => {
  expect([counterRises(0, 0), counterRises(0, 1), counterRises(4, 5)]).toEqual([true, true, true])
  expect([counterRises(1, 0), counterRises(5, 5), counterRises(5, 4)]).toEqual([false, false, false])
})

it("purposes have texts of their own", () => {
  const purposes = [
    { kind: "sign_in" },
    { kind: "add_passkey" },
    { kind: "confirm", actionHash: "a" },
    { kind: "confirm", actionHash: "b" }
  ] as const
  expect(new Set(purposes.map(purposeText)).size).toBe(4)
})
