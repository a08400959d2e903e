// The daily work: the queue, and the transitions of a link up to publication.
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Link, STAGES } from "#core/domain/ordering/Link.ts"
import type { LinkId } from "#core/domain/shared/Ids.ts"
import { idColumn, numberColumn, textColumn, timeText } from "../Columns.ts"
import { connect, withClient } from "../Connect.ts"
import { print, printResult } from "../Output.ts"
import { readPages } from "../Pages.ts"
import { table } from "../Table.ts"
import { limitFlag, linkArgument, reasonFlag } from "./Parameters.ts"

/** Statuses before `published`. */
const WAITING = ["to_assign", "assigned", "drafted", "in_review", "approved"] as const

export const linkColumns = [
  idColumn<Link>("LINK", ({ linkId }) => linkId),
  idColumn<Link>("STATUS", ({ status }) => status),
  idColumn<Link>("SHELF", ({ shelf }) => shelf),
  textColumn<Link>("SITE", ({ domain }) => domain),
  textColumn<Link>("ANCHOR", ({ anchorText }) => anchorText),
  textColumn<Link>("TARGET", ({ targetUrl }) => targetUrl),
  numberColumn<Link>("TIER 2", ({ tier2Links }) => tier2Links),
  idColumn<Link>("FORMAT", ({ format }) => format),
  idColumn<Link>("ARTICLE", ({ articleId }) => String(articleId ?? "")),
  idColumn<Link>("ANCHOR TYPE", ({ anchorType }) => anchorType),
  textColumn<Link>("BRIEF", ({ brief }) => brief ?? ""),
  idColumn<Link>("OPPORTUNITY", ({ opportunityId }) => opportunityId ?? "")
]

const queueColumns = [
  ...linkColumns,
  idColumn<Link>("WAITS SINCE", ({ history }) => timeText(history.at(-1)?.atMs ?? 0)),
  idColumn<Link>("ORDER", ({ orderId }) => orderId)
]

export const queueCommand = Command.make(
  "queue",
  {
    status: Flag.Literals("status", WAITING).pipe(Flag.withDescription("Only links in this status"), Flag.optional),
    limit: limitFlag
  },
  Effect.fnUntraced(function* ({ status, limit }) {
    const client = yield* connect
    const links = yield* readPages(
      limit,
      (size, afterId: LinkId | null) =>
        client
          .queue({ limit: size, ...(afterId === null ? {} : { afterId }) })
          .pipe(Effect.map(({ links, nextAfterId }) => ({ rows: links, next: nextAfterId }))),
      Option.match(status, { onNone: () => undefined, onSome: (wanted) => (link) => link.status === wanted })
    )
    yield* print(links, (rows, width) => table(queueColumns, rows, width))
  })
).pipe(Command.withDescription("List the links that wait for work, oldest first"))

const statusText = ({ linkId, status, domain }: Link): string => `Link ${linkId} on ${domain} is ${status} now.`

export const assignCommand = Command.make(
  "assign",
  { link: linkArgument },
  withClient((client, { link: linkId }) => printResult(client.assign({ linkId }), statusText))
).pipe(Command.withDescription("Assign a link to its site's editor"))

export const advanceCommand = Command.make(
  "advance",
  {
    link: linkArgument,
    to: Argument.Literals("status", STAGES).pipe(Argument.withDescription("Any later status before published"))
  },
  withClient((client, { link: linkId, to }) => printResult(client.advance({ linkId, to }), statusText))
).pipe(Command.withDescription("Move a link forward to drafted, in_review or approved"))

const urlArgument = Argument.String("url").pipe(
  Argument.withDescription("Where the link can be seen, on the site's domain")
)

const anywayFlag = Flag.Boolean("anyway").pipe(
  Flag.withDescription("Also on another host than the site's; the audit log says so"),
  Flag.withDefault(false)
)

export const publishCommand = Command.make(
  "publish",
  { link: linkArgument, url: urlArgument, anyway: anywayFlag },
  withClient((client, { link: linkId, url, anyway }) =>
    printResult(client.publish({ linkId, url, ...(anyway ? { anyway } : {}) }), statusText)
  )
).pipe(Command.withDescription("Record the URL where a link was published; the buyer receives an event"))

export const correctCommand = Command.make(
  "correct",
  { link: linkArgument, url: urlArgument, reason: reasonFlag, anyway: anywayFlag },
  withClient((client, { link: linkId, url, reason, anyway }) =>
    printResult(
      client.correct({ linkId, url, reason, ...(anyway ? { anyway } : {}) }),
      ({ publishedUrl }) => `Link ${linkId} is at ${publishedUrl ?? "no URL"} now.`
    )
  )
).pipe(Command.withDescription("Correct the URL of a published link"))

export const verifyCommand = Command.make(
  "verify",
  { link: linkArgument },
  withClient((client, { link: linkId }) => printResult(client.verify({ linkId }), statusText))
).pipe(Command.withDescription("Record that a published link was seen online"))
