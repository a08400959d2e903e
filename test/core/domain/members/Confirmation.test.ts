// The text of an action is what a confirmation is bound to: equal for the same form, different for any other.
import fc from "fast-check"
import { expect, it } from "vitest"
import { type Action, actionText } from "#core/domain/members/Confirmation.ts"
import { property } from "#test/Property.ts"

/** Few characters, among them those that text formats treat specially. */
const text = fc.string({
  unit: fc.constantFrom("a", "b", "", '"', ",", "[", "]", "&", "=", "\\", "\u2028", "é"),
  maxLength: 4
})
const field = fc.tuple(text, text)
const action: fc.Arbitrary<Action> = fc.record({ name: text, fields: fc.array(field, { maxLength: 4 }) })

const sorted = ({ name, fields }: Action) => JSON.stringify([name, fields.map((one) => JSON.stringify(one)).toSorted()])

property(
  "two actions have one text if and only if they are the same, in whatever order their fields come",
  [action, action],
  (a, b) => {
    expect(actionText({ ...a, fields: a.fields.toReversed() })).toBe(actionText(a))
    expect(actionText(a) === actionText(b)).toBe(sorted(a) === sorted(b))
  }
)

it("the spellings of a line break are one", () => {
  const of = (value: string) => actionText({ name: "/", fields: [["domains", value]] })
  expect(of("a\r\nb\rc\nd")).toBe(of("a\nb\nc\nd"))
  expect(of("a\nb")).not.toBe(of("a b"))
})
