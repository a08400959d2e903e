// Text as printable lines: nothing is lost, nothing is wider than its column, and right-to-left writing is in its visual order.
import bidiModule from "bidi-js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { widthOf } from "#adapters/invoices/Fonts.ts"
import { linesOf, type Run, type TextBox, UNPRINTABLE } from "#adapters/invoices/TextLines.ts"
import { property } from "#test/Property.ts"

// The package is CommonJS and exports the function itself, which its types call `default`.
const bidi = (bidiModule as unknown as typeof bidiModule.default)()

const WIDE: TextBox = { size: 9, face: "regular", width: 100_000 }
const COLUMN: TextBox = { size: 9, face: "regular", width: 60 }

const textOf = (runs: ReadonlyArray<Run>): string => runs.map(({ text }) => text).join("")

/** The text that a reader sees: the font turns round the letters of Hebrew. */
const seen = (runs: ReadonlyArray<Run>): string =>
  runs.map(({ text }) => (/\p{Script=Hebrew}/u.test(text) ? [...text].reverse().join("") : text)).join("")

const mixed = fc
  .array(fc.constantFrom("שלום", "ab", "12", "(", ")", "-", ".", "!", " ", "ע", "Z"), { minLength: 1, maxLength: 14 })
  .map((parts) => parts.join("").trim().replaceAll(/ +/g, " "))

describe("lines of text", () => {
  it("put Hebrew words in the order in which they are read", () => {
    expect(linesOf("שלום עולם", WIDE).map((line) => line.map(({ text }) => text))).toEqual([["עולם", " ", "שלום"]])
    expect(seen(linesOf("(שלום) 12", WIDE)[0] ?? [])).toBe("12 (םולש)")
  })

  property("are in the visual order of the bidirectional algorithm", [mixed], (text) => {
    const expected = bidi.getReorderedString(text, bidi.getEmbeddingLevels(text))
    expect(seen(linesOf(text, WIDE)[0] ?? [])).toBe(expected)
  })

  const latin = fc.array(fc.constantFrom("a", "b", " ", "W", ".", "é", "x".repeat(30)), { maxLength: 60 })

  property("lose nothing and fit their column", [latin], (parts) => {
    const text = parts.join("")
    const lines = linesOf(text, COLUMN)
    expect(lines.map(textOf).join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""))
    for (const line of lines) {
      const width = line.reduce((sum, run) => sum + widthOf(run.text, run.font, "regular", 9), 0)
      expect(width).toBeLessThanOrEqual(COLUMN.width + 0.01)
    }
  })

  it("break a long right-to-left text from its beginning", () => {
    const [first = [], second = []] = linesOf("שלום עולם ברוך הבא", COLUMN)
    expect(textOf(first)).toContain("שלום")
    expect(textOf(second)).toContain("הבא")
  })

  it("draw emoji in their font, and what no font has as a box", () => {
    expect(linesOf("a🦊漢", WIDE)[0]).toEqual([
      { text: "a", font: "text" },
      { text: "🦊", font: "emoji" },
      { text: UNPRINTABLE, font: "text" }
    ])
  })

  it("show controls, those of direction included, as spaces", () => {
    expect(textOf(linesOf("a\u202Eb\u0007c\u2066d", WIDE)[0] ?? [])).toBe("a b c d")
  })

  it("keep the lines of an address apart", () => {
    expect(linesOf("1 quai du Port\n13002 Marseille", WIDE).map(textOf)).toEqual(["1 quai du Port", "13002 Marseille"])
    expect(linesOf("", WIDE)).toEqual([[]])
  })
})
