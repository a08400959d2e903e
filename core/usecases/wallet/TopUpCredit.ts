// Tops up an account's credit through the payment processor. A crash between two steps is finished by the same form sent again, by the
// processor's notice, or by the sweep.
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { openTopUp } from "#core/decisions/wallet/TopUps.ts"
import type { AccountClosed, AccountNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { PaymentMismatch } from "#core/domain/ordering/PaymentRefusal.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import { CONTEXT_ENTROPY_BYTES, makeDecisionContext, makeId } from "#core/domain/shared/DecisionContext.ts"
import { TopUpId } from "#core/domain/shared/Ids.ts"
import { type TopUp, type TopUpAmountInvalid, TopUpNotFound } from "#core/domain/wallet/TopUp.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type TopUpPage, TopUps } from "#core/ports/wallet/TopUps.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { FollowTopUps } from "./FollowTopUps.ts"
import { OpenTopUps } from "./OpenTopUps.ts"

type Fault = TopUpNotFound | ProcessorUnavailable | StoreUnavailable

const TOP_UP_ID = /^top_[0-9a-z]{28}$/

export class TopUpCredit extends Context.Service<
  TopUpCredit,
  {
    /** For the form's hidden field: a form that is sent twice opens one top-up. */
    readonly newId: Effect.Effect<TopUpId>
    /** The page on which an owner tops up by this amount; `null` where people do not sign in. */
    readonly pageFor: (cents: Cents) => string | null
    /**
     * Opens it with its payment session, or returns what the same id opened before. Its `paymentUrl` is `null` while the processor does not
     * answer: the sweep opens the session later.
     */
    readonly start: (
      signedIn: SignedIn,
      request: { readonly topUpId: TopUpId; readonly cents: Cents }
    ) => Effect.Effect<
      TopUp,
      AccountClosed | AccountNotFound | OwnerOnly | TopUpAmountInvalid | TopUpNotFound | StoreUnavailable
    >
    /** Asks the processor first if it is open, and opens its session if that is missing. */
    readonly view: (signedIn: SignedIn, topUpId: TopUpId) => Effect.Effect<TopUp, TopUpNotFound | StoreUnavailable>
    /** How much of a paid one was taken at once for what the account owed. */
    readonly collectedOf: (topUp: TopUp) => Effect.Effect<Cents, StoreUnavailable>
    /**
     * Closes its payment session, and returns it as it is then: `ended`, `paid` if a payment came first, or still `open` while a bank debit
     * is on its way. One that has no session ends also while the processor does not answer.
     */
    readonly cancel: (signedIn: SignedIn, topUpId: TopUpId) => Effect.Effect<TopUp, Fault>
    readonly list: (signedIn: SignedIn, page: PageRequest<TopUpId>) => Effect.Effect<TopUpPage, StoreUnavailable>
    /** The page of the simulated processor. */
    readonly byToken: (paymentToken: string) => Effect.Effect<TopUp, TopUpNotFound | StoreUnavailable>
    readonly pay: (paymentToken: string) => Effect.Effect<TopUp, Fault | PaymentMismatch>
    readonly abandon: (paymentToken: string) => Effect.Effect<TopUp, Fault>
  }
>()("backlinks/usecases/wallet/TopUpCredit") {
  static readonly layer = Layer.effect(
    TopUpCredit,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const topUps = yield* TopUps
      const wallets = yield* Wallets
      const processor = yield* PaymentProcessor
      const random = yield* SecureRandom.SecureRandom
      const { topUpForm } = yield* MemberArea
      const { settle, refresh, expire, cancel } = yield* FollowTopUps
      const { open, openForReader } = yield* OpenTopUps

      const byToken = Effect.fnUntraced(function* (token: string) {
        return (yield* topUps.byPaymentToken(token)) ?? (yield* new TopUpNotFound({ topUpId: TopUpId.make("") }))
      })

      const owned = Effect.fnUntraced(function* ({ account }: SignedIn, topUpId: TopUpId) {
        const topUp = yield* topUps.byId(topUpId)
        return topUp?.accountId === account.accountId ? topUp : yield* new TopUpNotFound({ topUpId })
      })

      return TopUpCredit.of({
        newId: Effect.gen(function* () {
          const entropy = yield* random.randomBytes(CONTEXT_ENTROPY_BYTES)
          return makeId("top_", "live", makeDecisionContext(yield* Clock.currentTimeMillis, entropy).idPrefix, 0)
        }),
        pageFor: (cents) => topUpForm?.(cents) ?? null,
        start: Effect.fn("TopUpCredit.start")(function* ({ member, account }, { topUpId, cents }) {
          if (!TOP_UP_ID.test(topUpId)) return yield* new TopUpNotFound({ topUpId })
          const { accountId } = account
          const decide = openTopUp({ topUpId, accountId, memberId: member.memberId, cents })
          return yield* open(yield* book.transact({ _tag: "ForTopUp", topUpId, accountId }, decide))
        }),
        cancel: Effect.fn("TopUpCredit.cancel")(function* (signedIn, topUpId) {
          const topUp = yield* owned(signedIn, topUpId)
          return topUp.status === "open" ? yield* cancel(topUp, signedIn.member.memberId) : topUp
        }),
        view: Effect.fn("TopUpCredit.view")(function* (signedIn, topUpId) {
          const topUp = yield* owned(signedIn, topUpId)
          return yield* topUp.status === "open" && topUp.paymentUrl === null ? openForReader(topUp) : refresh(topUp)
        }),
        collectedOf: Effect.fn("TopUpCredit.collectedOf")(function* ({ accountId, paymentId }) {
          if (paymentId === null) return 0
          const credited = yield* wallets.referring({ accountId, kind: "top_up", reference: paymentId })
          if (credited === null) return 0
          const taken = yield* wallets.referring({ accountId, kind: "adjustment", reference: credited.entryId })
          return taken?.amountCents ?? 0
        }),
        list: Effect.fn("TopUpCredit.list")(({ account: { accountId } }, page) =>
          topUps.ofAccount({ ...page, accountId })
        ),
        byToken: Effect.fn("TopUpCredit.byToken")(byToken),
        pay: Effect.fn("TopUpCredit.pay")(function* (token) {
          const { topUpId, cents } = yield* byToken(token)
          // A real processor takes the payment on its own page.
          if (processor.simulatePayment === null) return yield* new TopUpNotFound({ topUpId })
          return (yield* settle(yield* processor.simulatePayment(topUpId, cents))).topUp
        }),
        abandon: Effect.fn("TopUpCredit.abandon")(function* (token) {
          const topUp = yield* byToken(token)
          if (processor.simulatePayment === null) return yield* new TopUpNotFound({ topUpId: topUp.topUpId })
          return yield* Effect.catchTag(expire(topUp), "PaymentMismatch", Effect.die)
        })
      })
    })
  )
}
