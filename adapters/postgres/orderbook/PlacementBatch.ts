// Decides many placements one after another, each on the books that those before it have left, as if it had been alone with them.
// Pure: loading, writing and telling are `PlacementFlight`'s.
import { Exit, HashMap, Result } from "effect"
import { apply } from "#core/decisions/Apply.ts"
import { type Books, bindingId, dailyUsageId, emptyBooks, find, pick } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import { type DecisionContext, utcDay } from "#core/domain/DecisionContext.ts"
import { normaliseCode, type Promo } from "#core/domain/Promo.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { promoId } from "../rows/CatalogueRows.ts"
import { writtenPromoCodes } from "./CatalogueWrites.ts"
import type { LoadedBooks } from "./LoadedBooks.ts"
import type { ForPlacement } from "./PlacementQuery.ts"
import { type WriteContext, writeContext } from "./WriteContext.ts"

export interface Placement {
  readonly reads: ForPlacement
  readonly decide: Decide<unknown, Refusal>
}

export interface DecidedBatch {
  /** In the order of the placements. A decision that threw died, and nobody else of it. */
  readonly results: ReadonlyArray<Exit.Exit<unknown, Refusal>>
  readonly changes: ReadonlyArray<Change>
  /** `null` where there is nothing to write. */
  readonly writeContext: WriteContext | null
}

/** Where nothing limits a promotion, nobody has to know how often it was used. */
const isUnlimited = ({ maxRedemptions, oncePerAccount }: Promo): boolean => maxRedemptions === null && !oncePerAccount

/** An account's view of a promotion does not know what others of the batch have done to it. */
const promoNow = (view: Promo, changes: ReadonlyArray<Change>): Promo => {
  if (isUnlimited(view)) return view
  const { code } = view
  const books = { ...emptyBooks, promos: HashMap.make([code, view]) }
  const now = changes.filter((change) => "code" in change && change.code === code).reduce(apply, books)
  return find(now.promos, code) ?? view
}

const promosFor = (
  { promoCode, accountId }: ForPlacement,
  loaded: LoadedBooks,
  changes: ReadonlyArray<Change>
): Books["promos"] => {
  if (promoCode === null) return HashMap.empty()
  const code = normaliseCode(promoCode)
  const view = loaded.promos.get(promoId(code, accountId))
  return view === undefined ? HashMap.empty() : HashMap.make([code, promoNow(view, changes)])
}

type Hearing = ReadonlyMap<string, ReadonlyArray<string>>

const hearingByKey = ({ subscriptions }: Books): Hearing => {
  const byKey = new Map<string, Array<string>>()
  for (const { keyId, webhookId } of HashMap.values(subscriptions)) {
    const known = byKey.get(keyId)
    if (known === undefined) byKey.set(keyId, [webhookId])
    else known.push(webhookId)
  }
  return byKey
}

/** What the placement asked for, and nothing else. */
const slice = (books: Books, asked: ForPlacement, day: number, hearing: Hearing): Omit<Books, "promos"> => ({
  ...emptyBooks,
  fulfilment: books.fulfilment,
  keys: pick(books.keys, [asked.keyId]),
  accounts: pick(books.accounts, [asked.accountId]),
  dailyUsage: pick(books.dailyUsage, [dailyUsageId(asked.keyId, day)]),
  subscriptions: pick(books.subscriptions, hearing.get(asked.keyId) ?? []),
  sites: pick(books.sites, asked.siteIds),
  articles: pick(books.articles, asked.articleIds),
  projects: pick(books.projects, asked.projectIds),
  opportunities: pick(books.opportunities, asked.opportunityIds),
  linked: books.linked,
  bindings:
    asked.idempotencyKey === null
      ? HashMap.empty()
      : pick(books.bindings, [bindingId(asked.keyId, asked.idempotencyKey)])
})

const decided = (
  { decide }: Placement,
  books: Books,
  moment: DecisionContext
): Exit.Exit<ReturnType<Placement["decide"]>> => {
  try {
    return Exit.succeed(decide(books, moment))
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** Only what was seen by placements that change something has to be still as it was seen. */
const seenBy = (loaded: LoadedBooks, placements: ReadonlyArray<ForPlacement>, hearing: Hearing): LoadedBooks => {
  const { versions } = loaded
  const only = <Id>(known: ReadonlyMap<Id, string>, ids: (reads: ForPlacement) => ReadonlyArray<Id>) => {
    const kept = new Map<Id, string>()
    for (const reads of placements) {
      for (const id of ids(reads)) {
        const version = known.get(id)
        if (version !== undefined) kept.set(id, version)
      }
    }
    return kept
  }
  return {
    ...loaded,
    versions: {
      ...versions,
      accounts: only(versions.accounts, ({ accountId }) => [accountId]),
      promos: only(versions.promos, ({ promoCode }) => (promoCode === null ? [] : [normaliseCode(promoCode)])),
      sites: only(versions.sites, ({ siteIds }) => siteIds),
      articles: only(versions.articles, ({ articleIds }) => articleIds),
      projects: only(versions.projects, ({ projectIds }) => projectIds),
      opportunities: only(versions.opportunities, ({ opportunityIds }) => opportunityIds),
      subscriptions: only(versions.subscriptions, ({ keyId }) => hearing.get(keyId) ?? [])
    }
  }
}

/** `nextMoment` gives each decision a moment of its own, later than those before. */
export const decideBatch = (
  loaded: LoadedBooks,
  placements: ReadonlyArray<Placement>,
  nextMoment: () => DecisionContext
): DecidedBatch => {
  const answers: Array<Exit.Exit<unknown, Refusal>> = []
  const changes: Array<Change> = []
  const changing: Array<ForPlacement> = []
  const hearing = hearingByKey(loaded.books)
  let books = loaded.books
  let stem = ""
  for (const placement of placements) {
    const { reads } = placement
    const moment = nextMoment()
    const own = slice(books, reads, utcDay(moment.nowMs), hearing)
    const outcome = decided(placement, { ...own, promos: promosFor(reads, loaded, changes) }, moment)
    if (Exit.isFailure(outcome)) answers.push(outcome)
    else if (Result.isFailure(outcome.value)) answers.push(Exit.fail(outcome.value.failure))
    else {
      const decision = outcome.value.success
      answers.push(Exit.succeed(decision.reply))
      if (decision.changes.length === 0) continue
      changing.push(reads)
      changes.push(...decision.changes)
      books = decision.changes.reduce(apply, books)
      stem = moment.idPrefix
    }
  }
  const written = changes.length === 0 ? null : writeContext(seenBy(loaded, changing, hearing), changes, stem, books)
  return { results: answers, changes, writeContext: written }
}

/**
 * What was loaded while an earlier batch of the same account is being written, as it will be once that is done. Whoever decides on it
 * writes over the earlier batch's version of the account, and so loses the race wherever the earlier batch was not written after
 * all. `null` where more than the account and what is its own was written: then nothing can be said before it is done.
 */
export const rebase = (
  loaded: LoadedBooks,
  accountId: string,
  { changes, writeContext: writing }: DecidedBatch
): LoadedBooks | null => {
  const { versions } = loaded
  const version = versions.accounts.get(accountId)
  if (writing === null || version === writing.version) return loaded
  const isOwn = writing.changed.articles.size === 0 && writtenPromoCodes(writing).length === 0
  if (!isOwn || version !== writing.loaded.versions.accounts.get(accountId)) return null
  return {
    ...loaded,
    books: changes.reduce(apply, loaded.books),
    versions: { ...versions, accounts: new Map(versions.accounts).set(accountId, writing.version) },
    promos: new Map(Array.from(loaded.promos, ([id, view]) => [id, promoNow(view, changes)]))
  }
}
