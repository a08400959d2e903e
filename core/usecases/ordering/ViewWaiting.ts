// What waits for the people of an account: live orders that they have not decided on, and those that are not paid.
import { Context, Effect, Layer } from "effect"
import type { SpendLimits } from "#core/domain/access/ApiKey.ts"
import { type ApprovalRule, approvalRule } from "#core/domain/ordering/Approval.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { similarQuoteOf } from "#core/domain/ordering/Warning.ts"
import { type AccountId, AuditId, type QuoteId } from "#core/domain/shared/Ids.ts"
import { oldestPrefix } from "#core/domain/shared/IdTimes.ts"
import { AuditLog, EXAMINED_RECORDS } from "#core/ports/members/AuditLog.ts"
import { type OpenCounts, Quotes, type WaitingQuery } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { SweepQuotes } from "./SweepQuotes.ts"

export interface Waiting {
  /** The first to expire first; at most `WAITING_SHOWN`. */
  readonly undecided: ReadonlyArray<Quote>
  /** The same of those that await payment. */
  readonly unpaid: ReadonlyArray<Quote>
  /** All of both, also those that are not shown. */
  readonly counts: OpenCounts
}

export interface UndecidedPage {
  /** The first to expire first. */
  readonly quotes: ReadonlyArray<Quote>
  /** The `after` of the next page; `null` on the last. */
  readonly nextAfter: QuoteId | null
  /** All of the account, also those on other pages. */
  readonly counts: OpenCounts
}

/** Why an order waits for approval, by the limits of its key as they are now. */
export interface WhyItWaits {
  /** The rule that stops it; `null` where it would not wait any more. */
  readonly rule: ApprovalRule | null
  /** Whether the limits were changed since it was asked for, so that another rule may have stopped it. */
  readonly isChanged: boolean
  /** The recent order for the same items that it was warned of, as it is now. */
  readonly similar: Quote | null
  /** Others that wait for the same items, the first to expire first; at most `WAITING_SHOWN`. */
  readonly twins: ReadonlyArray<Quote>
}

/** Few, so that what follows them is seen. */
export const WAITING_SHOWN = 5

/** The actions after which a key or connection may have other limits. */
const CHANGES_LIMITS = ["key.limit", "connection.limit", "connection.consent"]

export class ViewWaiting extends Context.Service<
  ViewWaiting,
  {
    readonly all: (accountId: AccountId) => Effect.Effect<Waiting, StoreUnavailable>
    /** A page of those that await the approval of an owner; after another one, if given. */
    readonly undecided: (
      query: Pick<WaitingQuery, "accountId" | "limit" | "after">
    ) => Effect.Effect<UndecidedPage, StoreUnavailable>
    /** `limits`: of the key that asks, as they are now. */
    readonly why: (quote: Quote, limits: SpendLimits) => Effect.Effect<WhyItWaits, StoreUnavailable>
  }
>()("backlinks/usecases/ordering/ViewWaiting") {
  static readonly layer = Layer.effect(
    ViewWaiting,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const { sweepAccount } = yield* SweepQuotes
      const auditLog = yield* AuditLog

      /** A change is a record of the key; what is among more records than are examined at once is not found. */
      const limitsChangedSince = Effect.fnUntraced(function* ({ accountId, keyId, createdAtMs }: Quote) {
        const { records } = yield* auditLog.ofAccount({
          ...{ accountId, limit: EXAMINED_RECORDS, beforeId: null },
          conditions: { kind: "agents", agents: [], afterId: AuditId.make(`aud_${oldestPrefix(createdAtMs)}`) }
        })
        return records.some(
          ({ subject, action, atMs }) => subject === keyId && atMs > createdAtMs && CHANGES_LIMITS.includes(action)
        )
      })

      return ViewWaiting.of({
        all: Effect.fn("ViewWaiting.all")(function* (accountId) {
          yield* sweepAccount(accountId)
          const query = { accountId, mode: "live", limit: WAITING_SHOWN } as const
          return {
            undecided: yield* quotes.waiting({ ...query, status: "awaiting_approval" }),
            unpaid: yield* quotes.waiting({ ...query, status: "awaiting_payment" }),
            counts: yield* quotes.openCounts(query)
          }
        }),
        undecided: Effect.fn("ViewWaiting.undecided")(function* ({ limit, ...query }) {
          yield* sweepAccount(query.accountId)
          const ofApproval = { ...query, mode: "live", status: "awaiting_approval" } as const
          const found = yield* quotes.waiting({ ...ofApproval, limit: limit + 1 })
          const shown = found.slice(0, limit)
          const nextAfter = found.length > limit ? (shown.at(-1)?.quoteId ?? null) : null
          return { quotes: shown, nextAfter, counts: yield* quotes.openCounts(ofApproval) }
        }),
        why: Effect.fn("ViewWaiting.why")(function* (quote, limits) {
          const { accountId, mode, itemsDigest, quoteId, lines, totalCents } = quote
          const similarId = quote.warnings.map(similarQuoteOf).find((id) => id !== undefined) ?? null
          const similar = similarId === null ? null : yield* quotes.byId(similarId)
          const waiting = { accountId, mode, status: "awaiting_approval", itemsDigest } as const
          const alike = yield* quotes.waiting({ ...waiting, limit: WAITING_SHOWN + 1 })
          return {
            rule: approvalRule(limits, { totalCents, items: lines.map(({ item }) => item) }, similarId),
            isChanged: yield* limitsChangedSince(quote),
            similar: similar?.accountId === accountId ? similar : null,
            twins: alike.filter((one) => one.quoteId !== quoteId).slice(0, WAITING_SHOWN)
          }
        })
      })
    })
  )
}
