// What every store promises of the ledger by lines: all that one purchase moved is one line, at the place of its newest movement.
import { Effect } from "effect"
import { expect } from "vitest"
import { sum } from "#core/domain/pricing/Money.ts"
import { type AccountId, type EntryId, LinkId } from "#core/domain/shared/Ids.ts"
import { cameToCents, type LedgerLine, linesOf, stillHeldCents } from "#core/domain/wallet/LedgerLine.ts"
import { type LedgerLinePage, Wallets } from "#core/ports/wallet/Wallets.ts"
import { abandon, cancelLinkById, pay } from "../ordering/OrderSteps.ts"
import { buyer, expiredQuoteSettings, linksOn, listSite, order, topUpAccount } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { expectConsistentWallet, ledgerOf } from "./LedgerChecks.ts"

const linesBy = Effect.fnUntraced(function* (accountId: AccountId, limit: number, examine?: number) {
  const wallets = yield* Wallets
  const seen: Array<LedgerLine> = []
  for (let beforeId: EntryId | null = null; ; ) {
    const bound = examine === undefined ? {} : { examine }
    const page: LedgerLinePage = yield* wallets.ledgerLines({ accountId, limit, beforeId, ...bound })
    expect(page.lines.length).toBeLessThanOrEqual(limit)
    seen.push(...page.lines)
    beforeId = page.nextBeforeId
    if (beforeId === null) return seen
  }
})

const shown = (lines: ReadonlyArray<LedgerLine>): ReadonlyArray<string> =>
  lines.map(
    (line) =>
      `${line.movements.map(({ kind, amountCents }) => `${kind} ${amountCents}`).join(", ")}: ${cameToCents(line)}`
  )

/** An account with a purchase of each course: at once, by a hold, by card in part, given up, paid too late, and cancelled. */
const busyAccount = Effect.gen(function* () {
  const { account, caller } = yield* buyer(1_700)
  const sites = [yield* listSite(), yield* listSite()]
  const atOnce = yield* order(caller, { items: linksOn(...sites) })
  const late = yield* order(caller, { items: linksOn(...sites), settings: expiredQuoteSettings })
  yield* abandon(late.quote, "expiry")
  yield* topUpAccount(account.accountId, 100)
  const inPart = yield* order(caller, { items: linksOn(...sites) })
  yield* pay(inPart.quote)
  yield* topUpAccount(account.accountId, 150)
  const givenUp = yield* order(caller, { items: linksOn(...sites) })
  yield* abandon(givenUp.quote, "human")
  const open = yield* order(caller, { items: linksOn(...sites) })
  yield* cancelLinkById(atOnce.links[0]?.linkId ?? LinkId.make(""))
  yield* pay(late.quote)
  yield* cancelLinkById(atOnce.links[1]?.linkId ?? LinkId.make(""))
  return { accountId: account.accountId, open }
})

export const ledgerLinesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Lines of the ledger of ${name}`, store, (it) => {
    it.effect("a hold, its capture, its release and its re-credits are one line, the one that moved last first", () =>
      Effect.gen(function* () {
        const { account, caller } = yield* buyer(1_200)
        const { accountId } = account
        const sites = [yield* listSite(), yield* listSite()]
        const first = yield* order(caller, { items: linksOn(...sites) })
        const second = yield* order(caller, { items: linksOn(...sites) })
        expect(shown(yield* linesBy(accountId, 20))).toEqual([
          "hold 200: 0",
          "capture 1000: -1000",
          "top_up 1200: 1200"
        ])
        yield* cancelLinkById(first.links[1]?.linkId ?? LinkId.make(""))
        expect(shown(yield* linesBy(accountId, 20))).toEqual([
          "capture 1000, recredit 500: -500",
          "hold 200: 0",
          "top_up 1200: 1200"
        ])
        yield* pay(second.quote)
        expect(shown(yield* linesBy(accountId, 20))).toEqual([
          "hold 200, capture 200: -200",
          "capture 1000, recredit 500: -500",
          "top_up 1200: 1200"
        ])
        const rival = (yield* buyer(1)).account.accountId
        expect(shown(yield* linesBy(rival, 20))).toEqual(["top_up 1: 1"])
      })
    )

    it.effect("every movement is on one line, whatever the size of a page and however few entries it examines", () =>
      Effect.gen(function* () {
        const { accountId, open } = yield* busyAccount
        const { balanceCents, heldCents } = yield* expectConsistentWallet(accountId)
        const all = linesOf(yield* ledgerOf(accountId))
        expect(all.length).toBeGreaterThan(6)
        for (const limit of [1, 2, 3, 50]) expect(yield* linesBy(accountId, limit)).toEqual(all)
        for (const examine of [1, 2, 5]) expect(yield* linesBy(accountId, 2, examine)).toEqual(all)
        expect(sum(all.map(cameToCents))).toBe(balanceCents)
        expect(sum(all.map(stillHeldCents))).toBe(heldCents)
        expect(all.find(({ newest }) => newest.quoteId === open.quote.quoteId)?.movements).toHaveLength(1)
        // The newest line has the balance of the account.
        expect(all[0]?.newest.balanceAfterCents).toBe(balanceCents)
      })
    )
  })
