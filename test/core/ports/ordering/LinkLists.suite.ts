// What every store promises of the lists of an account's links: in work, overdue, online lately, each in pages, and how many there are.
import { Effect } from "effect"
import { expect } from "vitest"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { dueAtMs } from "#core/domain/ordering/DueDate.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import {
  isListed,
  LATELY_MS,
  LINK_LISTS,
  type LinkList,
  type ListedPlace,
  linkProgress,
  placeIn
} from "#core/domain/ordering/LinkLists.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { KeyId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { type ListedLinks, Purchases } from "#core/ports/ordering/Purchases.ts"
import { buyer, issueKeyTo, linksOn, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { cancelLinkById, moveLinkTo } from "./OrderSteps.ts"

interface Asked extends Pick<Caller, "accountId"> {
  readonly keyIds: ReadonlyArray<KeyId>
  readonly asOfMs: number
}

const every = Effect.fnUntraced(function* (asked: Asked, list: LinkList, limit: number) {
  const purchases = yield* Purchases
  const seen: Array<ListedLinks["links"][number]> = []
  let after: ListedPlace | null = null
  do {
    const page: ListedLinks = yield* purchases.inList({ ...asked, list, limit, after })
    seen.push(...page.links)
    after = page.next
  } while (after !== null)
  return seen
})

/** Two keys with links of each state, two sites with turnarounds and one without in the books, the sandbox, and another account. */
const history = Effect.gen(function* () {
  const { caller } = yield* buyer(100_000)
  const { accountId } = caller
  const second = { ...caller, ...(yield* issueKeyTo({ accountId })) }
  const sandbox = { ...caller, ...(yield* issueKeyTo({ accountId, mode: "sandbox" })) }
  const [soon, late] = [yield* listSite({ turnaroundDays: 3 }), yield* listSite({ turnaroundDays: 14 })]
  const items = linksOn(soon, late, soon, late)
  const made = [yield* order(caller, { items }), yield* order(second, { items }), yield* order(caller, { items })]
  yield* order(sandbox, { items, sandboxCreditCents: 100_000 })
  yield* order((yield* buyer(100_000)).caller, { items })
  const [first, other, last] = made.map(({ links }) => links.map(({ linkId }) => linkId))
  for (const linkId of first ?? []) yield* moveLinkTo(linkId, "published")
  for (const linkId of other?.slice(0, 1) ?? [])
    for (const stage of ["published", "verified"] as const) yield* moveLinkTo(linkId, stage)
  for (const linkId of other?.slice(1, 2) ?? []) yield* moveLinkTo(linkId, "drafted")
  for (const linkId of last?.slice(0, 1) ?? []) yield* cancelLinkById(linkId)
  const orders = yield* Orders
  const now = yield* orders.byIds(made.flatMap(({ order }) => (order === null ? [] : [order.orderId])))
  const links: ReadonlyArray<Link> = now.flatMap((one) => one.links)
  return { accountId, keyIds: [caller.keyId, second.keyId], links, found: now }
})

const byLinkId = (one: Link, other: Link): number => (one.linkId < other.linkId ? -1 : 1)

export const linkListsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Lists of links of ${name}`, store, (it) => {
    it.effect("count and list the live links of the account by their state, first what is due first, in pages", () =>
      Effect.gen(function* () {
        const { accountId, keyIds, links } = yield* history
        expect(links).toHaveLength(12)
        const due = links.flatMap((link) => dueAtMs(link) ?? [])
        const purchases = yield* Purchases
        const moments = [
          Math.min(...due) - 1,
          Math.min(...due) + DAY_MS,
          Math.max(...due),
          Math.max(...due) + LATELY_MS
        ]
        for (const asOfMs of moments) {
          const asked = { accountId, keyIds, asOfMs }
          const progress = linkProgress(links, asOfMs)
          expect(yield* purchases.progress(asked)).toEqual(progress)
          for (const list of LINK_LISTS) {
            const expected = links
              .filter((link) => isListed(link, list, asOfMs))
              .toSorted((a, b) => placeIn(a, list) - placeIn(b, list) || (a.linkId < b.linkId ? -1 : 1))
            for (const limit of [1, 3, 50])
              expect((yield* every(asked, list, limit)).map(({ link }) => link)).toEqual(expected)
          }
          expect(yield* every(asked, "in_work", 50)).toHaveLength(progress.inWork)
          expect(yield* every(asked, "overdue", 50)).toHaveLength(progress.overdue)
          expect(yield* every(asked, "online", 50)).toHaveLength(progress.online)
        }
        const [early, later, , past] = yield* Effect.forEach(moments, (asOfMs) =>
          purchases.progress({ accountId, keyIds, asOfMs })
        )
        expect(early).toMatchObject({ inWork: 6, overdue: 0, online: 5 })
        expect(later?.overdue).toBeGreaterThan(0)
        expect(past).toMatchObject({ inWork: 6, overdue: 6, nextDueAtMs: null, online: 0 })
      })
    )

    it.effect("are empty where nothing was ordered, and orders are found by their ids", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const { accountId, keyId } = caller
        const purchases = yield* Purchases
        const nothing = { inWork: 0, overdue: 0, nextDueAtMs: null, online: 0 }
        for (const keyIds of [[], [keyId], [KeyId.make("key_none")]]) {
          expect(yield* purchases.progress({ accountId, keyIds, asOfMs: 0 })).toEqual(nothing)
          expect(yield* every({ accountId, keyIds, asOfMs: 0 }, "in_work", 5)).toEqual([])
        }
        const orders = yield* Orders
        expect(yield* orders.byIds([])).toEqual([])
        expect(yield* orders.byIds([OrderId.make("ord_none")])).toEqual([])
        const { found } = yield* history
        expect(found.map((one) => one.links.length)).toEqual([4, 4, 4])
        const [first, second] = found.flatMap((one) => one.links)
        const named = [first, second].flatMap((one) => (one === undefined ? [] : [one]))
        const wanted = [...named.map(({ linkId }) => linkId), LinkId.make("lnk_none")]
        expect((yield* orders.linksNamed(wanted)).toSorted(byLinkId)).toEqual(named.toSorted(byLinkId))
        expect(yield* orders.linksNamed([])).toEqual([])
      })
    )
  })
