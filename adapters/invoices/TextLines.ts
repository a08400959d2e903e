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

/** What a person sees as one character each. Controls are spaces: they have no picture, and some would reorder the line. */
const clustersOf = (paragraph: string, { face, size }: TextBox): ReadonlyArray<Cluster> => {
  const visible = paragraph.replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, " ")
  const { levels } = bidi.getEmbeddingLevels(visible)
  return [...segmenter.segment(visible)].flatMap(({ segment, index }) => {
    const level = levels[index] ?? 0
    const mirrored = level % 2 === 1 ? (bidi.getMirroredCharacter(segment) ?? segment) : segment
    const font = fontFor(mirrored, face)
    const text = font === undefined ? UNPRINTABLE : drawable(mirrored, font, face)
    if (text === "") return []
    const name = font ?? "text"
    return [{ text, font: name, level, isSpace: /^\s+$/u.test(text), width: widthOf(text, name, face, size) }]
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
  return reordered(grouped(line, together)).map(runOf)
}

/** Lines from top to bottom, each with its runs from left to right. An empty text is one empty line. */
export const linesOf = (text: string, box: TextBox): ReadonlyArray<ReadonlyArray<Run>> =>
  text.split("\n").flatMap((paragraph) => broken(clustersOf(paragraph, box), box).map(printable))
