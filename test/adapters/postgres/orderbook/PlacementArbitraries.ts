// Arbitrary shops and orders, the books that a store would load for them, and the results of deciding them in sequence.
import { Exit, HashMap, HashSet, Result } from "effect"
import fc from "fast-check"
import type { Call } from "#adapters/postgres/orderbook/Batches.ts"
import type { LoadedBooks } from "#adapters/postgres/orderbook/LoadedBooks.ts"
import type { ForPlacement } from "#adapters/postgres/orderbook/PlacementQuery.ts"
import { EVERY_ACCOUNT, promoId } from "#adapters/postgres/rows/CatalogueRows.ts"
import { apply } from "#core/decisions/Apply.ts"
import type { Books } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import { placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { linkTarget } from "#core/domain/pricing/Cart.ts"
import { normaliseCode, type Promo } from "#core/domain/pricing/Promo.ts"
import { welcomeDomainsOf } from "#core/domain/pricing/WelcomeUse.ts"
import { defaultShopSettings } from "#core/domain/ShopSettings.ts"
import type { DecisionContext } from "#core/domain/shared/DecisionContext.ts"
import { AccountId, KeyId, QuoteId } from "#core/domain/shared/Ids.ts"
import {
  account,
  booksOf,
  HOUR_MS,
  insertion,
  item,
  key,
  NOON,
  orderBy,
  promo,
  stock,
  subscription,
  welcomeSpent
} from "#test/core/Given.ts"
import { contextAt } from "#test/core/RunDecision.ts"

const reserved = (accountId: string, untilMs: number) => ({
  quoteId: QuoteId.make(`q_of_${accountId}`),
  accountId: AccountId.make(accountId),
  untilMs
})

/** A shop with little credit, low caps, and promotions and articles that are nearly used up. */
export const shops = fc
  .record({
    richCents: fc.constantFrom(0, 1_200, 5_000),
    poorCents: fc.constantFrom(0, 700),
    cap: fc.constantFrom(null, 1, 3),
    left: fc.integer({ min: 0, max: 3 }),
    reservations: fc.subarray([
      reserved("acc_rich", NOON + HOUR_MS),
      reserved("acc_poor", NOON + HOUR_MS),
      reserved("acc_else", NOON - 1)
    ]),
    redeemedBy: fc.subarray(["acc_rich", "acc_else"])
  })
  .map(({ richCents, poorCents, cap, left, reservations, redeemedBy }) =>
    booksOf({
      ...stock,
      accounts: [account("acc_rich", richCents, welcomeSpent), account("acc_poor", poorCents)],
      keys: [
        key("key_rich", "acc_rich", { limits: { ...noLimits, dailyOrderCap: cap } }),
        key("key_poor", "acc_poor"),
        key("key_rich_test", "acc_rich", { mode: "sandbox" })
      ],
      promos: [
        promo("TEN"),
        promo("LAST", { maxRedemptions: redeemedBy.length + left, redeemed: redeemedBy.length, reservations }),
        promo("ONCE", { oncePerAccount: true, redeemedBy: HashSet.fromIterable(redeemedBy), reservations })
      ],
      subscriptions: [
        subscription("wh_rich"),
        subscription("wh_test", { keyId: KeyId.make("key_rich_test"), mode: "sandbox" })
      ]
    })
  )

export const orders = fc.record({
  keyId: fc.constantFrom("key_rich", "key_rich", "key_poor", "key_rich_test"),
  items: fc.array(fc.constantFrom(item(), item({ siteId: 2 }), insertion(11), insertion(12), item({ siteId: 99 })), {
    minLength: 1,
    maxLength: 2
  }),
  promoCode: fc.constantFrom(undefined, undefined, "TEN", "last", "ONCE", "NONE"),
  idempotencyKey: fc.constantFrom(null, "a", "b"),
  dryRun: fc.nat(9).map((n) => n === 0),
  throws: fc.nat(9).map((n) => n === 0)
})

export const plain = { items: [item()], promoCode: undefined, idempotencyKey: null, dryRun: false, throws: false }

export const placementOf = ({
  keyId,
  items,
  promoCode,
  idempotencyKey,
  dryRun,
  throws
}: typeof orders extends fc.Arbitrary<infer A> ? A : never): Call<ForPlacement> => {
  const asked = { items, dryRun, ...(promoCode === undefined ? {} : { promoCode }) }
  const fingerprint = JSON.stringify(asked)
  const order = orderBy(keyId, asked, {
    idempotency: idempotencyKey === null ? null : { key: idempotencyKey, fingerprint },
    settings: { ...defaultShopSettings, openArticlesMax: 1, openCodeUsesMax: 1 }
  })
  return {
    reads: {
      _tag: "ForPlacement",
      keyId: KeyId.make(keyId),
      accountId: order.caller.accountId,
      mode: order.caller.mode,
      siteIds: items.map(({ siteId }) => siteId),
      articleIds: items.flatMap(({ articleId }) => articleId ?? []),
      projectIds: [],
      opportunityIds: [],
      targets: items.map(linkTarget),
      welcomeDomains: welcomeDomainsOf({ items }).domains,
      promoCode: promoCode ?? null,
      idempotencyKey
    },
    decide: throws
      ? () => {
          throw new Error("a bug")
        }
      : placeOrder(order)
  }
}

/** A promotion as the database selects it for one account: other accounts' reservations are only counted. */
const viewOf = (one: Promo, accountId: AccountId): Promo => {
  const isOwn = (by: { readonly accountId: AccountId }) => by.accountId === accountId
  const others = one.reservations.filter((by) => !isOwn(by) && by.untilMs > NOON)
  return {
    ...one,
    redeemed: one.redeemed + (one.maxRedemptions === null ? 0 : others.length),
    redeemedBy: HashSet.filter(one.redeemedBy, (by) => by === accountId),
    reservations: one.reservations.filter(isOwn)
  }
}

const isLimited = ({ maxRedemptions, oncePerAccount }: Promo): boolean => maxRedemptions !== null || oncePerAccount

const versions = <Id>(table: HashMap.HashMap<Id, unknown>) =>
  new Map(Array.from(HashMap.keys(table), (id) => [id, `version of ${id}`] as const))

export const loadedFor = (books: Books, placements: ReadonlyArray<Call<ForPlacement>>): LoadedBooks => ({
  nowMs: NOON,
  books,
  versions: {
    shop: "",
    accounts: versions(books.accounts),
    promos: versions(books.promos),
    sites: versions(books.sites),
    articles: versions(books.articles),
    projects: new Map(),
    opportunities: new Map(),
    subscriptions: versions(books.subscriptions),
    endpoints: versions(books.subscriptions),
    deliveries: new Map()
  },
  promos: new Map(
    placements.flatMap(({ reads: { promoCode, accountId } }) => {
      const code = normaliseCode(promoCode ?? "")
      return Array.from(HashMap.values(books.promos))
        .filter((one) => one.code === code)
        .map((one) => [promoId(code, isLimited(one) ? accountId : EVERY_ACCOUNT), viewOf(one, accountId)] as const)
    })
  )
})

/** Decides the placements one after another on the complete books. */
export const decideInSequence = (
  books: Books,
  placements: ReadonlyArray<Call<ForPlacement>>,
  nextContext: () => DecisionContext
) => {
  let folded = books
  const changes: Array<Change> = []
  const changing: Array<Call<ForPlacement>> = []
  let version = ""
  const results = placements.map((placement) => {
    const context = nextContext()
    try {
      return Result.match(placement.decide(folded, context), {
        onFailure: (refusal) => Exit.fail(refusal),
        onSuccess: (decided) => {
          folded = decided.changes.reduce(apply, folded)
          changes.push(...decided.changes)
          if (decided.changes.length > 0) {
            changing.push(placement)
            version = context.idPrefix
          }
          return Exit.succeed(decided.reply)
        }
      })
    } catch (defect) {
      return Exit.die(defect)
    }
  })
  return { results, changes, changing, version, folded }
}

/** A context for each placement, the same ones at each call, from the given index on. */
export const contextsFor = (placements: ReadonlyArray<Call<ForPlacement>>) => {
  const contexts = placements.map(() => contextAt(NOON))
  return (from = 0) => {
    let next = from
    return () => contexts[next++] ?? contextAt(NOON)
  }
}
