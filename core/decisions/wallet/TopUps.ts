// Opens top-ups, stores their payment sessions, ends them, and books each payment once.
import { HashMap, Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { AccountClosed, AccountNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import { PaymentMismatch } from "#core/domain/ordering/PaymentRefusal.ts"
import type { PaymentFor } from "#core/domain/ordering/Quote.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { AccountId, MemberId, PaymentId, PaymentSessionId, TopUpId } from "#core/domain/shared/Ids.ts"
import {
  MAX_TOP_UP_CENTS,
  MIN_TOP_UP_CENTS,
  TOP_UP_TTL_MS,
  type TopUp,
  TopUpAmountInvalid,
  TopUpNotFound
} from "#core/domain/wallet/TopUp.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { openAccountOf, recordFirstPayment } from "../members/AccountState.ts"
import { requireOwner } from "../members/Members.ts"
import { bookCredit } from "./OwedCredit.ts"
import { reverseOncePaid } from "./ReverseTopUp.ts"

const isValidAmount = (cents: Cents): boolean =>
  Number.isInteger(cents) && cents >= MIN_TOP_UP_CENTS && cents <= MAX_TOP_UP_CENTS

/** Once per id, which the caller chooses: a repetition returns the first one. An id of another account is not found. */
export const openTopUp =
  (input: {
    readonly topUpId: TopUpId
    readonly accountId: AccountId
    readonly memberId: MemberId
    readonly cents: Cents
  }): Decide<TopUp, AccountClosed | AccountNotFound | OwnerOnly | TopUpAmountInvalid | TopUpNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const { topUpId, accountId, memberId, cents } = input
      const known = find(books.topUps, topUpId)
      if (known !== undefined)
        return known.accountId === accountId ? unchanged(known) : yield* Result.fail(new TopUpNotFound({ topUpId }))
      yield* requireOwner(books, accountId, { memberId })
      yield* openAccountOf(books, accountId)
      if (!isValidAmount(cents)) {
        const bounds = { minimumCents: MIN_TOP_UP_CENTS, maximumCents: MAX_TOP_UP_CENTS }
        return yield* Result.fail(new TopUpAmountInvalid(bounds))
      }
      const draft = new Draft(books, context)
      const topUp: TopUp = {
        ...{ topUpId, accountId, memberId, cents, status: "open", paymentToken: context.secret },
        ...{ sessionId: null, paymentUrl: null, paymentId: null },
        createdAtMs: context.nowMs,
        expiresAtMs: context.nowMs + TOP_UP_TTL_MS
      }
      draft.record({ _tag: "TopUpSaved", topUp })
      audit(draft, memberId, {
        action: "topup.open",
        subject: topUpId,
        accountId,
        details: { account: accountId, cents }
      })
      return draft.decided(topUp)
    })

const change = (draft: Draft, topUp: TopUp, changes: Partial<TopUp>): TopUp => {
  const changed = { ...topUp, ...changes }
  draft.record({ _tag: "TopUpSaved", topUp: changed })
  return changed
}

const known = (books: Books, topUpId: TopUpId): Result.Result<TopUp, TopUpNotFound> =>
  Result.fromNullishOr(find(books.topUps, topUpId), () => new TopUpNotFound({ topUpId }))

const isOfClosedAccount = (books: Books, { accountId }: TopUp): boolean =>
  find(books.accounts, accountId)?.closedAtMs !== undefined

/** An open top-up that is to end: it has expired by the store's time, or its account is closed. `null` if there is no reason, or it is not open. */
export const readDueTopUp =
  (topUpId: TopUpId): Decide<TopUp | null, TopUpNotFound> =>
  (books, context) =>
    Result.map(known(books, topUpId), (topUp) => {
      const isDue = topUp.expiresAtMs <= context.nowMs || isOfClosedAccount(books, topUp)
      return unchanged(topUp.status === "open" && isDue ? topUp : null)
    })

/** The first stored session stays. One of a closed account ends with it. */
export const storeTopUpSession =
  (
    topUpId: TopUpId,
    session: { readonly sessionId: PaymentSessionId; readonly paymentUrl: string }
  ): Decide<TopUp, TopUpNotFound> =>
  (books, context) =>
    Result.map(known(books, topUpId), (topUp) => {
      if (topUp.sessionId !== null) return unchanged(topUp)
      const draft = new Draft(books, context)
      const isEnded = topUp.status === "open" && isOfClosedAccount(books, topUp)
      return draft.decided(change(draft, topUp, isEnded ? { ...session, status: "ended" } : session))
    })

/**
 * For a session that ended unpaid; one that was paid meanwhile stays paid. `actor`: who cancelled it. `ifUnopened`: only where no
 * session is stored.
 */
export const endTopUp =
  (
    topUpId: TopUpId,
    actor: Actor | null = null,
    { ifUnopened = false }: { readonly ifUnopened?: boolean } = {}
  ): Decide<TopUp, TopUpNotFound> =>
  (books, context) =>
    Result.map(known(books, topUpId), (topUp) => {
      if (topUp.status !== "open" || (ifUnopened && topUp.sessionId !== null)) return unchanged(topUp)
      const draft = new Draft(books, context)
      const { accountId, cents } = topUp
      if (actor !== null)
        audit(draft, actor, { action: "topup.cancel", subject: topUpId, accountId, details: { cents } })
      return draft.decided(change(draft, topUp, { status: "ended" }))
    })

export interface SettledTopUp {
  readonly topUp: TopUp
  /** `set_aside`: it would be credit of a closed account. */
  readonly outcome: "credited" | "set_aside" | "repeated"
}

/** Books a payment of the whole amount, with what is owed of it, and what was reported refunded or disputed of it before. */
export const bookTopUpPayment = (draft: Draft, topUp: TopUp, reference: PaymentId): TopUp => {
  const { topUpId, accountId, cents, paymentId } = topUp
  bookCredit(draft, accountId, { kind: "top_up", cents }, { reference })
  recordFirstPayment(draft, accountId)
  const paid = change(draft, topUp, { status: "paid", paymentId: paymentId ?? reference })
  reverseOncePaid(draft, paid, reference)
  return find(draft.books.topUps, topUpId) ?? paid
}

/**
 * Books what was paid, once per payment however often it is reported, also after the top-up has ended. What is paid after the account was
 * closed is set aside.
 */
export const settleTopUp =
  (payment: PaymentFor<TopUpId>): Decide<SettledTopUp, TopUpNotFound | PaymentMismatch> =>
  (books, context) =>
    Result.gen(function* () {
      const { paymentId, quoteId: topUpId, amountCents: cents, currency } = payment
      const topUp = yield* known(books, topUpId)
      const { accountId } = topUp
      const isBooked = Array.from(HashMap.values(books.ledger)).some(
        (entry) => entry.kind === "top_up" && entry.accountId === accountId && entry.reference === paymentId
      )
      if (isBooked || find(books.setAside, paymentId) !== undefined)
        return unchanged({ topUp, outcome: "repeated" as const })
      const reason = currency === "EUR" ? (cents === topUp.cents ? null : "amount") : "currency"
      if (reason !== null) return yield* Result.fail(new PaymentMismatch({ quoteId: topUpId, reason }))
      const draft = new Draft(books, context)
      if (!isOfClosedAccount(books, topUp))
        return draft.decided({ topUp: bookTopUpPayment(draft, topUp, paymentId), outcome: "credited" as const })
      const setAside = { ...payment, reason: "closed" as const, atMs: context.nowMs, outcome: null }
      draft.record({ _tag: "PaymentSetAside", setAside })
      const ended = topUp.status === "open" ? change(draft, topUp, { status: "ended" }) : topUp
      return draft.decided({ topUp: ended, outcome: "set_aside" as const })
    })
