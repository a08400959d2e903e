// The working state of a decision: it records each change and folds it at once, so that the next step sees it. Mutable, but local to
// one decision.
import { HashMap, Option, Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { type DecisionContext, type IdType, type Mode, makeId } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, IdByPrefix, LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { type Movement, move } from "#core/domain/wallet/Wallet.ts"
import { apply } from "./Apply.ts"
import type { Books } from "./Books.ts"
import type { Change } from "./Change.ts"

/** The result of a decision: the reply to the caller, and the changes to write. */
export interface Decided<A> {
  readonly reply: A
  readonly changes: ReadonlyArray<Change>
  /** The decision's books with its changes, which a draft has anyway. */
  readonly after?: Books | undefined
}

/** Pure and synchronous: the same books and context give the same result. A store may run it several times. */
export type Decide<A, E extends Refusal = Refusal> = (
  books: Books,
  context: DecisionContext
) => Result.Result<Decided<A>, E>

/** Mutable, and local to one decision: `books` are those it was given with the changes recorded so far. */
export class Draft {
  readonly context: DecisionContext
  /** The books before the first change. */
  readonly before: Books
  readonly #changes: Array<Change> = []
  #books: Books
  #ordinal = 0

  constructor(books: Books, context: DecisionContext) {
    this.context = context
    this.before = books
    this.#books = books
  }

  /** The books with all changes so far. */
  get books(): Books {
    return this.#books
  }

  record(change: Change): void {
    this.#changes.push(change)
    this.#books = apply(this.#books, change)
  }

  nextId<Type extends IdType>(type: Type, mode: Mode = "live"): IdByPrefix[Type] {
    return makeId(type, mode, this.context.idPrefix, this.#ordinal++)
  }

  decided<A>(reply: A): Decided<A> {
    return { reply, changes: this.#changes, after: this.#books }
  }
}

export const unchanged = <A>(reply: A): Decided<A> => ({ reply, changes: [] })

export interface LedgerRefs {
  readonly quoteId?: QuoteId
  readonly orderId?: OrderId
  readonly linkId?: LinkId
  readonly reference?: string
}

const accountNotRead = (accountId: AccountId) => new Error(`${accountId} is not among the books of this decision`)

/**
 * The ledger entry of a movement on the current wallet. Decisions read the account and check the wallet before they move money, so a
 * missing account or an overdrawn wallet is a defect: it throws, and nothing is written.
 */
export const ledgerEntry = (draft: Draft, accountId: AccountId, movement: Movement, refs: LedgerRefs): LedgerEntry => {
  const account = Option.getOrThrowWith(HashMap.get(draft.books.accounts, accountId), () => accountNotRead(accountId))
  const { wallet: after, deltas } = Result.getOrThrow(move(account.wallet, movement))
  return {
    entryId: draft.nextId("led_"),
    accountId,
    kind: movement.kind,
    amountCents: movement.cents,
    balanceDeltaCents: deltas.balanceCents,
    heldDeltaCents: deltas.heldCents,
    balanceAfterCents: after.balanceCents,
    heldAfterCents: after.heldCents,
    quoteId: refs.quoteId ?? null,
    orderId: refs.orderId ?? null,
    linkId: refs.linkId ?? null,
    ...(refs.reference === undefined ? {} : { reference: refs.reference }),
    atMs: draft.context.nowMs
  }
}

export const audit = (
  draft: Draft,
  actor: Actor | null,
  entry: Pick<AuditRecord, "action" | "subject" | "accountId" | "details">
): void => {
  if (actor === null) return
  const auditId = draft.nextId("aud_")
  draft.record({ _tag: "AuditRecorded", record: { auditId, actor, ...entry, atMs: draft.context.nowMs } })
}
