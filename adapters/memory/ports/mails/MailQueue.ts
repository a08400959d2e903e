// A queue of mails to owners in memory: what the several kinds of mails have in common. Each call is one synchronous step, which no other fiber
// can interleave, and goes through all that its kind tells.
import { Effect, HashMap } from "effect"
import { type Books, find } from "#core/decisions/Books.ts"
import { DOCUMENT_WAIT_MS } from "#core/domain/mails/ReceiptMail.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { idPrefixAt } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import type { MailQueue } from "#core/ports/mails/OwnerMails.ts"
import type { MemoryBooks } from "../../books/MemoryBooks.ts"
import { perVersion, sorted } from "../../books/Rows.ts"

interface State {
  readonly mailedTo: string
  readonly nextAtMs: Millis
  readonly leasedUntilMs: Millis
  readonly attempts: number
  readonly wanted: boolean
}

/** One kind of mails. */
export interface Kind<News, Told> {
  /** What owners may be told of. */
  readonly news: (books: Books) => ReadonlyArray<News>
  /** Whether it still is told then. */
  readonly isTold?: (news: News, nowMs: Millis) => boolean
  readonly idPrefix: string
  readonly idOf: (news: News) => string
  /** Whether this owner is told of it; each is unless said otherwise. */
  readonly isFor?: (news: News, memberId: MemberId) => boolean
  /** Whether it has its document, for which newer news of the account wait; all news have all unless said otherwise. */
  readonly isIssued?: (books: Books, news: News) => boolean
  /** What the mail tells of the news, oldest first. */
  readonly tell: (books: Books, news: ReadonlyArray<News>) => Told
  /** News of before an owner came, or of while the mails were not wanted, is not told. */
  readonly skipsOld: boolean
}

/** Whether a member wants the mails of a queue. */
interface Wishes {
  readonly isWanted: (memberId: MemberId) => boolean
  readonly want: (memberId: MemberId, wanted: boolean) => void
}

interface Addressed {
  readonly memberId: MemberId
  readonly email: string
  readonly timeZone: string | null
  readonly accountName: string
  readonly count: number
  readonly upTo: string
  readonly attempts: number
}

export const queue = <News extends { readonly accountId: AccountId }, Told>(
  { current }: MemoryBooks["Service"],
  {
    news,
    isTold = () => true,
    isFor = () => true,
    isIssued = () => true,
    idPrefix,
    idOf,
    tell,
    skipsOld
  }: Kind<News, Told>
): MailQueue<Addressed & Told> & Wishes => {
  const newsIn = perVersion((books: Books) => sorted(news(books), { by: (one) => [idOf(one)] }))
  const states = new Map<MemberId, State>()
  /** The newest news that was there to be told. */
  let seenTo = ""

  const stateOf = (memberId: MemberId): State =>
    states.get(memberId) ?? {
      ...{ mailedTo: skipsOld ? seenTo : "", nextAtMs: 0, leasedUntilMs: 0, attempts: 0, wanted: true }
    }
  const change = (memberId: MemberId, changed: Partial<State>): void => {
    states.set(memberId, { ...stateOf(memberId), ...changed })
  }

  /** What has its document, up to the first that waits for its own. */
  const issued = (books: Books, all: ReadonlyArray<News>, nowMs: Millis): ReadonlyArray<News> => {
    const passedTo = `${idPrefix}${idPrefixAt(nowMs - DOCUMENT_WAIT_MS)}`
    const waiting = all.findIndex((one) => idOf(one) > passedTo && !isIssued(books, one))
    return (waiting === -1 ? all : all.slice(0, waiting)).filter((one) => isIssued(books, one))
  }

  return {
    claim: ({ nowMs, leaseMs, lagMs, limit }) =>
      Effect.sync(() => {
        const books = current()
        const before = `${idPrefix}${idPrefixAt(nowMs - lagMs)}`
        const found = newsIn(books).filter((one) => idOf(one) < before && isTold(one, nowMs))
        const byAccount = Map.groupBy(found, ({ accountId }) => accountId)
        const claimed: Array<Addressed & Told> = []
        for (const { memberId, email, timeZone = null, accountId, role, removedAtMs } of HashMap.values(
          books.members
        )) {
          if (role !== "owner" || removedAtMs !== null) continue
          const state = stateOf(memberId)
          states.set(memberId, state)
          const isNew = (one: News): boolean => idOf(one) > state.mailedTo && isFor(one, memberId)
          const untold = issued(books, (byAccount.get(accountId) ?? []).filter(isNew), nowMs)
          const last = untold.at(-1)
          const isFree = state.wanted && state.nextAtMs <= nowMs && state.leasedUntilMs <= nowMs
          if (last === undefined || !isFree || claimed.length >= limit) continue
          change(memberId, { leasedUntilMs: nowMs + leaseMs })
          const accountName = find(books.accounts, accountId)?.name ?? ""
          const mail = {
            memberId,
            email,
            timeZone,
            accountName,
            count: untold.length,
            upTo: idOf(last),
            attempts: state.attempts
          }
          claimed.push({ ...mail, ...tell(books, untold) })
        }
        const newest = found.at(-1)
        if (newest !== undefined && idOf(newest) > seenTo) seenTo = idOf(newest)
        return claimed
      }),
    settle: (memberId, { upTo, nextAtMs, attempts }) =>
      Effect.sync(() => {
        const { mailedTo } = stateOf(memberId)
        const reached = upTo !== null && upTo > mailedTo ? upTo : mailedTo
        change(memberId, { mailedTo: reached, nextAtMs, leasedUntilMs: 0, attempts })
      }),
    isWanted: (memberId) => stateOf(memberId).wanted,
    want: (memberId, wanted) => {
      if (wanted !== stateOf(memberId).wanted)
        change(memberId, { wanted, ...(skipsOld && wanted ? { mailedTo: seenTo } : {}) })
    }
  }
}
