// What every store promises of Purchases: the quotes and the links of several keys, each once, in pages.
import { Effect } from "effect"
import { expect } from "vitest"
import { type LinkConditions, linkMeets } from "#core/domain/ordering/Order.ts"
import { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { type KeyId, LinkId, type OrderId, type ProjectId, type QuoteId } from "#core/domain/shared/Ids.ts"
import { type LinkPage, type LinkPosition, Purchases, type QuotePage } from "#core/ports/ordering/Purchases.ts"
import { buyer, createProject, issueKeyTo, linksOn, listSite, order, topUpAccount } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { abandon, cancelLinkById, moveLinkTo, pay, storeSessionOf } from "./OrderSteps.ts"

const statusesOf = (status: QuoteStatus | null): ReadonlyArray<QuoteStatus> =>
  status === null ? QuoteStatus.literals : [status]

const everyQuote = Effect.fnUntraced(function* (
  query: { readonly shown: ReadonlyArray<KeyId>; readonly status: QuoteStatus | null; readonly limit: number },
  between: Effect.Effect<unknown> = Effect.void
) {
  const purchases = yield* Purchases
  const seen: Array<QuotePage["quotes"][number]> = []
  let beforeId: QuoteId | null = null
  do {
    const page: QuotePage = yield* purchases.quotes({
      ...query,
      statuses: statusesOf(query.status),
      leftOut: [],
      beforeId
    })
    seen.push(...page.quotes)
    beforeId = page.nextBeforeId
    yield* between
  } while (beforeId !== null)
  return seen
})

const everyLink = Effect.fnUntraced(function* (
  query: {
    readonly shown: ReadonlyArray<KeyId>
    readonly conditions: LinkConditions
    readonly asOfMs?: number
    readonly limit: number
  },
  between: Effect.Effect<unknown> = Effect.void
) {
  const purchases = yield* Purchases
  const pages: Array<LinkPage> = []
  let after: LinkPosition | null = null
  do {
    const page: LinkPage = yield* purchases.links({ asOfMs: 0, ...query, leftOut: [], after })
    pages.push(page)
    after = page.next
    yield* between
  } while (after !== null)
  const [first, ...others] = pages
  expect(others.some((page) => "totals" in page)).toBe(false)
  return { links: pages.flatMap(({ links }) => links), totals: first?.totals }
})

/** Two keys of an account: quotes that were paid at once and by card, that wait, and that were given up, in turns. */
const history = Effect.gen(function* () {
  const { caller } = yield* buyer(1_500)
  const { keyId } = yield* issueKeyTo({ accountId: caller.accountId })
  const other = { ...caller, keyId }
  const site = yield* listSite()
  const items = linksOn(site, site)
  const first = yield* order(caller, { items, reference: "first" })
  const byCard = yield* order(other, { items: [...items, ...linksOn(site)] })
  yield* storeSessionOf(byCard.quote)
  const givenUp = yield* order(caller, { items })
  yield* abandon(givenUp.quote, "agent")
  const waiting = yield* order(other, { items })
  yield* topUpAccount(caller.accountId, 1_500)
  const second = yield* order(caller, { items })
  const paid = yield* pay(byCard.quote)
  const third = yield* order(other, { items: linksOn(site) })
  const placed = [first, byCard, givenUp, waiting, second, third]
  return { caller, other, site, placed, paid, first, second, third, waiting, givenUp }
})

const idsOf = (...ones: ReadonlyArray<{ readonly quote: { readonly quoteId: QuoteId } }>) =>
  ones.map(({ quote }) => quote.quoteId)

interface Known {
  readonly projectId: ProjectId
  readonly siteId: number
  readonly other: number
  /** The time of an order. */
  readonly made: number
}

const conditionsOf = ({ projectId, siteId, other, made }: Known): ReadonlyArray<LinkConditions> => [
  {},
  { status: "cancelled" },
  { status: "published", targetDomain: "shop.example" },
  { targetDomain: "shop.example" },
  { projectId },
  { siteId: other },
  { siteId, reference: "PO 1" },
  { reference: "PO 1" },
  { reference: "PO" },
  { overdue: true },
  { overdue: false, siteId },
  { createdFromMs: made },
  { createdToMs: made, status: "assigned" },
  { createdFromMs: made + 86_400_000 }
]

export const purchasesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Purchases of ${name}`, store, (it) => {
    it.effect("lists the quotes of several keys newest first, whenever they were paid, by status and in pages", () =>
      Effect.gen(function* () {
        const { caller, other, placed, paid, first, second, third, waiting, givenUp } = yield* history
        expect([first, second, third].map(({ quote }) => [quote.status, quote.cardCents])).toEqual([
          ["paid", 0],
          ["paid", 0],
          ["paid", 0]
        ])
        expect(paid.quote).toMatchObject({ status: "paid", cardCents: expect.any(Number) })
        const shown = [caller.keyId, other.keyId]
        const ids = Effect.fnUntraced(function* (keys: ReadonlyArray<KeyId>, status: QuoteStatus | null) {
          const all = yield* everyQuote({ shown: keys, status, limit: 1 })
          for (const limit of [2, 3, 50]) expect(yield* everyQuote({ shown: keys, status, limit })).toEqual(all)
          return all.map(({ quote }) => quote.quoteId)
        })
        expect(yield* ids(shown, null)).toEqual(idsOf(...placed).toReversed())
        expect(yield* ids(shown, "paid")).toEqual(idsOf(third, second, paid, first))
        expect(yield* ids(shown, "abandoned")).toEqual(idsOf(givenUp))
        expect(yield* ids(shown, "awaiting_payment")).toEqual(idsOf(waiting))
        expect(yield* ids(shown, "awaiting_approval")).toEqual([])
        expect(yield* ids([caller.keyId], null)).toEqual(idsOf(second, givenUp, first))
        expect(yield* ids([other.keyId], "paid")).toEqual(idsOf(third, paid))
        expect(yield* ids([], null)).toEqual([])
        yield* moveLinkTo(first.links[0]?.linkId ?? LinkId.make(""), "drafted")
        const states = (yield* everyQuote({ shown, status: null, limit: 9 })).map(({ orderStatus }) => orderStatus)
        expect(states.toReversed()).toEqual(["in_progress", "paid", null, null, "paid", "paid"])
      })
    )

    it.effect("counts what a list leaves out, with the same filter", () =>
      Effect.gen(function* () {
        const { caller, other } = yield* history
        const purchases = yield* Purchases
        const keys = { shown: [other.keyId], leftOut: [caller.keyId], limit: 1 }
        const counts = (status: QuoteStatus | null) =>
          Effect.map(
            purchases.quotes({ ...keys, statuses: statusesOf(status), beforeId: null }),
            ({ leftOutCount }) => leftOutCount
          )
        expect([yield* counts(null), yield* counts("paid"), yield* counts("awaiting_payment")]).toEqual([3, 2, 0])
        const links = (conditions: LinkConditions) =>
          Effect.map(
            purchases.links({ ...keys, conditions, asOfMs: 0, after: null }),
            ({ leftOutCount }) => leftOutCount
          )
        expect([yield* links({}), yield* links({ reference: "first" })]).toEqual([4, 2])
      })
    )

    it.effect("lists links by their orders, newest first, narrowed by what each is and what its order is", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(100_000)
        const { keyId } = yield* issueKeyTo({ accountId: caller.accountId })
        const { projectId } = yield* createProject(caller.accountId)
        const [site, other] = [yield* listSite(), yield* listSite()]
        const to = (host: string, over = {}) =>
          linksOn(site).map((one) => ({ ...one, targetUrl: `https://${host}/`, ...over }))
        const placed = [
          yield* order(caller, { items: [...to("shop.example"), ...linksOn(other)], reference: "PO 1" }),
          yield* order(
            { ...caller, keyId },
            { items: [...to("www.shop.example", { projectId }), ...to("a.example"), ...linksOn(other)] }
          ),
          yield* order(caller, { items: to("shop.example", { reference: "PO 1" }) })
        ]
        yield* order((yield* buyer(1_000)).caller, { items: linksOn(site) })
        const cancelled = yield* cancelLinkById(placed[1]?.links[1]?.linkId ?? LinkId.make(""))
        const published = yield* moveLinkTo(placed[0]?.links[0]?.linkId ?? LinkId.make(""), "published")
        const now = new Map([cancelled, published].map((link) => [link.linkId, link]))
        const all = placed
          .toReversed()
          .flatMap(({ order, links }) =>
            order === null ? [] : links.map((link) => ({ order, link: now.get(link.linkId) ?? link }))
          )
        const shown = [caller.keyId, keyId]
        const made = placed[1]?.order?.createdAtMs ?? 0
        const asked = conditionsOf({ projectId, siteId: site.siteId, other: other.siteId, made })
        const soon = made + 3 * DAY_MS
        const when = [soon - 60_000, soon + 60_000].flatMap((asOfMs) => asked.map((one) => [one, asOfMs] as const))
        for (const [conditions, asOfMs] of when) {
          const expected = all.filter((one) => linkMeets(one, conditions, asOfMs))
          for (const limit of [1, 2, 50]) {
            const { links, totals } = yield* everyLink({ shown, conditions, asOfMs, limit })
            expect(
              links.map(({ link }) => link),
              JSON.stringify(conditions)
            ).toEqual(expected.map(({ link }) => link))
            expect(links.map(({ order }) => order)).toEqual(
              expected.map(({ order }) =>
                expect.objectContaining({ orderId: order.orderId, reference: order.reference })
              )
            )
            expect(totals).toEqual({
              count: expected.length,
              totalCents: expected.reduce((cents, { link }) => cents + link.netCents, 0),
              creditedCents: expected.some(({ link }) => link.status === "cancelled") ? cancelled.netCents : 0
            })
          }
        }
        const mine = yield* everyLink({ shown: [keyId], conditions: {}, limit: 2 })
        expect(mine.links.map(({ link }) => link.index)).toEqual([0, 1, 2])
        expect((yield* everyLink({ shown: [], conditions: {}, limit: 2 })).links).toEqual([])
      })
    )

    it.effect("skips none and repeats none while orders are placed between the pages", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(100_000)
        const site = yield* listSite()
        const items = linksOn(site, site, site)
        const ids: Array<OrderId | undefined> = []
        for (let nth = 0; nth < 4; nth++) ids.unshift((yield* order(caller, { items })).order?.orderId)
        const context = yield* Effect.context<Effect.Services<ReturnType<typeof order>>>()
        const another = Effect.orDie(Effect.provide(order(caller, { items }), context))
        const expected = ids.flatMap((id) => [0, 1, 2].map((index) => [id, index]))
        for (const conditions of [{}, { siteId: site.siteId }]) {
          const { links } = yield* everyLink({ shown: [caller.keyId], conditions, limit: 2 }, another)
          expect(links.slice(-12).map(({ link }) => [link.orderId, link.index])).toEqual(expected)
          expect(new Set(links.map(({ link }) => link.linkId)).size).toBe(links.length)
        }
        const quotes = yield* everyQuote({ shown: [caller.keyId], status: null, limit: 3 }, another)
        expect(new Set(quotes.map(({ quote }) => quote.quoteId)).size).toBe(quotes.length)
        expect(quotes.slice(-4).map(({ quote }) => quote.orderId)).toEqual(ids)
      })
    )
  })
