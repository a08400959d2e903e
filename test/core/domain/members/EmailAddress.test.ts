// Addresses that mail can be sent to.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isEmailAddress } from "#core/domain/members/Member.ts"
import { property } from "#test/Property.ts"

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/)
const host = fc.array(label, { minLength: 2, maxLength: 4 })

describe("an address", () => {
  property(
    "has one @ and a host of labels with a dot between them",
    [fc.emailAddress(), label, host],
    (usual, name, labels) => {
      expect(isEmailAddress(usual)).toBe(!/["(),:;<>[\]\\]/.test(usual) && usual.length <= 254)
      expect(isEmailAddress(`${name}@${labels.join(".")}`)).toBe(true)
      for (const between of ["..", ".@", "@", "＠", "﹫", " "]) {
        const [first = "", ...others] = labels
        expect(isEmailAddress(`${name}@${first}${between}${others.join(".")}`), between).toBe(false)
      }
    }
  )

  it.each([
    "a@x..example",
    "a@.x.example",
    "a@x.example.",
    "a＠x.example",
    "a@x＠y.example",
    "a@x",
    "@x.example",
    "a@",
    "a b@x.example",
    "a@x.example\u200b"
  ])("is not %j", (text) => {
    expect(isEmailAddress(text)).toBe(false)
  })

  it.each(["a@x.example", "jörg@müller.example", "a.b+c@mail.x.example", "'o@x.example"])("may be %j", (text) => {
    expect(isEmailAddress(text)).toBe(true)
  })

  it("has at most 254 characters", () => {
    const long = (length: number) => "@x.example".padStart(length, "a")
    expect([isEmailAddress(long(254)), isEmailAddress(long(255))]).toEqual([true, false])
  })
})
