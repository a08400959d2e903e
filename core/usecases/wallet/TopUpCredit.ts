// Tops up an account's credit through the payment processor. A crash between two steps is finished by the same form sent again, by the
// processor's notice, or by the sweep.
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  endTopUp,
  openTopUp,
  type SettledTopUp,
  settleTopUp,
  storeTopUpSession
} from "#core/decisions/wallet/TopUps.ts"
import type { AccountClosed, AccountNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { PaymentMismatch } from "#core/domain/ordering/PaymentRefusal.ts"
import type { Payment } from "#core/domain/ordering/Quote.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import { CONTEXT_ENTROPY_BYTES, makeDecisionContext, makeId } from "#core/domain/shared/DecisionContext.ts"
import { type TopUp, type TopUpAmountInvalid, TopUpNotFound } from "#core/domain/wallet/TopUp.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { PaymentProcessor, type SessionState } from "#core/ports/ordering/PaymentProcessor.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type TopUpPage, TopUps } from "#core/ports/wallet/TopUps.ts"

type Fault = TopUpNotFound | ProcessorUnavailable | StoreUnavailable

/** Top-ups that one pass of the sweep ends. */
const BATCH = 100

const TOP_UP_ID = /^top_[0-9a-z]{28}$/

export class TopUpCredit extends Context.Service<
  TopUpCredit,
  {
    /** For the form's hidden field: a form that is sent twice opens one top-up. */
    readonly newId: Effect.Effect<string>
    /** Opens it with its payment session, or returns what the same id opened before. Its `paymentUrl` is set. */
    readonly start: (
      signedIn: SignedIn,
      request: { readonly topUpId: string; readonly cents: Cents }
    ) => Effect.Effect<TopUp, AccountClosed | AccountNotFound | OwnerOnly | TopUpAmountInvalid | Fault>
    /** After asking the processor about one that is open: its notice may be late or lost. */
    readonly view: (signedIn: SignedIn, topUpId: string) => Effect.Effect<TopUp, TopUpNotFound | StoreUnavailable>
    readonly list: (signedIn: SignedIn, page: PageRequest) => Effect.Effect<TopUpPage, StoreUnavailable>
    /** The page of the simulated processor. */
    readonly byToken: (paymentToken: string) => Effect.Effect<TopUp, TopUpNotFound | StoreUnavailable>
    readonly pay: (paymentToken: string) => Effect.Effect<TopUp, Fault | PaymentMismatch>
    readonly abandon: (paymentToken: string) => Effect.Effect<TopUp, Fault>
    /** Idempotent per payment. The notice must be authenticated before. */
    readonly settle: (
      payment: Payment
    ) => Effect.Effect<SettledTopUp, TopUpNotFound | PaymentMismatch | StoreUnavailable>
    /** What the processor says of its session: books a payment, ends an expired one. */
    readonly follow: (
      topUpId: string,
      state: SessionState
    ) => Effect.Effect<TopUp, TopUpNotFound | PaymentMismatch | StoreUnavailable>
    /** Ends open top-ups past their expiry, unless they were paid; how many were looked at. */
    readonly sweep: Effect.Effect<number, StoreUnavailable>
  }
>()("backlinks/usecases/wallet/TopUpCredit") {
  static readonly layer = Layer.effect(
    TopUpCredit,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const topUps = yield* TopUps
      const processor = yield* PaymentProcessor
      const random = yield* SecureRandom.SecureRandom
      const { topUpPage } = yield* MemberArea

      const reads = (topUpId: string, more: { readonly accountId?: string; readonly reference?: string } = {}) => ({
        _tag: "ForTopUp" as const,
        topUpId,
        ...more
      })

      const openSession = Effect.fnUntraced(function* (topUp: TopUp) {
        if (topUp.paymentUrl !== null) return topUp
        const { topUpId: quoteId, cents: amountCents, expiresAtMs, paymentToken } = topUp
        const session = yield* processor.open({
          ...{ quoteId, endedSessionId: null, amountCents, currency: "EUR", expiresAtMs },
          description: "Prepaid credit",
          pageUrl: topUpPage(paymentToken)
        })
        return yield* book.transact(reads(quoteId), storeTopUpSession(quoteId, session))
      })

      const settle = Effect.fn("TopUpCredit.settle")((payment: Payment) =>
        book.transact(reads(payment.quoteId, { reference: payment.paymentId }), settleTopUp(payment))
      )

      const find = Effect.fnUntraced(function* (topUpId: string, found: TopUp | null) {
        return found ?? (yield* new TopUpNotFound({ topUpId }))
      })

      const follow = Effect.fn("TopUpCredit.follow")(function* (topUpId: string, state: SessionState) {
        if (state.outcome === "paid") return (yield* settle(state.payment)).topUp
        if (state.outcome === "expired") return yield* book.transact(reads(topUpId), endTopUp(topUpId))
        return yield* find(topUpId, yield* topUps.byId(topUpId))
      })

      const expire = Effect.fnUntraced(function* ({ topUpId, sessionId }: TopUp) {
        return yield* follow(topUpId, yield* processor.expire({ quoteId: topUpId, sessionId }))
      })

      /** As it is where the processor does not answer: the sweep asks again. */
      const refreshed = (topUp: TopUp) =>
        topUp.status !== "open" || topUp.sessionId === null
          ? Effect.succeed(topUp)
          : processor.look({ quoteId: topUp.topUpId, sessionId: topUp.sessionId }).pipe(
              Effect.flatMap((state) => follow(topUp.topUpId, state)),
              Effect.catchTag(["ProcessorUnavailable", "PaymentMismatch"], (fault) =>
                Effect.as(Effect.logWarning("A top-up was not followed", fault), topUp)
              )
            )

      const byToken = Effect.fnUntraced(function* (token: string) {
        return yield* find("", yield* topUps.byPaymentToken(token))
      })

      return TopUpCredit.of({
        newId: Effect.gen(function* () {
          const entropy = yield* random.randomBytes(CONTEXT_ENTROPY_BYTES)
          return makeId("top_", "live", makeDecisionContext(yield* Clock.currentTimeMillis, entropy).idPrefix, 0)
        }),
        start: Effect.fn("TopUpCredit.start")(function* ({ member, account }, { topUpId, cents }) {
          if (!TOP_UP_ID.test(topUpId)) return yield* new TopUpNotFound({ topUpId })
          const { accountId } = account
          const decide = openTopUp({ topUpId, accountId, memberId: member.memberId, cents })
          return yield* openSession(yield* book.transact(reads(topUpId, { accountId }), decide))
        }),
        view: Effect.fn("TopUpCredit.view")(function* ({ account }, topUpId) {
          const topUp = yield* find(topUpId, yield* topUps.byId(topUpId))
          if (topUp.accountId !== account.accountId) return yield* new TopUpNotFound({ topUpId })
          return yield* refreshed(topUp)
        }),
        list: Effect.fn("TopUpCredit.list")(({ account: { accountId } }, page) =>
          topUps.ofAccount({ ...page, accountId })
        ),
        byToken: Effect.fn("TopUpCredit.byToken")(byToken),
        pay: Effect.fn("TopUpCredit.pay")(function* (token) {
          const { topUpId, cents } = yield* byToken(token)
          // With a real processor, top-ups are paid on its own page.
          if (processor.simulatePayment === null) return yield* new TopUpNotFound({ topUpId })
          return (yield* settle(yield* processor.simulatePayment(topUpId, cents))).topUp
        }),
        abandon: Effect.fn("TopUpCredit.abandon")(function* (token) {
          const topUp = yield* byToken(token)
          if (processor.simulatePayment === null) return yield* new TopUpNotFound({ topUpId: topUp.topUpId })
          return yield* Effect.catchTag(expire(topUp), "PaymentMismatch", Effect.die)
        }),
        settle,
        follow,
        sweep: Effect.gen(function* () {
          const due = yield* topUps.due({ nowMs: yield* Clock.currentTimeMillis, limit: BATCH })
          for (const topUp of due) {
            yield* Effect.catchCause(expire(topUp), (cause) =>
              Effect.logWarning("top-up left for the next sweep", topUp.topUpId, cause)
            )
          }
          return due.length
        }).pipe(Effect.withSpan("TopUpCredit.sweep"))
      })
    })
  )
}
