// The fonts of rendered documents: DejaVu Sans, Noto Emoji for what it lacks, and Noto Sans for other scripts, of which a document loads the
// slices that it needs. What none has is printed as a white box.
import { createRequire } from "node:module"
import { create, type Font, openSync } from "fontkit"
import { ofWeight, type ScriptFont, scriptFontsFor } from "./ScriptFonts.ts"

export type Face = "regular" | "bold"

/** `text`, `emoji`, or the name of a script's font. */
export type FontName = string

const { resolve } = createRequire(import.meta.url)

const FILES: Readonly<Record<"text" | "emoji", Readonly<Record<Face, string>>>> = {
  text: {
    regular: resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
    bold: resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf")
  },
  emoji: {
    regular: resolve("@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf"),
    bold: resolve("@expo-google-fonts/noto-emoji/700Bold/NotoEmoji_700Bold.ttf")
  }
}

/** The weights of fonts that come in all of them. */
const WEIGHTS: Readonly<Record<Face, number>> = { regular: 400, bold: 700 }

export const fontFiles: ReadonlySet<string> = new Set(Object.values(FILES).flatMap((faces) => Object.values(faces)))

export interface LoadedFace {
  /** Names the face among files. */
  readonly key: string
  readonly name: FontName
  readonly face: Face
  readonly bytes: Buffer
}

const keyOf = (name: FontName, face: Face): string => `${name}-${face}`

/** The fonts in the form that pdfmake takes: files by their paths, and loaded faces by their keys. */
export const fontDictionary = (loaded: Iterable<LoadedFace>) => {
  const fonts: Record<FontName, { normal?: string; bold?: string }> = Object.fromEntries(
    Object.entries(FILES).map(([name, { regular, bold }]) => [name, { normal: regular, bold }])
  )
  for (const { key, name, face } of loaded) {
    fonts[name] = { ...fonts[name], [face === "bold" ? "bold" : "normal"]: key }
  }
  return fonts
}

const opened = new Map<string, Font>()
for (const [name, faces] of Object.entries(FILES)) {
  for (const face of ["regular", "bold"] as const) {
    // A file with one font, which `openSync` returns as such.
    opened.set(keyOf(name, face), openSync(faces[face]) as Font)
  }
}

/** Faces that texts asked for before they were loaded. */
const wanted = new Map<string, { readonly font: ScriptFont; readonly face: Face }>()

/** Loads the faces that the texts laid out so far lacked, and names them. Texts that lacked some are to be laid out again. */
export const loadWanted = async (): Promise<ReadonlyArray<LoadedFace>> => {
  const faces = [...wanted.values()]
  wanted.clear()
  return Promise.all(
    faces.map(async ({ font, face }) => {
      const [key, bytes] = [keyOf(font.name, face), await ofWeight(font, WEIGHTS[face])]
      // A file with one font, as above.
      opened.set(key, create(bytes) as Font)
      return { key, name: font.name, face, bytes }
    })
  )
}

/** Joiners and variation selectors, which have no picture. */
const INVISIBLE = /^(?:\u200C|\u200D|\uFE0E|\uFE0F)$/

const visible = (cluster: string): ReadonlyArray<string> => [...cluster].filter((char) => !INVISIBLE.test(char))

const covers = (font: Font | undefined, cluster: string): boolean =>
  visible(cluster).every((char) => font?.hasGlyphForCodePoint(char.codePointAt(0) ?? 0) === true)

/** The first font that has the whole cluster of the text; `undefined` where none has, or its face is not loaded yet. */
export const fontFor = (cluster: string, face: Face, text: string): FontName | undefined => {
  for (const name of ["text", "emoji"]) if (covers(opened.get(keyOf(name, face)), cluster)) return name
  for (const font of scriptFontsFor(visible(cluster), text)) {
    const key = keyOf(font.name, face)
    const loaded = opened.get(key)
    if (loaded === undefined) {
      wanted.set(key, { font, face })
      return undefined
    }
    if (covers(loaded, cluster)) return font.name
  }
  return undefined
}

const fontOf = (name: FontName, face: Face): Font => {
  const font = opened.get(keyOf(name, face))
  if (font === undefined) throw new Error(`the font ${keyOf(name, face)} is not loaded`)
  return font
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
