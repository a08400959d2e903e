// What every store promises of totals: they agree with the documents, with the ledger, and with what was paid by card.
import { Effect } from "effect"
import { expect } from "vitest"
import { addUp, totalsBy } from "#core/domain/invoicing/DocumentTotals.ts"
import { sum } from "#core/domain/pricing/Money.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import type { MovementKind } from "#core/domain/wallet/Ledger.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { cancelLinkById, pay } from "../ordering/OrderSteps.ts"
import { buyer, issueKeyTo, linksOn, listSite, order, topUpAccount } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { ledgerOf } from "../wallet/LedgerChecks.ts"
import { issueAllDue } from "./InvoiceSteps.ts"

const ALL = { starts: [0], toMs: Number.MAX_SAFE_INTEGER }

/** Two keys of an account that buy from credit, by card and by both, and links that were cancelled. */
const busy = Effect.gen(function* () {
  const { account, caller } = yield* buyer(1_300)
  const { accountId } = account
  const other = yield* issueKeyTo({ accountId })
  const sites = [yield* listSite(), yield* listSite()]
  const atOnce = yield* order(caller, { items: linksOn(...sites) })
  const inPart = yield* order(caller, { items: linksOn(...sites) })
  yield* pay(inPart.quote)
  const byCard = yield* order({ ...caller, keyId: other.keyId }, { items: linksOn(...sites.slice(1)) })
  yield* pay(byCard.quote)
  yield* topUpAccount(accountId, 77)
  yield* order(caller, { items: linksOn(...sites) })
  yield* cancelLinkById(atOnce.links[0]?.linkId ?? LinkId.make(""))
  const cardCents = inPart.quote.cardCents + byCard.quote.cardCents
  return { accountId, keyIds: [caller.keyId, other.keyId], cardCents }
})

export const documentTotalsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Totals of ${name}`, store, (it) => {
    it.effect("agree with the ledger and with what was paid by card, by span and by credential", () =>
      Effect.gen(function* () {
        const { accountId, keyIds, cardCents } = yield* busy
        yield* buyer(999)
        yield* issueAllDue()
        const { totals } = yield* Invoices
        const documents = (yield* totals({ accountId, ...ALL })) ?? []
        const ledger = yield* ledgerOf(accountId)
        const moved = (kind: MovementKind) =>
          sum(ledger.flatMap((entry) => (entry.kind === kind ? [entry.amountCents] : [])))
        const all = { orders: 3, toppedUpCents: moved("top_up"), givenBackCents: moved("recredit") }
        expect(addUp(documents)).toEqual({ ...all, spentCents: moved("capture") + cardCents })
        expect(all).toMatchObject({ toppedUpCents: 1_377, givenBackCents: 500 })
        for (const by of ["sinceMs", "keyId"] as const) {
          const each = totalsBy(documents, by).map((one) => one.totals)
          expect(sum(each.map(({ spentCents }) => spentCents))).toBe(addUp(documents).spentCents)
        }
        expect(totalsBy(documents, "keyId").map((one) => [one.of, one.totals.spentCents])).toEqual(
          expect.arrayContaining([
            [keyIds[0], 2_000],
            [keyIds[1], 500],
            [null, 0]
          ])
        )
      })
    )

    it.effect("are of the span of time and the account that are asked for, both ends inclusive", () =>
      Effect.gen(function* () {
        const { accountId } = yield* busy
        const issued = (yield* issueAllDue()).filter((one) => one.accountId === accountId)
        const { totals } = yield* Invoices
        const times = issued.map(({ issuedAtMs }) => issuedAtMs)
        const [fromMs, toMs] = [Math.min(...times), Math.max(...times)]
        const starts = [fromMs - 1, ...new Set(times.toSorted((a, b) => a - b)), toMs + 1]
        const within = (yield* totals({ accountId, starts, toMs: toMs + 2 })) ?? []
        for (const atMs of times) {
          const then = within.filter(({ sinceMs }) => sinceMs === atMs)
          expect(sum(then.map(({ count }) => count))).toBe(times.filter((one) => one === atMs).length)
        }
        expect(addUp((yield* totals({ accountId, starts: [fromMs], toMs })) ?? [])).toEqual(addUp(within))
        expect(yield* totals({ accountId, starts: [toMs + 1], toMs: toMs + 2 })).toEqual([])
        expect(yield* totals({ accountId, starts: [0], toMs: fromMs - 1 })).toEqual([])
      })
    )
  })
