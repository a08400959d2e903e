// Which links of an order can be cancelled by the account itself, and who can cancel the others.
import { Schema } from "effect"
import type { LinkId } from "../shared/Ids.ts"
import type { Link } from "./Link.ts"

/** An owner on the pages of the account, or the operator of the service. */
export const WhoCan = Schema.Literals(["owner", "operator"])
export type WhoCan = typeof WhoCan.Type

/** `done`: cancelled already, by this caller or another. `open`: no work has begun. `kept`: work has begun, or the link is online. */
export type CancelVerdict = "done" | "open" | "kept"

export const judgeCancel = ({ status }: Pick<Link, "status">): CancelVerdict => {
  if (status === "cancelled") return "done"
  return status === "to_assign" ? "open" : "kept"
}

/** Who can cancel at least one of these links; the operator can cancel each that is not cancelled. */
export const whoCanCancel = (links: ReadonlyArray<Pick<Link, "status">>): WhoCan =>
  links.some((link) => judgeCancel(link) === "open") ? "owner" : "operator"

export interface Cancelled {
  readonly cancelled: ReadonlyArray<LinkId>
  /** Those that stay, each with who can cancel it. */
  readonly kept: ReadonlyArray<{ readonly link: Link; readonly whoCan: WhoCan }>
}

/** What became of the links that were asked for, from their present state: the same question has the same answer. */
export const outcomeOf = (asked: ReadonlyArray<Link>): Cancelled => ({
  cancelled: asked.filter((link) => judgeCancel(link) === "done").map(({ linkId }) => linkId),
  kept: asked.filter((link) => judgeCancel(link) !== "done").map((link) => ({ link, whoCan: whoCanCancel([link]) }))
})
