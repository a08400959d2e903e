// The operator's daily work: what waits, and a link's way to publication.
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { STAGES } from "#core/domain/Link.ts"
import type { Link } from "../../records/OrderRecords.ts"
import { openDesk } from "../Desk.ts"
import { answer } from "../Output.ts"
import { pages } from "../Pages.ts"
import { table } from "../Table.ts"
import { time, whole, words } from "../Words.ts"
import { limitFlag, linkArgument } from "./Parameters.ts"

/** Those that a link can wait in before it is online. */
const WAITING = ["to_assign", "assigned", "drafted", "in_review", "approved"] as const

export const linkColumns = [
  whole<Link>("LINK", ({ linkId }) => linkId),
  whole<Link>("STATUS", ({ status }) => status),
  whole<Link>("SHELF", ({ shelf }) => shelf),
  words<Link>("SITE", ({ domain }) => domain),
  words<Link>("ANCHOR", ({ anchorText }) => anchorText),
  words<Link>("TARGET", ({ targetUrl }) => targetUrl)
]

const queueColumns = [
  ...linkColumns,
  whole<Link>("WAITS SINCE", ({ history }) => time(history.at(-1)?.atMs ?? 0)),
  whole<Link>("ORDER", ({ orderId }) => orderId)
]

export const queueCommand = Command.make(
  "queue",
  {
    status: Flag.Literals("status", WAITING).pipe(Flag.withDescription("Only links in this status"), Flag.optional),
    limit: limitFlag
  },
  Effect.fnUntraced(function* ({ status, limit }) {
    const desk = yield* openDesk
    const links = yield* pages(
      limit,
      (size, afterId) =>
        desk
          .queue({ limit: size, ...(afterId === null ? {} : { afterId }) })
          .pipe(Effect.map(({ links, nextAfterId }) => ({ rows: links, next: nextAfterId }))),
      Option.match(status, { onNone: () => undefined, onSome: (wanted) => (link) => link.status === wanted })
    )
    yield* answer(links, (rows, width) => table(queueColumns, rows, width))
  })
).pipe(Command.withDescription("Show the links that wait for work, oldest first"))

const moved = ({ linkId, status, domain }: Link): string => `Link ${linkId} on ${domain} is ${status} now.`

export const assignCommand = Command.make(
  "assign",
  { link: linkArgument },
  Effect.fnUntraced(function* ({ link: linkId }) {
    const desk = yield* openDesk
    yield* answer(yield* desk.assign({ linkId }), moved)
  })
).pipe(Command.withDescription("Give a link to its site's editor"))

export const advanceCommand = Command.make(
  "advance",
  {
    link: linkArgument,
    to: Argument.Literals("status", STAGES).pipe(Argument.withDescription("Any later status before published"))
  },
  Effect.fnUntraced(function* ({ link: linkId, to }) {
    const desk = yield* openDesk
    yield* answer(yield* desk.advance({ linkId, to }), moved)
  })
).pipe(Command.withDescription("Move a link forward to drafted, in_review or approved"))

export const publishCommand = Command.make(
  "publish",
  { link: linkArgument, url: Argument.String("url").pipe(Argument.withDescription("Where the link can be seen")) },
  Effect.fnUntraced(function* ({ link: linkId, url }) {
    const desk = yield* openDesk
    yield* answer(yield* desk.publish({ linkId, url }), moved)
  })
).pipe(Command.withDescription("Say where a link went online; its buyer is told"))

export const verifyCommand = Command.make(
  "verify",
  { link: linkArgument },
  Effect.fnUntraced(function* ({ link: linkId }) {
    const desk = yield* openDesk
    yield* answer(yield* desk.verify({ linkId }), moved)
  })
).pipe(Command.withDescription("Say that a published link was looked at and is online"))
