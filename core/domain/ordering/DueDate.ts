// When a link is due: its order's beginning and the days that its quote promised. A day has 24 hours, in UTC.
import { DAY_MS, type Millis } from "../shared/DecisionContext.ts"
import { canCancel, isOnline, type Link } from "./Link.ts"

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

/** When the first of these that is worked on is due, or was; `Infinity` where none has a date. */
export const firstDueMs = (links: ReadonlyArray<Dated & Pick<Link, "status">>): Millis =>
  Math.min(...links.flatMap((link) => (canCancel(link.status) ? (dueAtMs(link) ?? []) : [])))

/** Those that are overdue come first, the longest overdue before the others; then what is due next. Otherwise their order stays. */
export const byDueDate = <One extends { readonly links: ReadonlyArray<Dated & Pick<Link, "status">> }>(
  orders: ReadonlyArray<One>
): ReadonlyArray<One> =>
  orders
    .map((one) => ({ one, dueMs: firstDueMs(one.links) }))
    .toSorted((a, b) => (a.dueMs === b.dueMs ? 0 : a.dueMs - b.dueMs))
    .map(({ one }) => one)
