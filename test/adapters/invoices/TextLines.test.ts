// Text as printable lines: nothing is lost, nothing is wider than its column, right-to-left writing is in its visual order and does not
// reorder what is beside it, and the scripts of Asia have their fonts.
import bidiModule from "bidi-js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { loadWanted, widthOf } from "#adapters/invoices/Fonts.ts"
import { linesOf, type Printed, type Run, type TextBox, UNPRINTABLE } from "#adapters/invoices/TextLines.ts"
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

  property("stand beside other texts without reordering them", [mixed, mixed], (one, other) => {
    const alone = (text: string) => seen(linesOf(text, WIDE)[0] ?? [])
    const beside = seen(linesOf([`12 (`, one, `) 34 "`, other, `" 5.00 EUR`], WIDE)[0] ?? [])
    expect(beside).toBe(`12 (${alone(one)}) 34 "${alone(other)}" 5.00 EUR`)
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
    expect(linesOf("a🦊𒀀", WIDE)[0]).toEqual([
      { text: "a", font: "text" },
      { text: "🦊", font: "emoji" },
      { text: UNPRINTABLE, font: "text" }
    ])
  })

  it("show controls, those of direction included, as spaces", () => {
    expect(textOf(linesOf("a\u202Eb\u0007c\u2066d", WIDE)[0] ?? [])).toBe("a b c d")
  })

  it("show isolates as spaces too, where a text is beside others", () => {
    expect(textOf(linesOf(["a\u2068b", "c\u2069d"], WIDE)[0] ?? [])).toBe("a bc d")
  })

  it("keep the lines of an address apart", () => {
    expect(linesOf("1 quai du Port\n13002 Marseille", WIDE).map(textOf)).toEqual(["1 quai du Port", "13002 Marseille"])
    expect(linesOf("", WIDE)).toEqual([[]])
  })
})

/** Laid out again once the fonts that it lacked are loaded. */
const withFonts = async (text: Printed, box: TextBox): Promise<ReadonlyArray<ReadonlyArray<Run>>> => {
  const lines = linesOf(text, box)
  return (await loadWanted()).length === 0 ? lines : withFonts(text, box)
}

const NAMES = {
  "simplified Chinese": ["深圳市腾讯计算机系统有限公司 喆镕", /^noto-sans-sc-/],
  "traditional Chinese": ["臺灣積體電路製造股份有限公司 堃", /^noto-sans-(?:sc|jp)-/],
  Japanese: ["株式会社ﾄﾖﾀ・髙島屋 𠮷野家ラーメン〒", /^noto-sans-jp-/],
  Korean: ["삼성전자 주식회사 (三星) 뷁", /^noto-sans-kr-/],
  "Korean in single letters": ["한국어".normalize("NFD"), /^noto-sans-kr-/],
  Hindi: ["हिन्दुस्तान यूनिलीवर लिमिटेड १२३", /^noto-sans-devanagari-/],
  Thai: ["บริษัท น้ำดื่มสิงห์ จำกัด ฯ ๑๒", /^noto-sans-thai-/]
} as const

describe("names in other scripts", () => {
  for (const face of ["regular", "bold"] as const) {
    it.each(Object.entries(NAMES))(`are printed in a ${face} font of their script: %s`, async (_, [name, font]) => {
      const [line = []] = await withFonts(name, { ...WIDE, face })
      const letters = line.filter(({ text }) => /[\p{L}\p{M}]/u.test(text))
      for (const run of letters) expect(run.font, run.text).toMatch(font)
      // Sara am after a tone mark is printed in its parts, which are its compatibility decomposition in another order.
      const parts = (text: string) => [...text.normalize("NFC").replaceAll("\u0E33", "\u0E4D\u0E32")].sort().join("")
      expect(parts(textOf(line))).toBe(parts(name))
    })
  }

  it("fit their column, which divides them where they have no spaces", async () => {
    for (const [name] of Object.values(NAMES)) {
      const lines = await withFonts(name, COLUMN)
      for (const line of lines) {
        const width = line.reduce((sum, run) => sum + widthOf(run.text, run.font, "regular", 9), 0)
        expect(width, textOf(line)).toBeLessThanOrEqual(COLUMN.width + 0.01)
      }
    }
  })

  it("are drawn in the shapes of the language of the text", async () => {
    const fontOf = async (text: string) =>
      (await withFonts(text, WIDE))[0]?.find((run) => run.text.includes("直"))?.font
    expect(await fontOf("直")).toMatch(/^noto-sans-sc-/)
    expect(await fontOf("直のラーメン")).toMatch(/^noto-sans-jp-/)
    expect(await fontOf("直 삼성")).toMatch(/^noto-sans-kr-/)
  })

  it("put the ring of a Thai sara am below the tone mark, where it is read", async () => {
    const [line = []] = await withFonts("น้ำ", WIDE)
    expect(textOf(line)).toBe("น\u0E4D้า")
  })
})
