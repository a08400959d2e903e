// Placements that are decided together come out as if each had been alone with the books: against the same decisions folded one
// after another, with twins, races for the last article and the last redemption, refusals and decisions that throw among them.
import { Exit, HashMap, HashSet, Result } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import type { LoadedBooks } from "#adapters/postgres/LoadedBooks.ts"
import { decideTogether, type Placement } from "#adapters/postgres/PlacementBatch.ts"
import { promoId } from "#adapters/postgres/rows/OfferRows.ts"
import { apply } from "#core/decisions/Apply.ts"
import type { Books } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import { placeOrder } from "#core/decisions/PlaceOrder.ts"
import { noLimits } from "#core/domain/ApiKey.ts"
import { normaliseCode, type Promo } from "#core/domain/Promo.ts"
import { momentAt } from "#test/core/Deciding.ts"
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
import { property } from "#test/Property.ts"

const reserved = (accountId: string, untilMs: number) => ({ quoteId: `q_of_${accountId}`, accountId, untilMs })

/** The small shop of the examples, with little credit, low caps and offers that are nearly gone. */
const shops = fc
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
      subscriptions: [subscription("wh_rich"), subscription("wh_test", { keyId: "key_rich_test", mode: "sandbox" })]
    })
  )

const orders = fc.record({
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

const placementOf = ({
  keyId,
  items,
  promoCode,
  idempotencyKey,
  dryRun,
  throws
}: typeof orders extends fc.Arbitrary<infer A> ? A : never): Placement => {
  const asked = { items, dryRun, ...(promoCode === undefined ? {} : { promoCode }) }
  const fingerprint = JSON.stringify(asked)
  const order = orderBy(keyId, asked, {
    idempotency: idempotencyKey === null ? null : { key: idempotencyKey, fingerprint }
  })
  return {
    reads: {
      _tag: "ForPlacement",
      keyId,
      accountId: order.caller.accountId,
      siteIds: items.map(({ siteId }) => siteId),
      articleIds: items.flatMap(({ articleId }) => articleId ?? []),
      projectIds: [],
      opportunityIds: [],
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

/** As the database tells it to one account: others are only counted. */
const viewOf = (one: Promo, accountId: string): Promo => {
  const isOwn = (by: { readonly accountId: string }) => by.accountId === accountId
  const others = one.reservations.filter((by) => !isOwn(by) && by.untilMs > NOON)
  return {
    ...one,
    redeemed: one.redeemed + (one.maxRedemptions === null ? 0 : others.length),
    redeemedBy: HashSet.filter(one.redeemedBy, (by) => by === accountId),
    reservations: one.reservations.filter(isOwn)
  }
}

const versions = <Id>(shelf: HashMap.HashMap<Id, unknown>) =>
  new Map(Array.from(HashMap.keys(shelf), (id) => [id, `version of ${id}`] as const))

const loadedFor = (books: Books, placements: ReadonlyArray<Placement>): LoadedBooks => ({
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
        .map((one) => [promoId(code, accountId), viewOf(one, accountId)] as const)
    })
  ),
  redeemed: new Map(Array.from(HashMap.values(books.promos), ({ code, redeemed }) => [code, redeemed] as const))
})

/** What a store that has all the books and all the time would do. */
const oneAfterAnother = (books: Books, placements: ReadonlyArray<Placement>, nextMoment: () => typeof first) => {
  let folded = books
  const changes: Array<Change> = []
  const changing: Array<Placement> = []
  const answers = placements.map((placement) => {
    const moment = nextMoment()
    try {
      return Result.match(placement.decide(folded, moment), {
        onFailure: (refusal) => Exit.fail(refusal),
        onSuccess: (decided) => {
          folded = decided.changes.reduce(apply, folded)
          changes.push(...decided.changes)
          if (decided.changes.length > 0) changing.push(placement)
          return Exit.succeed(decided.reply)
        }
      })
    } catch (defect) {
      return Exit.die(defect)
    }
  })
  return { answers, changes, changing, folded }
}

const first = momentAt(NOON)

const cases = fc.record({ books: shops, asked: fc.array(orders, { minLength: 1, maxLength: 12 }) })

property("many placements together are each as if alone, in their order", [cases], ({ books, asked }) => {
  const placements = asked.map(placementOf)
  const moments = placements.map(() => momentAt(NOON))
  const following = () => {
    let next = 0
    return () => moments[next++] ?? first
  }
  const expected = oneAfterAnother(books, placements, following())
  const loaded = loadedFor(books, placements)
  const { answers, changes, writing } = decideTogether(loaded, placements, following())
  expect(answers).toEqual(expected.answers)
  expect(changes).toEqual(expected.changes)
  expect(writing === null).toBe(changes.length === 0)
  if (writing === null) return
  // All that is the placements' own comes out the same; promotions are written as what was done to them.
  for (const shelf of ["accounts", "tallies", "articles", "holds", "ledger", "quotes", "orders", "links"] as const) {
    expect(HashMap.toEntries<unknown, unknown>(writing.after[shelf])).toEqual(
      HashMap.toEntries<unknown, unknown>(expected.folded[shelf])
    )
  }
  const accountIds = new Set(expected.changing.map(({ reads }) => reads.accountId))
  expect(new Set(writing.loaded.versions.accounts.keys())).toEqual(accountIds)
  const siteIds = expected.changing.flatMap(({ reads }) => reads.siteIds).filter((siteId) => siteId < 5)
  expect(new Set(writing.loaded.versions.sites.keys())).toEqual(new Set(siteIds))
})
