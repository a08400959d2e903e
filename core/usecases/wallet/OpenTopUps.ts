// Opens the payment sessions of top-ups. One that the processor did not open when its top-up began is opened by the sweep once the processor
// answers, or by who looks at it.
import { Clock, Context, Effect, Layer } from "effect"
import { storeTopUpSession } from "#core/decisions/wallet/TopUps.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { TopUpId } from "#core/domain/shared/Ids.ts"
import { awaitsSession, openAgainAfterMs, type TopUp, type TopUpNotFound } from "#core/domain/wallet/TopUp.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { makeSweepDue, type Sweeping, type SweepOutcome } from "../ordering/SweepDue.ts"
import { FollowTopUps } from "./FollowTopUps.ts"

const BATCH = 100

/** The form that made a top-up has this long to open its session itself. */
const ORPHANED_AFTER_MS: Millis = 15_000

export class OpenTopUps extends Context.Service<
  OpenTopUps,
  {
    /** Opens its session; left as it is while the processor does not answer. */
    readonly open: (topUp: TopUp) => Effect.Effect<TopUp, TopUpNotFound | StoreUnavailable>
    /** The same for who looks at it, unless an instance is opening it, or found the processor down a moment ago. */
    readonly openForReader: (topUp: TopUp) => Effect.Effect<TopUp, StoreUnavailable>
    /**
     * Opens what no form opened: one instance each, and less often the longer a top-up waits, until it expires, is withdrawn, or its account is
     * closed. Returns how many were tried.
     */
    readonly sweep: Effect.Effect<number, StoreUnavailable>
  }
>()("backlinks/usecases/wallet/OpenTopUps") {
  static readonly layer = Layer.effect(
    OpenTopUps,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const topUps = yield* TopUps
      const processor = yield* PaymentProcessor
      const { topUpPage } = yield* MemberArea
      const { expire } = yield* FollowTopUps
      const sweepDue = yield* makeSweepDue

      const openSession = Effect.fnUntraced(function* (topUp: TopUp) {
        const { topUpId, cents: amountCents, expiresAtMs, paymentToken } = topUp
        const session = yield* processor.open({
          ...{ quoteId: topUpId, endedSessionId: null, amountCents, currency: "EUR", expiresAtMs },
          description: "Prepaid credit",
          pageUrl: topUpPage(paymentToken)
        })
        const stored = yield* book.transact({ _tag: "ForTopUp", topUpId }, storeTopUpSession(topUpId, session))
        // It was withdrawn, or its account closed, while the session was opened, which is not to be paid any more.
        return stored.status === "ended"
          ? yield* Effect.catchTag(expire(stored), "PaymentMismatch", Effect.die)
          : stored
      })

      const open = Effect.fn("OpenTopUps.open")(function* (topUp: TopUp) {
        if (!awaitsSession(topUp, yield* Clock.currentTimeMillis)) return topUp
        return yield* Effect.catchTag(openSession(topUp), "ProcessorUnavailable", (fault) =>
          Effect.as(Effect.logWarning("The session of a top-up could not be opened yet", fault), topUp)
        )
      })

      /** Reads it once it is leased: it may have been opened, withdrawn or paid since the list was read. */
      const opening = (ifNot: SweepOutcome): Pick<Sweeping<TopUpId>, "what" | "limit" | "run"> => ({
        what: "top-up",
        limit: BATCH,
        run: Effect.fnUntraced(function* (topUpId) {
          const topUp = yield* topUps.byId(topUpId)
          if (topUp === null || !awaitsSession(topUp, yield* Clock.currentTimeMillis)) return "left"
          return (yield* open(topUp)).sessionId === null ? ifNot : "done"
        })
      })

      return OpenTopUps.of({
        open,
        openForReader: Effect.fn("OpenTopUps.openForReader")(function* (topUp) {
          if (!awaitsSession(topUp, yield* Clock.currentTimeMillis)) return topUp
          const { topUpId } = topUp
          yield* sweepDue<TopUpId>({ ...opening("done"), page: () => Effect.succeed([topUpId]) })
          return (yield* topUps.byId(topUpId)) ?? topUp
        }),
        sweep: Effect.gen(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          const query = { beforeMs: nowMs - ORPHANED_AFTER_MS, nowMs, limit: BATCH }
          return yield* sweepDue<TopUpId>({
            ...opening("kept"),
            page: (after) => topUps.unopened({ ...query, after }),
            leaseMs: (topUpId) => openAgainAfterMs(topUpId, nowMs)
          })
        }).pipe(Effect.withSpan("OpenTopUps.sweep"))
      })
    })
  )
}
