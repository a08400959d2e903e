// Formatted text keeps to its width in cells, and the graph to its size.
import { displayWidth } from "effect/cli/CliOutput"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clock, column, columnRight, euros, sentence, shortId, until } from "#bench/ui/Format.ts"
import { graph } from "#bench/ui/Graph.ts"
import { property } from "#test/Property.ts"
import { NOON } from "../model/SampleParts.ts"

/** Characters of one cell, of two, and of a width that terminals disagree about. */
const LETTERS = ["a", " ", "é", "e\u0301", "漢", "한", "（", "🦊", "❤", "☎"]
const DISPUTED = ["👩‍👩‍👧", "👍🏽", "❤️", "1️⃣", "🇫🇷", "🇫", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u200d", "\ufe0f", "\u00ad", "\u3164", "\ud83d"]

const anyText = fc
  .array(fc.oneof(fc.string({ unit: "grapheme-ascii" }), fc.constantFrom(...LETTERS, ...DISPUTED)))
  .map((parts) => parts.join(""))

/** The width without joining: each code point by itself. */
const widthApart = (text: string): number => Array.from(text).reduce((cells, one) => cells + displayWidth(one), 0)

describe("a column", () => {
  property(
    "is exactly as wide as asked, whatever is in it, on every terminal",
    [anyText, fc.nat(40)],
    (text, cells) => {
      for (const written of [column(text, cells), columnRight(text, cells)]) {
        expect(displayWidth(written)).toBe(cells)
        expect(widthApart(written)).toBe(cells)
      }
    }
  )

  it("shows emoji one by one, and flags as their letters", () => {
    expect(column("👩‍👩‍👧 ❤️ 👍🏽 1️⃣ 🇫🇷", 20)).toBe("👩👩👧 ❤ 👍 1 FR    ")
  })

  it("counts cells, of which some characters take two, and splits no character", () => {
    expect(column("漢字", 6)).toBe("漢字  ")
    expect(column("漢字漢字", 6)).toBe("漢字… ")
    expect(column("ab🦊cd", 4)).toBe("ab… ")
    expect(columnRight("漢字", 6)).toBe("  漢字")
  })

  it("ends truncated text with an ellipsis, and keeps to one line", () => {
    expect(column("published", 6)).toBe("publi…")
    expect(column("a\nb\u001b[0m", 9)).toBe("a b [0m  ")
    expect(columnRight("1.00", 6)).toBe("  1.00")
  })
})

describe("times, amounts and ids", () => {
  const DAY = 86_400_000

  it.each([
    [NOON, "12:00:00"],
    [NOON + 1_000, "12:00:01"],
    [NOON + DAY, "+1 12:00"],
    [NOON + 13 * 3_600_000, "+1 01:00"],
    [NOON - DAY, "−1 12:00"]
  ])("%d is %s", (atMs, text) => expect(clock(atMs, NOON)).toBe(text))

  it.each([
    [-5, "0s"],
    [900, "1s"],
    [119_000, "119s"],
    [120_000, "2m"],
    [7_200_000, "2h"],
    [DAY * 2, "2d"]
  ])("in %d ms is %s", (ms, text) => expect(until(NOON + ms, NOON)).toBe(text))

  it("writes amounts with two decimals and a real minus", () => {
    expect([0, 5, 1_250, -400].map(euros)).toEqual(["0.00", "0.05", "12.50", "−4.00"])
  })

  it("shortens ids to their kind and end, and marks sandbox", () => {
    expect(shortId("ord_01jt9m8x05bbbbbbbbbbb9c2m00")).toBe("ord_…9c2m00")
    expect(shortId("q_test_01jt9m8x20eeeeeeeeeee5h4n00")).toBe("q_t…5h4n00")
    expect(shortId("led_1")).toBe("led_1")
    expect(sentence("Order ord_01jt9m8x05bbbbbbbbbbbb9c2m00\nis paid.")).toBe("Order ord_…9c2m00 is paid.")
  })
})

describe("the graph", () => {
  it("scales to the largest amount, and shows the newest at the right", () => {
    expect(graph([0, 50, 100], 5, 1)).toEqual(["   ▄█"])
    expect(graph([25, 50, 75, 100], 4, 2)).toEqual(["  ▄█", "▄███"])
  })

  property("keeps to its size", [fc.array(fc.integer({ min: -10, max: 1_000_000 })), fc.nat(60)], (amounts, width) => {
    const rows = graph(amounts, width + 1, 3)
    expect(rows.map((row) => row.length)).toEqual([width + 1, width + 1, width + 1])
  })
})
