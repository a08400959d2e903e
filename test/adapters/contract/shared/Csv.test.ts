// Lines of CSV: quoted where the format wants it, and without formulas.
import { describe, expect, it } from "vitest"
import { csvLine } from "#adapters/contract/shared/Csv.ts"

describe("a line of CSV", () => {
  it.each([
    ["plain", "plain"],
    ["a,b", '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ["two\nlines", '"two\nlines"'],
    ["=1+1", "'=1+1"],
    ["+33 1", "'+33 1"],
    ["-x", "'-x"],
    ["@cmd", "'@cmd"],
    [" =1", "' =1"],
    ["\t=1", "'\t=1"],
    ["\r=1", '"\'\r=1"'],
    ["＝1", "'＝1"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ["-4.17", "-4.17"],
    ["-4.17+1", "'-4.17+1"],
    [-5, "-5"],
    [null, ""]
  ])("has %j as %s", (value, cell) => expect(csvLine([value, "x"])).toBe(`${cell},x\r\n`))
})
