// An order's progress as a line of stops, from its quote to its last verified link. Reads without colour.
import { type LinkStatus, STAGES, type Stage } from "#core/domain/ordering/Link.ts"
import type { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"

/** From left to right. A link that waits to be assigned is at the stop of the payment. */
export const MILESTONES = ["quoted", "paid", ...STAGES.slice(1)] as const

/** Below the stops of a long bar, and the letters above those of a short one. */
export const LABELS = ["quote", "pay", "assign", "draft", "review", "approve", "publish", "verify"] as const
export const LETTERS = LABELS.map((label) => label.slice(0, 1).toUpperCase())

export interface OrderProgress {
  readonly quote: QuoteStatus
  /** One for each link; empty before the order is placed. */
  readonly links: ReadonlyArray<LinkStatus>
}

export interface ProgressBar {
  readonly done: string
  /** Empty once the order has ended. */
  readonly ahead: string
}

const ALL = { stop: "●", line: "━" }
const SOME = { stop: "◐", line: "━" }
const NONE = { stop: "○", line: "─" }
const ENDED = "✕"

const milestoneOf = (status: Stage): number => STAGES.indexOf(status) + 1

const activeMilestones = (links: OrderProgress["links"]): ReadonlyArray<number> =>
  links.filter((status) => status !== "cancelled").map(milestoneOf)

/** The milestones of the hindmost and the foremost link that is not cancelled. */
const reached = ({ quote, links }: OrderProgress): { readonly all: number; readonly some: number } => {
  const active = activeMilestones(links)
  if (active.length === 0) return quote === "paid" ? { all: 1, some: 1 } : { all: 0, some: 0 }
  return { all: Math.min(...active), some: Math.max(...active) }
}

/** Abandoned or cancelled. */
export const hasEnded = ({ quote, links }: OrderProgress): boolean =>
  quote === "abandoned" || (links.length > 0 && links.every((status) => status === "cancelled"))

/** `gap`: cells between two stops. */
export const progressBar = (progress: OrderProgress, gap: number): ProgressBar => {
  const { all, some } = reached(progress)
  const stops = MILESTONES.map((_, index) => {
    const { stop, line } = index <= all ? ALL : index <= some ? SOME : NONE
    return index === 0 ? stop : line.repeat(gap) + stop
  })
  const done = stops.slice(0, some + 1).join("")
  return hasEnded(progress)
    ? { done: `${done}${ALL.line.repeat(gap)}${ENDED}`, ahead: "" }
    : { done, ahead: stops.slice(some + 1).join("") }
}

export const progressBarWidth = (gap: number): number => MILESTONES.length + (MILESTONES.length - 1) * gap

/** The status in words, such as "published 1/2". */
export const statusText = (progress: OrderProgress): string => {
  const { quote, links } = progress
  if (quote === "abandoned") return "abandoned"
  if (quote === "awaiting_payment") return "awaiting payment"
  if (hasEnded(progress)) return "cancelled"
  const { all, some } = reached(progress)
  const active = activeMilestones(links)
  const name = (MILESTONES[some] ?? "paid").replace("_", " ")
  return all === some ? name : `${name} ${active.filter((milestone) => milestone === some).length}/${active.length}`
}
