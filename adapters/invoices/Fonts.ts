// The fonts of rendered documents: DejaVu Sans, and Noto Emoji for what it lacks. What neither has is printed as a white box.
import { createRequire } from "node:module"
import { type Font, openSync } from "fontkit"

export type Face = "regular" | "bold"
export type FontName = "text" | "emoji"

const { resolve } = createRequire(import.meta.url)

const FILES: Readonly<Record<FontName, Readonly<Record<Face, string>>>> = {
  text: {
    regular: resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
    bold: resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf")
  },
  emoji: {
    regular: resolve("@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf"),
    bold: resolve("@expo-google-fonts/noto-emoji/700Bold/NotoEmoji_700Bold.ttf")
  }
}

/** The fonts in the form that pdfmake takes. */
export const fontDictionary = Object.fromEntries(
  Object.entries(FILES).map(([name, { regular, bold }]) => [name, { normal: regular, bold }])
)

export const fontFiles: ReadonlySet<string> = new Set(Object.values(FILES).flatMap((faces) => Object.values(faces)))

const opened = new Map<string, Font>()

const fontOf = (name: FontName, face: Face): Font => {
  const file = FILES[name][face]
  const found = opened.get(file)
  if (found !== undefined) return found
  // A file with one font, which `openSync` returns as such.
  const font = openSync(file) as Font
  opened.set(file, font)
  return font
}

/** Joiners and variation selectors, which have no picture. */
const INVISIBLE = /^(?:\u200C|\u200D|\uFE0E|\uFE0F)$/

const covers = (font: Font, cluster: string): boolean =>
  [...cluster].every((char) => INVISIBLE.test(char) || font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0))

/** The first font that has the whole cluster; `undefined` where none has. */
export const fontFor = (cluster: string, face: Face): FontName | undefined => {
  if (covers(fontOf("text", face), cluster)) return "text"
  return covers(fontOf("emoji", face), cluster) ? "emoji" : undefined
}

/** The part of the cluster that the font can draw, without selectors that it has no glyph for. */
export const drawable = (cluster: string, name: FontName, face: Face): string => {
  const font = fontOf(name, face)
  return [...cluster].filter((char) => font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0)).join("")
}

/** In points. */
export const widthOf = (text: string, name: FontName, face: Face, size: number): number => {
  const font = fontOf(name, face)
  return (font.layout(text).advanceWidth * size) / font.unitsPerEm
}
