// What every store promises of Wallets: accounts with their open holds, the ledger page by page, and a key's daily usage.
import { Effect } from "effect"
import { expect } from "vitest"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { AccountId, type EntryId, LinkId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { type AccountPage, Wallets } from "#core/ports/wallet/Wallets.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { abandon, cancelLinkById, pay } from "../ordering/OrderSteps.ts"
import { actor, buyer, linksOn, listSite, order, plainSettings, topUpAccount } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { ledgerOf } from "./LedgerChecks.ts"

export const walletsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Wallets of ${name}`, store, (it) => {
    it.effect("returns an account with its open holds, the first to expire first", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const { account, caller } = yield* buyer(400)
        const { accountId } = account
        const site = yield* listSite()
        const lasting = (quoteTtlMs: number) =>
          Effect.map(
            order(caller, { items: linksOn(site), settings: { ...plainSettings, quoteTtlMs } }),
            ({ quote }) => quote
          )
        const slow = yield* lasting(3_600_000)
        yield* topUpAccount(accountId, 300)
        const quick = yield* lasting(60_000)
        const view = yield* wallets.of(accountId)
        expect(view?.holds.map(({ quoteId }) => quoteId)).toEqual([quick.quoteId, slow.quoteId])
        expect(view?.holds).toMatchObject([
          { holdId: quick.holdId, accountId, cents: 300, state: "open", expiresAtMs: quick.expiresAtMs },
          { holdId: slow.holdId, accountId, cents: 400, state: "open", expiresAtMs: slow.expiresAtMs }
        ])
        yield* pay(quick)
        expect((yield* wallets.of(accountId))?.holds.map(({ quoteId }) => quoteId)).toEqual([slow.quoteId])
        yield* abandon(slow, "human")
        expect((yield* wallets.of(accountId))?.holds).toEqual([])
        expect(yield* wallets.of(AccountId.make("acc_unknown"))).toBeNull()
      })
    )

    it.effect("pages through a ledger newest first, none twice and none skipped while it grows", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const { accountId } = (yield* buyer()).account
        const rival = yield* buyer(1)
        yield* Effect.all(times(25, (index) => topUpAccount(accountId, index + 1)))
        const before = (yield* ledgerOf(accountId)).map(({ entryId }) => entryId)
        const seen: Array<string> = []
        let beforeId: EntryId | null = null
        do {
          const page: { entries: ReadonlyArray<{ entryId: EntryId }>; nextBeforeId: EntryId | null } =
            yield* wallets.ledger({ accountId, limit: 10, beforeId })
          seen.push(...page.entries.map(({ entryId }) => entryId))
          beforeId = page.nextBeforeId
          yield* topUpAccount(accountId, 1_000)
          yield* topUpAccount(rival.account.accountId, 1_000)
        } while (beforeId !== null)
        expect(seen).toEqual(before.reverse())
        const all = yield* wallets.ledger({ accountId, limit: 28, beforeId: null })
        expect(all).toMatchObject({ nextBeforeId: null, entries: { length: 28 } })
        expect((yield* wallets.ledger({ accountId, limit: 27, beforeId: null })).nextBeforeId).toBe(
          all.entries[26]?.entryId
        )
        expect(yield* wallets.ledger({ accountId: AccountId.make("acc_unknown"), limit: 10, beforeId: null })).toEqual({
          entries: [],
          nextBeforeId: null
        })
      })
    )

    it.effect("pages through the entries of orders, whatever the size of a page", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const { account, caller } = yield* buyer(1_700)
        const { accountId } = account
        const sites = [yield* listSite(), yield* listSite()]
        for (const ordered of [sites.slice(1), sites, sites]) yield* order(caller, { items: linksOn(...ordered) })
        const all = (yield* ledgerOf(accountId)).toReversed()
        expect(all.map((one) => [one.kind, one.amountCents, one.balanceAfterCents, one.heldAfterCents])).toEqual([
          ["hold", 200, 200, 200],
          ["capture", 1_000, 200, 0],
          ["capture", 500, 1_200, 0],
          ["top_up", 1_700, 1_700, 0]
        ])
        for (const limit of [1, 2, 3, 5]) {
          const seen: Array<unknown> = []
          let beforeId: EntryId | null = null
          do {
            const page: { entries: ReadonlyArray<unknown>; nextBeforeId: EntryId | null } = yield* wallets.ledger({
              accountId,
              limit,
              beforeId
            })
            seen.push(...page.entries)
            beforeId = page.nextBeforeId
          } while (beforeId !== null)
          expect(seen).toEqual(all)
        }
      })
    )

    it.effect("returns quote, order and link of every entry that has them", () =>
      Effect.gen(function* () {
        const { account, caller } = yield* buyer(500)
        const { quote, links, order: placed } = yield* order(caller, { items: linksOn(yield* listSite()) })
        yield* cancelLinkById(links[0]?.linkId ?? LinkId.make(""))
        const { quoteId } = quote
        const orderId = placed?.orderId
        expect(yield* ledgerOf(account.accountId)).toMatchObject([
          { kind: "top_up", amountCents: 500, quoteId: null, orderId: null, linkId: null },
          { kind: "capture", amountCents: 500, balanceDeltaCents: -500, heldDeltaCents: 0, quoteId, orderId },
          { kind: "recredit", amountCents: 500, balanceDeltaCents: 500, quoteId, orderId, linkId: links[0]?.linkId }
        ])
      })
    )

    it.effect("counts a key's day: quotes made, and the total of open and paid ones", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const { caller } = yield* buyer(500)
        const { keyId } = caller
        const items = linksOn(yield* listSite())
        const { quote: covered } = yield* order(caller, { items })
        const day = utcDay(covered.createdAtMs)
        const { quote: open } = yield* order(caller, { items })
        const { quote: given } = yield* order(caller, { items })
        expect(yield* wallets.dailyUsage(keyId, day)).toEqual({ keyId, day, quotes: 3, spentCents: 1_500 })
        yield* abandon(given, "agent")
        yield* pay(open)
        expect(yield* wallets.dailyUsage(keyId, day)).toEqual({ keyId, day, quotes: 3, spentCents: 1_000 })
        const none = { keyId, day: day + 1, quotes: 0, spentCents: 0 }
        expect(yield* wallets.dailyUsage(keyId, day + 1)).toEqual(none)
      })
    )

    it.effect("finds accounts by a part of their id, name or an address, page by page", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const book = yield* OrderBook
        const open = (name: string, email: string) =>
          book.transact({ _tag: "ForEmail", email }, openAccount({ name, email, actor }))
        const ids = []
        for (const nth of times(5, (index) => index)) {
          const { accountId } = yield* open(`Willow & Spade ${nth}`, `owner${nth}@search.example`)
          ids.push(accountId)
        }
        const [oldest = AccountId.make("")] = ids
        const email = "Gardener@Elsewhere.example"
        yield* joinAs({ accountId: oldest, email, role: "viewer" })
        const found = Effect.fnUntraced(function* (text: string) {
          const pages: Array<string> = []
          for (let beforeId: AccountId | null = null; ; ) {
            const page: AccountPage = yield* wallets.accounts({ limit: 2, beforeId, text })
            pages.push(...page.accounts.map(({ accountId }) => accountId))
            beforeId = page.nextBeforeId
            if (beforeId === null) return pages
          }
        })
        expect(yield* found("willow & SPADE")).toEqual(ids.toReversed())
        expect(yield* found("@search.example")).toEqual(ids.toReversed())
        expect(yield* found(oldest.toUpperCase())).toEqual([oldest])
        expect(yield* found("gardener@elsewhere")).toEqual([oldest])
        expect(yield* found("willow_spade")).toEqual([])
        expect(yield* found("%")).toEqual([])
      })
    )

    it.effect("pages through accounts newest first, none twice and none skipped while more are opened", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const opened = yield* Effect.all(times(5, (index) => buyer(index)))
        const own = opened.map(({ account }) => account.accountId)
        const seen: Array<string> = []
        let beforeId: AccountId | null = null
        do {
          const page: AccountPage = yield* wallets.accounts({ limit: 2, beforeId })
          expect(page.accounts.length).toBeLessThanOrEqual(2)
          seen.push(...page.accounts.map(({ accountId }) => accountId))
          beforeId = page.nextBeforeId
          yield* buyer()
        } while (beforeId !== null)
        expect(seen.filter((id) => own.includes(AccountId.make(id)))).toEqual(own.toReversed())
        expect(seen).toEqual([...new Set(seen)].sort().reverse())
        const { accounts, nextBeforeId } = yield* wallets.accounts({
          limit: seen.length,
          beforeId: AccountId.make(seen[0] ?? AccountId.make(""))
        })
        expect(accounts.map(({ accountId }) => accountId)).toEqual(seen.slice(1))
        expect(nextBeforeId).toBeNull()
        expect(accounts.find(({ accountId }) => accountId === own[3])).toEqual({
          ...opened[3]?.account,
          wallet: { balanceCents: 3, heldCents: 0 }
        })
      })
    )
  })
