// What the processor says of top-ups: a payment is booked, a refund or a dispute takes it back, and an expired session ends its top-up, by
// notice, by question, or by the sweep.
import { Clock, Context, Effect, Layer } from "effect"
import { type ReversedTopUp, reverseTopUp, type TopUpReversalNotice } from "#core/decisions/wallet/ReverseTopUp.ts"
import { endTopUp, readDueTopUp, type SettledTopUp, settleTopUp } from "#core/decisions/wallet/TopUps.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { PaymentMismatch } from "#core/domain/ordering/PaymentRefusal.ts"
import type { PaymentFor } from "#core/domain/ordering/Quote.ts"
import type { TopUpId } from "#core/domain/shared/Ids.ts"
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
    /** Closes the session, and follows what became of it: it may have been paid. */
    readonly expire: (topUp: TopUp) => Effect.Effect<TopUp, Fault | ProcessorUnavailable>
    /**
     * The same for `actor`: returns it `ended`, `paid` if a payment came first, or still `open` while a bank debit is on its way. One that has
     * no session ends also while the processor does not answer.
     */
    readonly cancel: (
      topUp: TopUp,
      actor: Actor
    ) => Effect.Effect<TopUp, TopUpNotFound | ProcessorUnavailable | StoreUnavailable>
    /**
     * Ends open top-ups past their expiry by the store's time, and those of closed accounts, unless they were paid: one instance each. Returns
     * how many. One that fails is logged and left for the next pass.
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
        actor?: Actor
      ) {
        if (state.outcome === "paid") return (yield* settle(state.payment)).topUp
        if (state.outcome === "expired")
          return yield* book.transact({ _tag: "ForTopUp", topUpId }, endTopUp(topUpId, actor))
        return (yield* topUps.byId(topUpId)) ?? (yield* new TopUpNotFound({ topUpId }))
      })

      const expire = Effect.fnUntraced(function* ({ topUpId, sessionId }: TopUp, actor?: Actor) {
        return yield* follow(topUpId, yield* processor.expire({ quoteId: topUpId, sessionId }), actor)
      })

      /** A top-up without a page on which it could be paid ends while the processor does not answer, too. */
      const endUnopened = Effect.fnUntraced(function* ({ topUpId }: TopUp, actor: Actor, fault: ProcessorUnavailable) {
        const decide = endTopUp(topUpId, actor, { ifUnopened: true })
        const ended = yield* book.transact({ _tag: "ForTopUp", topUpId }, decide)
        return ended.status === "open" ? yield* fault : ended
      })

      const cancel = Effect.fn("FollowTopUps.cancel")((topUp: TopUp, actor: Actor) =>
        expire(topUp, actor).pipe(
          // What was paid does not fit, and was logged or set aside: the operator decides.
          Effect.catchTag("PaymentMismatch", (fault) =>
            Effect.as(Effect.logError("A payment does not fit its top-up", fault), topUp)
          ),
          Effect.catchTag("ProcessorUnavailable", (fault) => endUnopened(topUp, actor, fault))
        )
      )

      return FollowTopUps.of({
        settle,
        reverse: Effect.fn("FollowTopUps.reverse")((notice) =>
          book
            .transact({ _tag: "ForTopUp", topUpId: notice.quoteId }, reverseTopUp(notice))
            .pipe(Effect.tap(logReversal))
        ),
        follow: (topUpId, state) => follow(topUpId, state),
        expire: (topUp) => expire(topUp),
        cancel,
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
              const expired = yield* book.transact({ _tag: "ForTopUp", topUpId }, readDueTopUp(topUpId))
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
