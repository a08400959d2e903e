// What the processor says of top-ups: a payment is booked, a refund or a dispute takes it back, and an expired session ends its top-up, by
// notice, by question, or by the sweep.
import { Clock, Context, Effect, Layer } from "effect"
import { type ReversedTopUp, reverseTopUp, type TopUpReversalNotice } from "#core/decisions/wallet/ReverseTopUp.ts"
import { endTopUp, readExpiredTopUp, type SettledTopUp, settleTopUp } from "#core/decisions/wallet/TopUps.ts"
import type { PaymentMismatch } from "#core/domain/ordering/PaymentRefusal.ts"
import type { PaymentFor } from "#core/domain/ordering/Quote.ts"
import type { MemberId, TopUpId } from "#core/domain/shared/Ids.ts"
import { type TopUp, TopUpNotFound } from "#core/domain/wallet/TopUp.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { PaymentProcessor, type SessionState } from "#core/ports/ordering/PaymentProcessor.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { logReversal, logSetAside } from "../ordering/Payments.ts"
import { makeSweepDue } from "../ordering/SweepDue.ts"

type Fault = TopUpNotFound | PaymentMismatch | StoreUnavailable

const BATCH = 100

export class FollowTopUps extends Context.Service<
  FollowTopUps,
  {
    /** Idempotent per payment. The notice must be authenticated before. */
    readonly settle: (payment: PaymentFor<TopUpId>) => Effect.Effect<SettledTopUp, Fault>
    /** Records a refund or a dispute, and logs it loudly. Idempotent, in any order of notices. The notice must be authenticated before. */
    readonly reverse: (notice: TopUpReversalNotice) => Effect.Effect<ReversedTopUp, TopUpNotFound | StoreUnavailable>
    /** Books a payment of the session, or ends the top-up of an expired one. */
    readonly follow: (topUpId: TopUpId, state: SessionState<TopUpId>) => Effect.Effect<TopUp, Fault>
    /** Asks the processor about an open top-up, whose notice may be late or lost. If it does not answer, the sweep asks again. */
    readonly refresh: (topUp: TopUp) => Effect.Effect<TopUp, TopUpNotFound | StoreUnavailable>
    /** Closes the session, and follows what became of it: it may have been paid. `actor`: the member who cancels it. */
    readonly expire: (topUp: TopUp, actor?: MemberId) => Effect.Effect<TopUp, Fault | ProcessorUnavailable>
    /**
     * Ends open top-ups past their expiry by the store's time, unless they were paid: one instance each. Returns how many. One that fails is
     * logged and left for the next pass.
     */
    readonly sweep: Effect.Effect<number, StoreUnavailable>
  }
>()("backlinks/usecases/wallet/FollowTopUps") {
  static readonly layer = Layer.effect(
    FollowTopUps,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const topUps = yield* TopUps
      const processor = yield* PaymentProcessor
      const sweepDue = yield* makeSweepDue

      const settle = Effect.fn("FollowTopUps.settle")((payment: PaymentFor<TopUpId>) => {
        const { quoteId: topUpId, paymentId: reference } = payment
        return book
          .transact({ _tag: "ForTopUp", topUpId, reference }, settleTopUp(payment))
          .pipe(Effect.tap(({ outcome }) => (outcome === "set_aside" ? logSetAside(payment) : Effect.void)))
      })

      const follow = Effect.fn("FollowTopUps.follow")(function* (
        topUpId: TopUpId,
        state: SessionState<TopUpId>,
        actor?: MemberId
      ) {
        if (state.outcome === "paid") return (yield* settle(state.payment)).topUp
        if (state.outcome === "expired")
          return yield* book.transact({ _tag: "ForTopUp", topUpId }, endTopUp(topUpId, actor))
        return (yield* topUps.byId(topUpId)) ?? (yield* new TopUpNotFound({ topUpId }))
      })

      const expire = Effect.fnUntraced(function* ({ topUpId, sessionId }: TopUp, actor?: MemberId) {
        return yield* follow(topUpId, yield* processor.expire({ quoteId: topUpId, sessionId }), actor)
      })

      return FollowTopUps.of({
        settle,
        reverse: Effect.fn("FollowTopUps.reverse")((notice) =>
          book
            .transact({ _tag: "ForTopUp", topUpId: notice.quoteId }, reverseTopUp(notice))
            .pipe(Effect.tap(logReversal))
        ),
        follow: (topUpId, state) => follow(topUpId, state),
        expire,
        refresh: (topUp) =>
          topUp.status !== "open" || topUp.sessionId === null
            ? Effect.succeed(topUp)
            : processor.look({ quoteId: topUp.topUpId, sessionId: topUp.sessionId }).pipe(
                Effect.flatMap((state) => follow(topUp.topUpId, state)),
                Effect.catchTag(["ProcessorUnavailable", "PaymentMismatch"], (fault) =>
                  Effect.as(Effect.logWarning("A top-up was not followed", fault), topUp)
                )
              ),
        sweep: Effect.gen(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          return yield* sweepDue<TopUpId>({
            what: "top-up",
            limit: BATCH,
            page: (after) => topUps.due({ nowMs, limit: BATCH, after }),
            run: Effect.fnUntraced(function* (topUpId) {
              const expired = yield* book.transact({ _tag: "ForTopUp", topUpId }, readExpiredTopUp(topUpId))
              if (expired === null) return "left"
              yield* expire(expired)
              return "done"
            })
          })
        }).pipe(Effect.withSpan("FollowTopUps.sweep"))
      })
    })
  )
}
