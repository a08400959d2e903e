// What agents did: the orders that were refused to a key or connection, one record for each day and rule, and what one spent, holds and did
// last, as its owner sees it.
import { Schema } from "effect"
import { SpendRule } from "../access/AccessRefusal.ts"
import { DailyUsage } from "../ordering/DailyCap.ts"
import { AbandonedBy, type Quote } from "../ordering/Quote.ts"
import { QuoteStatus } from "../ordering/QuoteStatus.ts"
import { Cents, sum } from "../pricing/Money.ts"
import { DAY_MS, Millis } from "../shared/DecisionContext.ts"
import { KeyId, OrderId, QuoteId } from "../shared/Ids.ts"

/** What an attempt was refused by: a rule of the spend policy, or the cap of orders a day. */
export const RefusedBy = Schema.Literals([...SpendRule.literals, "daily_order_cap"])
export type RefusedBy = typeof RefusedBy.Type

/** The attempts of one credential on one UTC day that one rule refused. */
export const RefusedAttempts = Schema.Struct({
  keyId: KeyId,
  /** UTC days since the Unix epoch. */
  day: Schema.Int,
  rule: RefusedBy,
  count: Schema.Int,
  lastAtMs: Millis,
  /** The host that the last one was to link to; `null` where it named none, such as for a webhook. */
  lastTarget: Schema.NullOr(Schema.String),
  /** What the last one would have cost; `null` where its price was not looked at. */
  lastCents: Schema.NullOr(Cents)
})
export type RefusedAttempts = typeof RefusedAttempts.Type

/** How long they are kept. */
export const REFUSALS_KEPT_DAYS = 30

/** The attempts of one day and rule, added up. */
export const addedRefusals = (one: RefusedAttempts, other: RefusedAttempts): RefusedAttempts => ({
  ...(other.lastAtMs >= one.lastAtMs ? other : one),
  count: one.count + other.count
})

export const refusalsId = ({ keyId, day, rule }: Pick<RefusedAttempts, "keyId" | "day" | "rule">): string =>
  `${keyId}/${day}/${rule}`

/** A purchase in a line: what a key asked for last, and what became of it. */
export const LastPurchase = Schema.Struct({
  quoteId: QuoteId,
  status: QuoteStatus,
  atMs: Millis,
  totalCents: Cents,
  /** The targets of its links, in their order. */
  targets: Schema.Array(Schema.String),
  orderId: Schema.NullOr(OrderId),
  abandonedBy: Schema.NullOr(AbandonedBy),
  declinedReason: Schema.NullOr(Schema.String),
  paymentPendingAtMs: Schema.NullOr(Millis)
})
export type LastPurchase = typeof LastPurchase.Type

/** What a store knows of one credential since a day. */
export const AgentRecords = Schema.Struct({
  keyId: KeyId,
  usage: Schema.Array(DailyUsage),
  /** Open quotes, of whatever day. */
  open: Schema.Array(Schema.Struct({ day: Schema.Int, status: QuoteStatus, count: Schema.Int, cents: Cents })),
  /** Quotes that were given up, by the day on which they were made. */
  abandoned: Schema.Array(Schema.Struct({ day: Schema.Int, count: Schema.Int })),
  last: Schema.NullOr(LastPurchase),
  refused: Schema.Array(RefusedAttempts)
})
export type AgentRecords = typeof AgentRecords.Type

/** What one spent on some days, without what is reserved for open quotes. */
export interface Spent {
  readonly orders: number
  readonly cents: Cents
}

export interface AgentReport {
  readonly today: Spent
  /** Today and the six days before. */
  readonly week: Spent
  /** Today's, and the last first. */
  readonly refusedToday: ReadonlyArray<RefusedAttempts>
  readonly refusedInWeek: number
  /** Open quotes: how many wait for the owner's approval or payment, and what they cost. */
  readonly waiting: { readonly approvals: number; readonly payments: number; readonly cents: Cents }
  /** The part of today's usage that open quotes take. */
  readonly reservedTodayCents: Cents
  readonly lastPurchase: LastPurchase | null
  readonly lastRefused: RefusedAttempts | null
}

export const WEEK_DAYS = 7

/** The first day of the week that ends with this one. */
export const weekStart = (today: number): number => today - WEEK_DAYS + 1

export const dayOf = ({ createdAtMs }: Pick<Quote, "createdAtMs">): number => Math.floor(createdAtMs / DAY_MS)

/** Usage counts every quote, and what open and paid ones cost. */
const spentSince = ({ usage, open, abandoned }: AgentRecords, first: number): Spent => {
  const since = <Row extends { readonly day: number }>(rows: ReadonlyArray<Row>) =>
    rows.filter(({ day }) => day >= first)
  const unpaid = [...since(open), ...since(abandoned)]
  return {
    orders: Math.max(0, sum(since(usage).map(({ quotes }) => quotes)) - sum(unpaid.map(({ count }) => count))),
    cents: Math.max(0, sum(since(usage).map((day) => day.spentCents)) - sum(since(open).map(({ cents }) => cents)))
  }
}

const newestFirst = (refused: ReadonlyArray<RefusedAttempts>): ReadonlyArray<RefusedAttempts> =>
  refused.toSorted((one, other) => other.lastAtMs - one.lastAtMs)

export const agentReport = (records: AgentRecords, today: number): AgentReport => {
  const { open, last } = records
  const refused = newestFirst(records.refused)
  const waitingFor = (status: QuoteStatus) => sum(open.filter((one) => one.status === status).map(({ count }) => count))
  return {
    today: spentSince(records, today),
    week: spentSince(records, weekStart(today)),
    refusedToday: refused.filter(({ day }) => day === today),
    refusedInWeek: sum(refused.filter(({ day }) => day >= weekStart(today)).map(({ count }) => count)),
    waiting: {
      approvals: waitingFor("awaiting_approval"),
      payments: waitingFor("awaiting_payment"),
      cents: sum(open.map(({ cents }) => cents))
    },
    reservedTodayCents: sum(open.filter(({ day }) => day === today).map(({ cents }) => cents)),
    lastPurchase: last,
    lastRefused: refused[0] ?? null
  }
}
