// How the links of an account stand: what is in work, what of it is overdue, and what went online lately; and the place of a link in its list.
import { Schema } from "effect"
import { DAY_MS, Millis } from "../shared/DecisionContext.ts"
import type { LinkId } from "../shared/Ids.ts"
import { dueAtMs, isOverdue } from "./DueDate.ts"
import { canCancel, isOnline, type Link } from "./Link.ts"

/** The lists of links: `in_work` has the overdue ones, too. */
export const LINK_LISTS = ["in_work", "overdue", "online"] as const
export type LinkList = (typeof LINK_LISTS)[number]

/** Links that are online for no longer are listed as such. */
export const LATELY_MS = 7 * DAY_MS

/** Counts end at `MAX_COUNTED`. */
export const LinkProgress = Schema.Struct({
  inWork: Schema.Int,
  overdue: Schema.Int,
  /** The first that is still to come. */
  nextDueAtMs: Schema.NullOr(Millis),
  /** Online since `LATELY_MS` at most. */
  online: Schema.Int
})
export type LinkProgress = typeof LinkProgress.Type

export const isListed = (link: Link, list: LinkList, nowMs: Millis): boolean => {
  if (link.mode !== "live") return false
  if (list === "in_work") return canCancel(link.status)
  if (list === "overdue") return isOverdue(link, nowMs)
  return isOnline(link.status) && link.publishedAtMs !== null && link.publishedAtMs >= nowMs - LATELY_MS
}

/** A link without a due date comes last. */
const UNDATED_MS = Number.MAX_SAFE_INTEGER

/** The place of a link in its list, which ascends: the first that is due first, or the last to go online first. */
export const placeIn = (link: Link, list: LinkList): number =>
  list === "online" ? -(link.publishedAtMs ?? 0) : (dueAtMs(link) ?? UNDATED_MS)

/** Where a page of a list ends. */
export interface ListedPlace {
  readonly at: number
  readonly linkId: LinkId
}

/** `links`: of the account, in any state. */
export const linkProgress = (links: ReadonlyArray<Link>, nowMs: Millis): LinkProgress => {
  const listed = (list: LinkList) => links.filter((link) => isListed(link, list, nowMs))
  const due = listed("in_work").flatMap((link) => dueAtMs(link) ?? [])
  const next = due.filter((atMs) => atMs >= nowMs)
  return {
    inWork: listed("in_work").length,
    overdue: listed("overdue").length,
    nextDueAtMs: next.length === 0 ? null : Math.min(...next),
    online: listed("online").length
  }
}
