// Decides the placements of one batch one after another, each on the books that those before it have left, as if it ran alone. It sees the
// promotions as its account does, with what those before it have changed. Pure.
import { Exit, HashMap, HashSet, Result } from "effect"
import { apply } from "#core/decisions/Apply.ts"
import { type Books, emptyBooks, find, pick } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { Decided } from "#core/decisions/Draft.ts"
import { normaliseCode, type Promo } from "#core/domain/pricing/Promo.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { DecisionContext } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, KeyId, QuoteId, WebhookId } from "#core/domain/shared/Ids.ts"
import { EVERY_ACCOUNT, promoId } from "../rows/CatalogueRows.ts"
import type { Call } from "./Batches.ts"
import { type LoadedBooks, makeWriteContext, type WriteContext } from "./LoadedBooks.ts"
import type { ForPlacement } from "./PlacementQuery.ts"

/** Uses of such a promotion affect no decision. */
const isUnlimited = ({ maxRedemptions, oncePerAccount }: Promo): boolean => maxRedemptions === null && !oncePerAccount

type PromoChange = Extract<Change, { readonly code: string }>

const isOfPromo = (change: Change): change is PromoChange => "code" in change

/** What the batch has changed so far of the uses of a promotion, by its code. */
type UsesInBatch = Map<string, { readonly added: Promo; readonly quoteIds: Set<QuoteId> }>

/** Each change is applied once, and not to every account's view. `promo` is any view of it. */
const recordUse = (uses: UsesInBatch, promo: Promo, change: PromoChange): void => {
  const { code } = change
  const unused: Promo = { ...promo, redeemed: 0, redeemedBy: HashSet.empty(), reservations: [] }
  const { added, quoteIds } = uses.get(code) ?? { added: unused, quoteIds: new Set<QuoteId>() }
  const after = apply({ ...emptyBooks, promos: HashMap.make([code, added]) }, change)
  const { quoteId } = change._tag === "PromoReserved" ? change.reservation : change
  uses.set(code, { added: find(after.promos, code) ?? added, quoteIds: quoteIds.add(quoteId) })
}

/** An account's view of a promotion, with what the batch has changed, also for other accounts. */
const promoAfter = (view: Promo, uses: UsesInBatch): Promo => {
  const inBatch = isUnlimited(view) ? undefined : uses.get(view.code)
  if (inBatch === undefined) return view
  const { added, quoteIds } = inBatch
  return {
    ...view,
    redeemed: view.redeemed + added.redeemed,
    redeemedBy: HashSet.union(added.redeemedBy, view.redeemedBy),
    reservations: [...view.reservations.filter(({ quoteId }) => !quoteIds.has(quoteId)), ...added.reservations]
  }
}

const promosFor = ({ promoCode, accountId }: ForPlacement, loaded: LoadedBooks, uses: UsesInBatch): Books["promos"] => {
  if (promoCode === null) return HashMap.empty()
  const code = normaliseCode(promoCode)
  const view = loaded.promos.get(promoId(code, EVERY_ACCOUNT)) ?? loaded.promos.get(promoId(code, accountId))
  return view === undefined ? HashMap.empty() : HashMap.make([code, promoAfter(view, uses)])
}

/** Subscriptions by their key, or by the account whose events they all receive. */
type SubscriptionIds = ReadonlyMap<KeyId | AccountId, ReadonlyArray<WebhookId>>

const subscriptionIdsIn = ({ subscriptions }: Books): SubscriptionIds => {
  const ids = new Map<KeyId | AccountId, Array<WebhookId>>()
  for (const { keyId, accountId, scope, webhookId } of HashMap.values(subscriptions)) {
    const by = scope === "account" ? accountId : keyId
    const known = ids.get(by)
    if (known === undefined) ids.set(by, [webhookId])
    else known.push(webhookId)
  }
  return ids
}

const subscribedTo = (ids: SubscriptionIds, { keyId, accountId }: ForPlacement): ReadonlyArray<WebhookId> => [
  ...(ids.get(keyId) ?? []),
  ...(ids.get(accountId) ?? [])
]

/**
 * The books of the batch as the placement sees them. Decisions look rows up by the ids that they read, so that those of other placements
 * do not matter to them; promotions are as its account sees them, and subscriptions, which they go through, are those that receive its
 * events.
 */
const booksFor = (books: Books, reads: ForPlacement, promos: Books["promos"], ids: SubscriptionIds): Books => ({
  ...books,
  promos,
  subscriptions: pick(books.subscriptions, subscribedTo(ids, reads))
})

/** Only rows that changing placements read need to be unchanged when they are written. */
const versionsReadBy = (
  loaded: LoadedBooks,
  placements: ReadonlyArray<ForPlacement>,
  subscriptionIds: SubscriptionIds
): LoadedBooks => {
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
      subscriptions: only(versions.subscriptions, (reads) => subscribedTo(subscriptionIds, reads))
    }
  }
}

/** The books of the batch with the changes of a decision, which it has made to its own books. */
const booksAfter = (
  books: Books,
  own: Books,
  { changes, after = changes.reduce(apply, own) }: Decided<unknown>
): Books => ({
  ...after,
  promos: changes.filter(isOfPromo).reduce(apply, books).promos,
  subscriptions: books.subscriptions
})

export interface DecidedBatch {
  /** In the order of the placements. A decision that throws is a defect of that placement alone. */
  readonly results: ReadonlyArray<Exit.Exit<unknown, Refusal>>
  /** `null` if there is nothing to write. */
  readonly writeContext: WriteContext | null
}

const runDecision = (
  { decide }: Call<ForPlacement>,
  books: Books,
  context: DecisionContext
): Exit.Exit<Decided<unknown>, Refusal> => {
  try {
    return Result.match(decide(books, context), { onSuccess: Exit.succeed, onFailure: Exit.fail })
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** `nextContext` returns a context for each decision, with an id prefix after those before. */
export const decidePlacements = (
  loaded: LoadedBooks,
  placements: ReadonlyArray<Call<ForPlacement>>,
  nextContext: () => DecisionContext
): DecidedBatch => {
  const uses: UsesInBatch = new Map()
  const subscriptionIds = subscriptionIdsIn(loaded.books)
  const results: Array<Exit.Exit<unknown, Refusal>> = []
  const changing: Array<ForPlacement> = []
  let { books } = loaded
  let version = ""
  for (const placement of placements) {
    const { reads } = placement
    const context = nextContext()
    const own = booksFor(books, reads, promosFor(reads, loaded, uses), subscriptionIds)
    const decided = runDecision(placement, own, context)
    results.push(Exit.map(decided, ({ reply }) => reply))
    if (Exit.isFailure(decided) || decided.value.changes.length === 0) continue
    changing.push(reads)
    for (const change of decided.value.changes.filter(isOfPromo)) {
      const promo = find(own.promos, change.code)
      if (promo !== undefined && !isUnlimited(promo)) recordUse(uses, promo, change)
    }
    books = booksAfter(books, own, decided.value)
    version = context.idPrefix
  }
  if (changing.length === 0) return { results, writeContext: null }
  return { results, writeContext: makeWriteContext(versionsReadBy(loaded, changing, subscriptionIds), books, version) }
}
