// How long finished records are kept: the kinds, their spans, and when a record has ended.

import { isOnline, type Link } from "../ordering/Link.ts"
import { isOpen, type Quote } from "../ordering/Quote.ts"
import { DAY_MS, type Millis } from "../shared/DecisionContext.ts"
import type { WebhookId } from "../shared/Ids.ts"
import type { Delivery } from "../webhooks/Delivery.ts"

/**
 * `deliveries`: deliveries with their attempts, tests included. `sandbox`: sandbox quotes with their binding, order, links and events.
 * `answers`: the stored responses of idempotency keys, live and sandbox; the binding itself stays. In the order in which they are freed:
 * a sandbox order waits until no delivery carries one of its events.
 */
export const RETENTION_KINDS = ["deliveries", "sandbox", "answers"] as const
export type RetentionKind = (typeof RETENTION_KINDS)[number]

/** How long a record is kept after it has ended; 0 is for ever. */
export type RetentionSpans = Readonly<Record<RetentionKind, Millis>>

export const defaultRetentionSpans: RetentionSpans = {
  deliveries: 30 * DAY_MS,
  sandbox: 30 * DAY_MS,
  answers: 90 * DAY_MS
}

/** The tables that retention frees rows of; of `answers` it frees texts and keeps the rows. */
export const FREED_TABLES = [
  "deliveries",
  "quotes",
  "bindings",
  "payments",
  "orders",
  "links",
  "events",
  "answers"
] as const
export type FreedTable = (typeof FREED_TABLES)[number]

export type FreedRows = Partial<Readonly<Record<FreedTable, number>>>

/** What the invariants have to know of records that are gone. */
export interface FreedMarks {
  /** Freed deliveries were made before this time; 0 if none was freed. */
  readonly deliveriesBeforeMs: Millis
  /** Freed sandbox quotes were made before this time; 0 if none was freed. */
  readonly quotesBeforeMs: Millis
  /** Webhooks whose disabling can no longer be proved, because the delivery was deleted. */
  readonly interrupted: ReadonlySet<WebhookId>
}

export const nothingFreed: FreedMarks = { deliveriesBeforeMs: 0, quotesBeforeMs: 0, interrupted: new Set() }

/** The end of the last attempt, or the delivery's creation where there was none; `null` while it is pending. */
export const deliveryEndedAtMs = ({ state, createdAtMs, attempts }: Delivery): Millis | null => {
  if (state === "pending") return null
  const last = attempts.at(-1)
  return last === undefined ? createdAtMs : Math.max(createdAtMs, last.atMs + last.durationMs)
}

/** Whether the delivery shows that its endpoint may have been disabled, so that later events may rightly have none. */
export const showsInterruption = ({ state, attempts, attemptsInRun }: Delivery): boolean =>
  state === "failed" || state === "dropped" || attempts.length !== attemptsInRun

/** The last change of a quote that is not open: the last move of its order's links, or its expiry if it was abandoned. */
export const quoteEndedAtMs = (quote: Quote, links: ReadonlyArray<Link>): Millis | null => {
  if (isOpen(quote)) return null
  if (quote.status === "abandoned") return quote.expiresAtMs
  return Math.max(quote.createdAtMs, ...links.flatMap(({ history }) => history.map(({ atMs }) => atMs)))
}

/** Abandoned, also by expiry, or paid with every link online or cancelled: nothing more is to come. */
export const isFinished = (quote: Quote, links: ReadonlyArray<Link>): boolean =>
  quote.status === "abandoned" ||
  (quote.status === "paid" && links.every(({ status }) => status === "cancelled" || isOnline(status)))
