// Noto Sans for scripts that DejaVu Sans lacks: Devanagari, Thai, Hangul, Kana and Han. The packages have variable fonts in slices, as browsers
// load them; a slice that a document needs is made into a font of one weight. All of them together are some 30 MB.
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

/** The package has no types. Its other options are not needed: every glyph of a slice is kept, and so are the rules that shape them. */
type MakeFont = (
  file: Buffer,
  text: undefined,
  options: {
    readonly keepAllGlyphs: true
    readonly targetFormat: "truetype"
    readonly variationAxes: Readonly<Record<"wght", number>>
  }
) => Promise<Buffer>

const makeFont: MakeFont = require("subset-font")

export interface ScriptFont {
  readonly name: string
  readonly file: string
  readonly ranges: ReadonlyArray<readonly [first: number, last: number]>
}

/** From `U+4e00-4e07` or `U+4e00`. */
const rangeOf = (text: string): ScriptFont["ranges"][number] => {
  const [first = Number.NaN, last = first] = text
    .trim()
    .slice("U+".length)
    .split("-")
    .map((hex) => Number.parseInt(hex, 16))
  return [first, last]
}

const slicesOf = (family: string): ReadonlyArray<ScriptFont> => {
  const folder = `@fontsource-variable/noto-sans-${family}`
  const slices: Readonly<Record<string, string>> = require(`${folder}/unicode.json`)
  return Object.entries(slices).map(([slice, ranges]) => {
    const name = `noto-sans-${family}-${slice.replaceAll(/[[\]]/g, "")}`
    const file = require.resolve(`${folder}/files/${name}-wght-normal.woff2`)
    return { name, file, ranges: ranges.split(",").map(rangeOf) }
  })
}

const others = ["devanagari", "thai"].flatMap(slicesOf)
const [chinese, japanese, korean] = [slicesOf("sc"), slicesOf("jp"), slicesOf("kr")]

/** Han characters are drawn as the language of the text draws them. Each font has some that the others lack. */
const familiesFor = (text: string): ReadonlyArray<ScriptFont> => {
  if (/\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text)) return [...japanese, ...chinese, ...korean, ...others]
  if (/\p{Script=Hangul}/u.test(text)) return [...korean, ...japanese, ...chinese, ...others]
  return [...others, ...chinese, ...japanese, ...korean]
}

const isIn = ({ ranges }: ScriptFont, char: string): boolean => {
  const codePoint = char.codePointAt(0) ?? 0
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last)
}

/** The fonts that say they have each of the characters, best first. `text` is what they stand in. */
export const scriptFontsFor = (chars: ReadonlyArray<string>, text: string): ReadonlyArray<ScriptFont> =>
  familiesFor(text).filter((font) => chars.every((char) => isIn(font, char)))

/** A font of one weight, as a file. The same bytes on every machine. */
export const ofWeight = async ({ file }: ScriptFont, weight: number): Promise<Buffer> =>
  makeFont(await readFile(file), undefined, {
    keepAllGlyphs: true,
    targetFormat: "truetype",
    variationAxes: { wght: weight }
  })
