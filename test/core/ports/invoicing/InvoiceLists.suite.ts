// What every store promises of the documents of an account, narrowed by order and time of issue.
import { Effect } from "effect"
import { expect } from "vitest"
import { type InvoiceConditions, meetsInvoiceConditions } from "#core/domain/invoicing/InvoiceConditions.ts"
import { InvoiceId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { cancelLinkById } from "../ordering/OrderSteps.ts"
import { buyer } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { issueAllDue, orderOfLinks } from "./InvoiceSteps.ts"

export const invoiceListsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Lists of invoices of ${name}`, store, (it) => {
    it.effect("are listed of one order, and of a span of time, in pages", () =>
      Effect.gen(function* () {
        const invoices = yield* Invoices
        const ada = yield* buyer(50_000)
        const { accountId } = ada.account
        const [first, second] = [yield* orderOfLinks(ada, 2), yield* orderOfLinks(ada, 1)]
        yield* issueAllDue()
        // Documents of one moment are in the order of their ids.
        yield* Effect.sleep("2 millis")
        yield* cancelLinkById(first.linkIds[1] ?? LinkId.make(""))
        yield* issueAllDue()
        const list = Effect.fnUntraced(function* (conditions: InvoiceConditions, of = accountId) {
          const all = yield* invoices.ofAccount({ accountId: of, limit: 50, before: null, conditions })
          const paged = []
          for (let before: typeof all.next = null; ; ) {
            const page: typeof all = yield* invoices.ofAccount({ accountId: of, limit: 1, before, conditions })
            paged.push(...page.invoices)
            if (page.next === null) break
            before = page.next
          }
          expect(paged).toEqual(all.invoices)
          return all.invoices
        })
        const all = yield* list({})
        expect(all).toHaveLength(4)
        const ofFirst = yield* list({ orderId: first.orderId })
        expect(ofFirst.map(({ kind, orderId }) => [kind, orderId])).toEqual([
          ["credit_note", first.orderId],
          ["invoice", first.orderId]
        ])
        expect((yield* list({ orderId: second.orderId })).map(({ kind }) => kind)).toEqual(["invoice"])
        expect(yield* list({ orderId: OrderId.make("ord_unknown") })).toEqual([])
        expect(yield* list({ orderId: first.orderId }, (yield* buyer()).account.accountId)).toEqual([])
        const atMs = ofFirst[0]?.issuedAtMs ?? 0
        for (const conditions of [
          { issuedFromMs: atMs },
          { issuedToMs: atMs - 1 },
          { issuedFromMs: atMs, issuedToMs: atMs, orderId: first.orderId },
          { issuedFromMs: atMs + 1, orderId: first.orderId }
        ]) {
          expect(yield* list(conditions)).toEqual(all.filter((one) => meetsInvoiceConditions(one, conditions)))
        }
        const ids = [...all.map(({ invoiceId }) => invoiceId), InvoiceId.make("inv_unknown")]
        const found = yield* invoices.byIds(ids)
        expect(new Set(found)).toEqual(new Set(all))
        expect(found.map(({ issuedAtMs }) => issuedAtMs)).toEqual(found.map(({ issuedAtMs }) => issuedAtMs).sort())
        expect(yield* invoices.byIds([])).toEqual([])
      })
    )
  })
