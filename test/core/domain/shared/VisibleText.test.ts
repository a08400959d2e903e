// What may not stand in anchor texts and target URLs, and what counts as visible.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hiddenCharacterFault, isVisible } from "#core/domain/shared/VisibleText.ts"
import { property } from "#test/Property.ts"

const codePoints = (...ranges: ReadonlyArray<readonly [number, number]>) =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)))

// Written out, because the rules use Unicode's own properties.
const bidiControls = codePoints([0x061c, 0x061c], [0x200e, 0x200f], [0x202a, 0x202e], [0x2066, 0x2069])
const zeroWidths = codePoints(
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x115f, 0x1160],
  [0x180e, 0x180e],
  [0x200b, 0x200d],
  [0x2060, 0x2064],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xe0001, 0xe0001],
  [0xe0020, 0xe007f],
  [0xe0100, 0xe01ef]
)
const unassigned = ["\u0378", "\u2065", "\ufdd0", "\uffff", "\u{1ffff}", "\u{e0fff}", "\u{10ffff}"]

// No emoji and no letters that join: between these a joiner is needed.
const plain = fc.stringMatching(/^[a-zäßщ한あ€ .,!0-9-]{0,20}$/u)
const spliced = (hidden: ReadonlyArray<string>) => fc.tuple(plain, fc.constantFrom(...hidden), plain)

describe("hidden characters", () => {
  for (const [kind, characters, words] of [
    ["breaks the line", ["\u2028", "\u2029"], "which breaks the line."],
    ["changes the direction of text", bidiControls, "which changes the direction of text."],
    ["has no width", zeroWidths, "which has no width and is not seen."],
    ["is assigned to nothing", unassigned, "to which Unicode assigns no character."]
  ] as const) {
    property(`what ${kind} is named, wherever it stands`, [spliced(characters)], ([before, hidden, after]) => {
      const name = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")
      expect(hiddenCharacterFault(before + hidden + after)).toBe(`Must not contain U+${name}, ${words}`)
    })
  }

  property("text without them has no fault", [plain], (text) => {
    expect(hiddenCharacterFault(text)).toBeUndefined()
  })

  it.each(["jardín", "مرحبا", "שלום", "हिन्दी", "ไทย", "日本語", "한국어", "❤️", "☎︎", "👍🏽", "🇫🇷", "e\u0301", "“–…”"])(
    "%s has no fault and is visible",
    (text) => {
      expect(hiddenCharacterFault(text)).toBeUndefined()
      expect(isVisible(text)).toBe(true)
    }
  )
})

describe("a joiner", () => {
  it.each([
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", // Persian: "I want"
    "\u0915\u094d\u200d\u0937", // Devanagari: a half form
    "👨\u200d👩\u200d👧",
    "❤\ufe0f\u200d🔥",
    "👩🏽\u200d🚀"
  ])("is taken where a script or an emoji needs it: %s", (text) => {
    expect(hiddenCharacterFault(text)).toBeUndefined()
  })

  it.each([
    "a\u200cb",
    "\u0645\u200c",
    "\u200c\u0645",
    "\u0645\u200ca",
    "\u0645\u200c\u200c\u0645",
    "👨\u200da",
    "a\u200d👨",
    "3\u200d4"
  ])("is refused elsewhere: %j", (text) => {
    expect(hiddenCharacterFault(text)).toMatch(/^Must not contain U\+200[CD], which has no width and is not seen\.$/)
  })
})

describe("visible text", () => {
  const blanks = [" ", "\u00a0", "\u1680", "\u2003", "\u2028", "\u3000", "\u2800", "\u0301", "\ufe0f", "\ue000"]
  const blank = fc.array(fc.constantFrom(...blanks, ...zeroWidths, ...bidiControls), { maxLength: 20 })

  property("has at least one character that can be seen", [blank, plain, blank], (before, text, after) => {
    expect(isVisible([...before, ...after].join(""))).toBe(false)
    expect(isVisible([...before, text, ...after].join(""))).toBe(text.trim() !== "")
  })
})
