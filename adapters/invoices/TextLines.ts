// Any text as printable lines: broken to a width, in the visual order of right-to-left writing, in fonts that have its characters.
import bidiModule from "bidi-js"
import { drawable, type Face, type FontName, fontFor, widthOf } from "./Fonts.ts"

/** Stands for a character that no font has; the embedded XML has the character itself. */
export const UNPRINTABLE = "\u25AF"

export interface Run {
  readonly text: string
  readonly font: FontName
}

export interface TextBox {
  readonly size: number
  readonly face: Face
  /** In points. */
  readonly width: number
}

interface Cluster extends Run {
  readonly level: number
  readonly isSpace: boolean
  readonly width: number
}

// The package is CommonJS and exports the function itself, which its types call `default`.
const makeBidi = bidiModule as unknown as typeof bidiModule.default
const bidi = makeBidi()
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Around a text whose direction is that of its first letter, and which does not reorder what is beside it. */
const [ISOLATE, POP] = ["\u2068", "\u2069"]

/** Controls are spaces: they have no picture, and some would reorder the line. */
const withoutControls = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, " ")

/** One text has its own direction. Several stand beside each other from left to right. */
const paragraphOf = (texts: ReadonlyArray<string>): string => {
  const [only = "", ...more] = texts.map(withoutControls)
  return more.length === 0 ? only : [only, ...more].map((text) => `${ISOLATE}${text}${POP}`).join("")
}

/** Sara am after a tone mark: its ring belongs below the mark. The font library leaves the order as it is typed. */
const THAI_AM = /([\u0E48-\u0E4B]+)\u0E33/u

/** A font and what it draws of a character; letters that come in pieces are put together where no font has the pieces. */
const drawnBy = (char: string, face: Face, paragraph: string): { readonly text: string; readonly font: FontName } => {
  const ordered = char.replace(THAI_AM, "\u0E4D$1\u0E32")
  for (const form of [ordered, ordered.normalize("NFC")]) {
    const font = fontFor(form, face, paragraph)
    if (font !== undefined) return { text: drawable(form, font, face), font }
  }
  return { text: UNPRINTABLE, font: "text" }
}

/** What a person sees as one character each. */
const clustersOf = (paragraph: string, { face, size }: TextBox): ReadonlyArray<Cluster> => {
  const { levels } = bidi.getEmbeddingLevels(paragraph)
  return [...segmenter.segment(paragraph)].flatMap(({ segment, index }) => {
    const level = levels[index] ?? 0
    // They have no picture, but stay until the line is in its order: texts beside each other are turned round apart.
    if (segment === ISOLATE || segment === POP) return [{ text: "", font: "text", level, isSpace: false, width: 0 }]
    const mirrored = level % 2 === 1 ? (bidi.getMirroredCharacter(segment) ?? segment) : segment
    const { text, font } = drawnBy(mirrored, face, paragraph)
    if (text === "") return []
    return [{ text, font, level, isSpace: /^\s+$/u.test(text), width: widthOf(text, font, face, size) }]
  })
}

const widthOfAll = (clusters: ReadonlyArray<Cluster>): number => clusters.reduce((sum, { width }) => sum + width, 0)

/** Neighbours for which `belong` holds, together. */
const grouped = (
  clusters: ReadonlyArray<Cluster>,
  belong: (a: Cluster, b: Cluster) => boolean
): ReadonlyArray<ReadonlyArray<Cluster>> => {
  const groups: Array<Array<Cluster>> = []
  for (const cluster of clusters) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && belong(last, cluster)) groups.at(-1)?.push(cluster)
    else groups.push([cluster])
  }
  return groups
}

/** Words and the spaces between them; a word that is wider than a line is divided anywhere. */
const wordsOf = (clusters: ReadonlyArray<Cluster>, { width }: TextBox): ReadonlyArray<ReadonlyArray<Cluster>> =>
  grouped(clusters, (a, b) => a.isSpace === b.isSpace).flatMap((word) => {
    if (widthOfAll(word) <= width) return [word]
    let used = 0
    let part = 0
    const parts = word.map((cluster) => {
      used += cluster.width
      if (used > width) {
        part++
        used = cluster.width
      }
      return part
    })
    return [...Map.groupBy(word, (cluster) => parts[word.indexOf(cluster)] ?? 0).values()]
  })

const withoutOuterSpaces = (line: ReadonlyArray<Cluster>): ReadonlyArray<Cluster> =>
  line.slice(
    line.findIndex(({ isSpace }) => !isSpace),
    line.findLastIndex(({ isSpace }) => !isSpace) + 1
  )

const broken = (clusters: ReadonlyArray<Cluster>, box: TextBox): ReadonlyArray<ReadonlyArray<Cluster>> => {
  const lines: Array<Array<Cluster>> = [[]]
  let used = 0
  for (const word of wordsOf(clusters, box)) {
    const wide = widthOfAll(word)
    if (used > 0 && used + wide > box.width && word[0]?.isSpace === false) {
      lines.push([])
      used = 0
    }
    lines.at(-1)?.push(...word)
    used += wide
  }
  return lines.map(withoutOuterSpaces)
}

/** Rule L2 of the bidirectional algorithm, over runs: from the highest level down to 1, what is at least that deep is turned round. */
const reordered = (runs: ReadonlyArray<ReadonlyArray<Cluster>>): ReadonlyArray<ReadonlyArray<Cluster>> => {
  const levelOf = (run: ReadonlyArray<Cluster>): number => run[0]?.level ?? 0
  let order = [...runs]
  for (let level = Math.max(0, ...runs.map(levelOf)); level > 0; level--) {
    const next: Array<ReadonlyArray<Cluster>> = []
    let turned: Array<ReadonlyArray<Cluster>> = []
    for (const run of order) {
      if (levelOf(run) >= level) turned.unshift(run)
      else {
        next.push(...turned, run)
        turned = []
      }
    }
    order = [...next, ...turned]
  }
  return order
}

/** The font library turns round the letters of right-to-left scripts itself, and leaves punctuation as it is. */
const isTurnedByFont = /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u

const runOf = (clusters: ReadonlyArray<Cluster>): Run => {
  const texts = clusters.map(({ text }) => text)
  const isBackward = (clusters[0]?.level ?? 0) % 2 === 1 && !texts.some((text) => isTurnedByFont.test(text))
  return { text: (isBackward ? texts.reverse() : texts).join(""), font: clusters[0]?.font ?? "text" }
}

const printable = (line: ReadonlyArray<Cluster>): ReadonlyArray<Run> => {
  const together = (a: Cluster, b: Cluster): boolean =>
    a.font === b.font && a.level === b.level && (a.level % 2 === 0 || a.isSpace === b.isSpace)
  return reordered(grouped(line, together))
    .map(runOf)
    .filter(({ text }) => text !== "")
}

/** A text, whose line breaks divide it, or texts beside each other. */
export type Printed = string | ReadonlyArray<string>

/** Lines from top to bottom, each with its runs from left to right. An empty text is one empty line. */
export const linesOf = (printed: Printed, box: TextBox): ReadonlyArray<ReadonlyArray<Run>> => {
  const paragraphs = typeof printed === "string" ? printed.split("\n").map((line) => [line]) : [printed]
  return paragraphs.flatMap((texts) => broken(clustersOf(paragraphOf(texts), box), box).map(printable))
}
