// The daily work: the queue, and the transitions of a link up to publication.
import { Option } from "effect"
import { Flag } from "effect/cli"
import { QueuedLink } from "#adapters/operator/records/OrderRecords.ts"
import { dueAtMs } from "#core/domain/ordering/DueDate.ts"
import { Link } from "#core/domain/ordering/Link.ts"
import { movesIn, textRevision } from "#core/domain/ordering/LinkChange.ts"
import { command, pages } from "../CallCommand.ts"
import { columns, number, text, timeOrNull, timeText } from "../Columns.ts"
import { printable } from "../TerminalText.ts"

/** Statuses before `published`. */
const WAITING = ["to_assign", "assigned", "drafted", "in_review", "approved"] as const

export const linkColumns = columns(Link, {
  LINK: "linkId",
  STATUS: "status",
  SHELF: "shelf",
  SITE: text("domain"),
  ANCHOR: text("anchorText"),
  TARGET: text("targetUrl"),
  "TIER 2": number(({ tier2Links }) => tier2Links),
  FORMAT: "format",
  ARTICLE: ({ articleId }) => articleId,
  "ANCHOR TYPE": "anchorType",
  DUE: (link) => timeOrNull(dueAtMs(link)),
  BRIEF: text("brief"),
  OPPORTUNITY: "opportunityId",
  REFERENCE: text("reference")
})

/** When the text was changed last; the revision then is the one to write by. */
const changedAt = (history: QueuedLink["history"]): string | null => {
  const last = history.findLast(({ changed }) => changed !== undefined)
  return last === undefined ? null : timeText(last.atMs)
}

const queueColumns = columns(QueuedLink, {
  OVERDUE: ({ overdue }) => (overdue ? "overdue" : null),
  RISK: ({ atRisk }) => (atRisk === true ? "at_risk" : null),
  "WAITS SINCE": ({ history }) => timeText(movesIn(history).at(-1)?.atMs ?? 0),
  REVISION: number(textRevision),
  "CHANGED AT": ({ history }) => changedAt(history),
  ORDER: "orderId"
})

const statusText = ({ linkId, status, domain }: Link): string => `Link ${linkId} on ${domain} is ${status} now.`

/** Says what to write: it may have been changed since the queue was read. */
const assignedText = (link: Link): string => {
  const { anchorText, anchorType, targetUrl, brief } = link
  const revision = textRevision(link)
  const changed = revision === 1 ? "" : ` It was changed since it was ordered: this is revision ${revision}.`
  const wishes = brief === null ? "" : `, with the brief: ${brief}`
  return printable(
    `${statusText(link)} Its text is “${anchorText}” (${anchorType}) to ${targetUrl}${wishes}.${changed}`
  )
}

export const linkCommands = [
  pages("queue", "queue", {
    about: "List the links that wait for work, oldest first",
    flags: {
      status: Flag.Literals("status", WAITING).pipe(Flag.withDescription("Only links in this status"), Flag.optional)
    },
    keep: ({ status }) => (Option.isNone(status) ? undefined : (link) => link.status === status.value),
    columns: [...linkColumns, ...queueColumns]
  }),
  command("assign", "assign", { about: "Assign a link to its site's editor", says: assignedText }),
  command("advance", "advance", {
    about: "Move a link forward to drafted, in_review or approved",
    says: statusText
  }),
  command("publish", "publish", {
    about: "Record the URL where a link was published; the buyer receives an event",
    says: statusText
  }),
  command("verify", "verify", { about: "Record that a published link was seen online", says: statusText }),
  command("correct", "correct", {
    about: "Correct the URL of a published link",
    says: ({ linkId, publishedUrl }) => `Link ${linkId} is at ${publishedUrl ?? "no URL"} now.`
  })
] as const
