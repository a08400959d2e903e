// What every store promises of accounts that opened themselves: the welcome offer once for a target domain, and one article until the
// first payment, however many of them order at once.
import { randomUUID } from "node:crypto"
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { find } from "#core/decisions/Books.ts"
import { unchanged } from "#core/decisions/Draft.ts"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { callerOf } from "#core/domain/access/ApiKey.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { countEach } from "#test/core/BookReads.ts"
import { item } from "#test/core/Given.ts"
import { abandon, pay } from "../ordering/OrderSteps.ts"
import {
  buyer,
  expiredQuoteSettings,
  insertionInto,
  issueKeyTo,
  listArticle,
  listSite,
  order,
  plainSettings,
  submitOrder,
  topUpAccount
} from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

const withOffer = { ...plainSettings, welcomeBasisPoints: 2_000 }

/** An account as the first sign-in of its owner opens it, with a key. */
const newcomer = Effect.gen(function* () {
  const book = yield* OrderBook
  const email = `${randomUUID()}@example.com`
  const opened = openAccount({ name: email, email, actor: null, selfOpened: true })
  const { accountId } = yield* book.transact({ _tag: "ForEmail", email }, opened)
  return callerOf(yield* issueKeyTo({ accountId }))
})

type Newcomer = Effect.Success<typeof newcomer>

const newcomers = (count: number) => Effect.all(times(count, () => newcomer))

const freshDomain = (): string => `brand-${randomUUID()}.example`

const linkTo = Effect.fnUntraced(function* (host: string) {
  const { siteId } = yield* listSite()
  return [item({ siteId, targetUrl: `https://${host}/page` })]
})

const discountOf = ({ discount }: Quote): string => discount.source

const whyNot = ({ discount }: Quote): string | undefined => discount.considered[0]?.usedForDomain

const accountNow = ({ accountId }: Newcomer) =>
  Effect.flatMap(OrderBook, (book) =>
    book.transact({ _tag: "ForAccount", accountId }, (books) =>
      Result.succeed(unchanged(find(books.accounts, accountId)))
    )
  )

export const selfOpenedSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`accounts that opened themselves, in ${name}`, store, (it) => {
    it.effect("20 of them buy for hosts of one registrable domain from credit: one has the welcome offer", () =>
      Effect.gen(function* () {
        const domain = freshDomain()
        const hosts = [domain, `www.${domain}`, `shop.${domain}`, `blog.${domain}`, `a.b.${domain}`]
        const callers = yield* newcomers(20)
        for (const { accountId } of callers) yield* topUpAccount(accountId, 1_000)
        const items = yield* Effect.all(hosts.map(linkTo))
        const placed = yield* concurrently(
          callers.map((caller, nth) => order(caller, { items: items[nth % 5] ?? [], settings: withOffer }))
        )
        expect(countEach(placed.map(({ quote }) => discountOf(quote)))).toEqual({ welcome: 1, none: 19 })
        const refused = placed.map(({ quote }) => quote).filter((quote) => discountOf(quote) === "none")
        expect(new Set(refused.map(whyNot))).toEqual(new Set([domain]))
        const elsewhere = yield* order(yield* newcomer, { items: yield* linkTo(freshDomain()), settings: withOffer })
        expect(discountOf(elsewhere.quote)).toBe("welcome")
      })
    )

    it.effect(
      "the offer that an account spends under a suffix of the list is no other's there, and not gone for the suffix",
      () =>
        Effect.gen(function* () {
          const own = (host: string) =>
            Effect.flatMap(linkTo(host), (items) => Effect.map(newcomer, (who) => ({ who, items })))
          const name = randomUUID()
          for (const suffix of ["co.uk", "github.io"]) {
            const buy = Effect.fnUntraced(function* (host: string) {
              const { who, items } = yield* own(host)
              yield* topUpAccount(who.accountId, 1_000)
              return discountOf((yield* order(who, { items, settings: withOffer })).quote)
            })
            expect(yield* buy(`${name}.${suffix}`)).toBe("welcome")
            expect(yield* buy(`www.${name}.${suffix}`)).toBe("none")
            expect(yield* buy(`other-${name}.${suffix}`)).toBe("welcome")
          }
          const { who, items } = yield* own("github.io")
          expect(discountOf((yield* order(who, { items, settings: withOffer })).quote)).toBe("welcome")
        })
    )

    it.effect("what an open quote reserves is kept from nobody, and stays with the quote", () =>
      Effect.gen(function* () {
        const items = yield* linkTo(freshDomain())
        const wish = { items, settings: withOffer }
        const [first, second, third] = yield* newcomers(3)
        if (first === undefined || second === undefined || third === undefined) throw new Error("three were made")
        const open = [yield* order(first, wish), yield* order(second, wish)].map(({ quote }) => quote)
        expect(open.map(discountOf)).toEqual(["welcome", "welcome"])
        for (const quote of open) expect((yield* pay(quote)).outcome).toBe("settled")
        expect(discountOf((yield* order(third, wish)).quote)).toBe("none")
      })
    )

    it.effect("the offer that one gives back is its own again; after another's order it is not", () =>
      Effect.gen(function* () {
        const items = yield* linkTo(freshDomain())
        const [first, second, third] = yield* newcomers(3)
        if (first === undefined || second === undefined || third === undefined) throw new Error("three were made")
        const wish = { items, settings: withOffer }
        const given = yield* order(first, wish)
        yield* abandon(given.quote, "agent")
        expect(discountOf((yield* order(first, { ...wish, dryRun: true })).quote)).toBe("welcome")
        const taken = yield* order(second, wish)
        expect(discountOf(taken.quote)).toBe("welcome")
        yield* pay(taken.quote)
        expect(discountOf((yield* order(third, wish)).quote)).toBe("none")
        expect(discountOf((yield* order(first, { ...wish, dryRun: true })).quote)).toBe("none")
      })
    )

    it.effect(
      "an account that an operator opened has the offer wherever it links to, and spends it for the others",
      () =>
        Effect.gen(function* () {
          const items = yield* linkTo(freshDomain())
          const wish = { items, settings: withOffer }
          expect(discountOf((yield* order(yield* newcomer, wish)).quote)).toBe("welcome")
          const { caller } = yield* buyer(10_000)
          expect((yield* order(caller, wish)).quote).toMatchObject({ status: "paid", discount: { source: "welcome" } })
          const others = yield* linkTo(freshDomain())
          expect((yield* order((yield* buyer(10_000)).caller, { ...wish, items: others })).quote.status).toBe("paid")
          expect(discountOf((yield* order(yield* newcomer, { ...wish, items: others })).quote)).toBe("none")
        })
    )

    it.effect("ten lapsed quotes with the offer for one domain are paid at once: one makes its order", () =>
      Effect.gen(function* () {
        const items = yield* linkTo(freshDomain())
        const lapsed = { ...expiredQuoteSettings, welcomeBasisPoints: 2_000 }
        const quotes: Array<Quote> = []
        for (const caller of yield* newcomers(10))
          quotes.push((yield* order(caller, { items, settings: lapsed })).quote)
        expect(countEach(quotes.map(discountOf))).toEqual({ welcome: 10 })
        const settled = yield* concurrently(quotes.map((quote) => pay(quote)))
        expect(countEach(settled.map(({ outcome }) => outcome))).toEqual({ settled: 1, credited: 9 })
      })
    )

    it.effect("15 orders for articles race: one reserves its article; a payment or top-up lifts the bound", () =>
      Effect.gen(function* () {
        const { siteId } = yield* listSite()
        const articles = yield* Effect.all(times(18, () => listArticle(siteId)))
        const [first, second] = yield* newcomers(2)
        if (first === undefined || second === undefined) throw new Error("two were made")
        const wishes = articles.map((article) => ({ items: [insertionInto(article)] }))
        const race = yield* concurrently(wishes.slice(0, 15).map((wish) => Effect.result(submitOrder(first, wish))))
        expect(countOutcomes(race, ({ kind }) => kind)).toEqual({ placed: 1, TooManyReservations: 14 })
        const [rest, another, last] = wishes.slice(15)
        if (rest === undefined || another === undefined || last === undefined) throw new Error("18 articles were made")
        expect(yield* Effect.flip(submitOrder(first, rest))).toMatchObject({ limit: 1, untilFirstPayment: true })
        expect(yield* accountNow(first)).not.toHaveProperty("paidAtMs")
        const plain = yield* order(first, { items: [item({ siteId })] })
        yield* pay(plain.quote)
        const { paidAtMs } = (yield* accountNow(first)) ?? {}
        expect(paidAtMs).toBeGreaterThan(0)
        yield* order(first, rest)
        yield* topUpAccount(first.accountId, 10)
        expect(yield* accountNow(first)).toMatchObject({ paidAtMs })
        yield* topUpAccount(second.accountId, 10)
        yield* order(second, another)
        yield* order(second, last)
      })
    )
  })
