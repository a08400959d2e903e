// What every store reports of a ledger that does not fit its wallet, holds or quotes.
import { Effect } from "effect"
import { expect } from "vitest"
import { EntryId, HoldId } from "#core/domain/shared/Ids.ts"
import { openQuote, paidOrder } from "../ordering/OrderFixtures.ts"
import { abandon } from "../ordering/OrderSteps.ts"
import { buyer } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { corruptQuote, ledgerEntryAfter, writeCorrupt } from "./CorruptBooks.ts"
import { brokenBy, brokenUnlessRefused } from "./Reconciliation.suite.ts"

export const ledgerReconciliationSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Reconciliation of ${name} reports of the ledger`, store, (it) => {
    it.effect("a ledger entry whose resulting balance is wrong", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer(100)
        const { accountId } = account
        yield* writeCorrupt({ _tag: "ForAccount", accountId }, () => {
          const entryId = `led_${accountId}`
          const wallet = { balanceCents: 100, heldCents: 0 }
          const over = { accountId, entryId: EntryId.make(`led_zz${entryId}`), balanceAfterCents: 106 }
          return [{ _tag: "Credited", entry: ledgerEntryAfter(wallet, { kind: "top_up", cents: 5 }, over) }]
        })
        expect(yield* brokenBy(accountId)).toEqual(["ledger_adds_up", "money_is_conserved"])
        expect(yield* brokenBy(`led_zzled_${accountId}`)).toEqual(["ledger_runs_on"])
      })
    )

    it.effect("a hold that was released but booked as captured", () =>
      Effect.gen(function* () {
        const { quoteId, accountId, holdId } = yield* openQuote
        const written = corruptQuote(quoteId, () => {
          const over = { accountId, quoteId, entryId: EntryId.make(`led_zz${quoteId}`) }
          const booked = ledgerEntryAfter(
            { balanceCents: 200, heldCents: 200 },
            { kind: "capture", cents: 200, from: "hold" },
            over
          )
          return [{ _tag: "HoldReleased", holdId: holdId ?? HoldId.make(""), entry: booked }]
        })
        const broken = yield* brokenUnlessRefused(written, quoteId)
        if (broken === "refused") return expect(yield* brokenBy(quoteId, accountId)).toEqual([])
        expect(broken).toEqual(expect.arrayContaining(["hold_ends_once", "hold_fits_quote"]))
        expect(yield* brokenBy(accountId)).toEqual(["money_is_conserved"])
      })
    )

    it.effect("an order that credit paid twice, and credit that paid a quote without an order", () =>
      Effect.gen(function* () {
        const { quote, accountId, orderId } = yield* paidOrder
        const again = { accountId, quoteId: quote.quoteId, orderId, entryId: EntryId.make(`led_zz${quote.quoteId}`) }
        const capture = { kind: "capture", cents: 1_000, from: "free" } as const
        yield* corruptQuote(quote.quoteId, () => [
          { _tag: "CreditCaptured", entry: ledgerEntryAfter({ balanceCents: 4_000, heldCents: 0 }, capture, again) }
        ])
        expect(yield* brokenBy(quote.quoteId)).toEqual(["capture_pays_quote"])
        expect(yield* brokenBy(accountId)).toEqual(["money_is_conserved"])

        const { quote: givenUp } = yield* openQuote
        yield* abandon(givenUp, "agent")
        const { quoteId } = givenUp
        const unordered = { accountId: givenUp.accountId, quoteId, entryId: EntryId.make(`led_zz${quoteId}`) }
        yield* corruptQuote(quoteId, () => [
          {
            _tag: "CreditCaptured",
            entry: ledgerEntryAfter({ balanceCents: 200, heldCents: 0 }, { ...capture, cents: 200 }, unordered)
          }
        ])
        expect(yield* brokenBy(quoteId)).toEqual(["capture_pays_quote"])
      })
    )

    it.effect("a second hold of a quote, booked with another amount", () =>
      Effect.gen(function* () {
        const { quote, accountId } = yield* paidOrder
        const { quoteId } = quote
        const written = corruptQuote(quoteId, () => {
          const over = { accountId, quoteId, entryId: EntryId.make(`led_zz${quoteId}`) }
          const booked = ledgerEntryAfter({ balanceCents: 4_000, heldCents: 0 }, { kind: "hold", cents: 200 }, over)
          const hold = { holdId: HoldId.make(`hld_${quoteId}`), accountId, quoteId, cents: 300, expiresAtMs: 0 }
          return [{ _tag: "HoldPlaced", hold: { ...hold, state: "open" }, entry: booked }]
        })
        const broken = yield* brokenUnlessRefused(written, quoteId)
        if (broken === "refused") return expect(yield* brokenBy(quoteId, accountId)).toEqual([])
        expect(broken).toEqual(expect.arrayContaining(["hold_ends_once", "hold_fits_quote"]))
        expect(yield* brokenBy(accountId)).toEqual(["holds_add_up"])
      })
    )
  })
