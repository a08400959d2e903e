// When a link is due: its order's beginning and the days that its quote promised. A day has 24 hours, in UTC.
import { DAY_MS, type Millis } from "../shared/DecisionContext.ts"
import { isOnline, type Link } from "./Link.ts"

type Dated = Pick<Link, "history" | "turnaroundDays">

/** The first step of a link is of the moment its order began. */
export const orderedAtMs = ({ history: [first] }: Pick<Link, "history">): Millis => first?.atMs ?? 0

/** `null` where the quote promised nothing. */
export const dueAtMs = (link: Dated): Millis | null =>
  link.turnaroundDays === null ? null : orderedAtMs(link) + link.turnaroundDays * DAY_MS

/** Whether its time is over while it is neither online nor cancelled. */
export const isOverdue = (link: Dated & Pick<Link, "status">, nowMs: Millis): boolean => {
  const due = dueAtMs(link)
  return due !== null && due < nowMs && link.status !== "cancelled" && !isOnline(link.status)
}
