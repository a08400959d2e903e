// Approves or declines the orders that wait for a human. The approval of an order with a card part opens its payment
// session, so that the human continues to pay.
import { Context, Effect, Layer } from "effect"
import { approveQuote, declineQuote } from "#core/decisions/ordering/ApproveQuote.ts"
import type { SpendPolicyRefused } from "#core/domain/access/AccessRefusal.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { QuoteNotFound, type QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import { awaitsPayment, type Quote } from "#core/domain/ordering/Quote.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { PaymentSessions } from "./PaymentSessions.ts"

/** An operator, or (`null`) the sandbox's own control. */
type Other = { readonly operator: Actor } | null

/** Who declines. */
type Decider = SignedIn | Other

/** Who approves: a member confirms it. */
type Approver = { readonly signedIn: SignedIn; readonly confirmed: Confirmed } | Other

type Fault = QuoteNotFound | QuoteNotOpen | OwnerOnly | StoreUnavailable

/** A member decides on quotes of the own account; others are not found. */
const isOf = (quote: Quote, by: Decider): boolean =>
  by === null || "operator" in by || by.account.accountId === quote.accountId

export class DecideApproval extends Context.Service<
  DecideApproval,
  {
    /**
     * Returns the quote as it is afterwards: `paid`, `awaiting_payment`, or `abandoned` if its time was over or its key revoked.
     * `QuoteNotOpen`: it does not await approval any more. `SpendPolicyRefused`: it takes credit, and the account owes something.
     */
    readonly approve: (quoteId: QuoteId, by: Approver) => Effect.Effect<Quote, Fault | SpendPolicyRefused>
    /** Live quotes of all accounts that wait, oldest first. */
    readonly waiting: (limit: number) => Effect.Effect<ReadonlyArray<Quote>, StoreUnavailable>
    /** `reason` is the word to the agent; empty: none. */
    readonly decline: (quoteId: QuoteId, by: Decider, reason: string) => Effect.Effect<Quote, Fault>
  }
>()("backlinks/usecases/ordering/DecideApproval") {
  static readonly layer = Layer.effect(
    DecideApproval,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const quotes = yield* Quotes
      const payment = yield* PaymentSessions
      const { settings, render, paymentPage: sandboxPage } = yield* ServiceContext

      const requireOwn = Effect.fnUntraced(function* (quoteId: QuoteId, by: Decider) {
        const quote = yield* quotes.byId(quoteId)
        if (quote === null || !isOf(quote, by)) return yield* new QuoteNotFound({ quoteId })
      })

      /** The approval is written before, so that the sweeper opens the session if this cannot. */
      const withSession = Effect.fnUntraced(function* (quote: Quote) {
        if (!awaitsPayment(quote) || quote.mode === "sandbox") return quote
        return yield* payment.open(quote).pipe(
          Effect.map(({ placement }) => placement.quote),
          Effect.catchTag(["ProcessorUnavailable", "QuoteNotOpen"], (fault) =>
            Effect.as(
              Effect.logWarning("the payment session of an approved quote could not be opened yet", fault),
              quote
            )
          )
        )
      })

      return DecideApproval.of({
        waiting: Effect.fn("DecideApproval.waiting")((limit) => quotes.awaitingApproval({ limit })),
        approve: Effect.fn("DecideApproval.approve")(function* (quoteId, by) {
          const isMember = by !== null && "confirmed" in by
          yield* requireOwn(quoteId, isMember ? by.signedIn : by)
          const madeBy = isMember ? { memberId: by.confirmed.memberId } : by
          const decide = approveQuote({ quoteId, by: madeBy, settings, render, sandboxPage })
          return yield* withSession(yield* book.transact({ _tag: "ForApproval", quoteId }, decide))
        }),
        decline: Effect.fn("DecideApproval.decline")(function* (quoteId, by, reason) {
          yield* requireOwn(quoteId, by)
          const madeBy = by === null || "operator" in by ? by : { memberId: by.member.memberId }
          const decide = declineQuote({ quoteId, by: madeBy, reason, render })
          return yield* book.transact({ _tag: "ForApproval", quoteId }, decide)
        })
      })
    })
  )
}
