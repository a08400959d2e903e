// An order's life drawn as a line that fills, from its quote to its last verified link. Shapes alone emit how far it is, so
// that it reads without colour.
import { type LinkStatus, STAGES, type Stage } from "#core/domain/Link.ts"
import type { QuoteStatus } from "#core/domain/Quote.ts"

/** Its stops, from left to right. A link that waits to be assigned has been paid, and no more. */
export const MILESTONES = ["quoted", "paid", ...STAGES.slice(1)] as const

/** What stands below the stops of a long line, and the letters above those of a short one. */
export const LABELS = ["quote", "pay", "assign", "draft", "review", "approve", "publish", "verify"] as const
export const LETTERS = LABELS.map((label) => label.slice(0, 1).toUpperCase())

export interface Life {
  readonly quote: QuoteStatus
  /** Of every link, once the order exists. */
  readonly links: ReadonlyArray<LinkStatus>
}

export interface ProgressBar {
  /** What is behind it. */
  readonly done: string
  /** What may still come; empty once nothing can. */
  readonly ahead: string
}

const ALL = { stop: "●", way: "━" }
const SOME = { stop: "◐", way: "━" }
const NONE = { stop: "○", way: "─" }
const ENDED = "✕"

const stationOf = (status: Stage): number => STAGES.indexOf(status) + 1

/** The stations that the last and the first of the living links have reached. */
const reached = ({ quote, links }: Life): { readonly all: number; readonly some: number } => {
  const living = links.filter((status) => status !== "cancelled").map(stationOf)
  if (living.length === 0) return quote === "paid" ? { all: 1, some: 1 } : { all: 0, some: 0 }
  return { all: Math.min(...living), some: Math.max(...living) }
}

/** Nothing more will come of it. */
export const hasEnded = ({ quote, links }: Life): boolean =>
  quote === "abandoned" || (links.length > 0 && links.every((status) => status === "cancelled"))

/** `gap`: cells between two stops. Eight stops and seven gaps are its whole width. */
export const progressBar = (life: Life, gap: number): ProgressBar => {
  const { all, some } = reached(life)
  const draw = (index: number): string => {
    const { stop, way } = index <= all ? ALL : index <= some ? SOME : NONE
    return index === 0 ? stop : way.repeat(gap) + stop
  }
  const stops = MILESTONES.map((_, index) => draw(index))
  const done = stops.slice(0, some + 1).join("")
  return hasEnded(life)
    ? { done: `${done}${ALL.way.repeat(gap)}${ENDED}`, ahead: "" }
    : { done, ahead: stops.slice(some + 1).join("") }
}

export const progressBarWidth = (gap: number): number => MILESTONES.length + (MILESTONES.length - 1) * gap

/** Where it stands, in words. */
export const statusText = (life: Life): string => {
  const { quote, links } = life
  if (quote === "abandoned") return "abandoned"
  if (quote === "awaiting_payment") return "awaiting payment"
  if (hasEnded(life)) return "cancelled"
  const { all, some } = reached(life)
  const living = links.filter((status) => status !== "cancelled")
  const ahead = living.filter((status) => stationOf(status) === some).length
  const name = (MILESTONES[some] ?? "paid").replace("_", " ")
  return all === some ? name : `${name} ${ahead}/${living.length}`
}
