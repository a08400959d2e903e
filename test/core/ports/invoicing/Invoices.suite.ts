// What every store promises of Invoices: each order, cancelled link and deposit gets one document, numbers run on without a gap, and what
// is issued never changes.
import { Effect } from "effect"
import { expect } from "vitest"
import { InvoiceId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { BillingIdentities } from "#core/ports/invoicing/BillingIdentities.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { identity, proFormaTerms, terms } from "#test/core/InvoiceGiven.ts"
import { cancelLinkById, cancelOrderById, pay } from "../ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order, topUpAccount } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { billingChange, documentOf, issueAllDue, orderOfLinks } from "./InvoiceSteps.ts"

const sequences = (all: ReadonlyArray<{ readonly series: { readonly sequence: number } | null }>) =>
  all.flatMap(({ series }) => (series === null ? [] : [series.sequence]))

const consecutive = (numbers: ReadonlyArray<number>) => times(numbers.length, (index) => (numbers[0] ?? 0) + index)

const expectSound = Effect.gen(function* () {
  const { violations } = yield* (yield* Reconciliation).reconcile(10)
  expect(violations).toEqual([])
})

export const invoicesSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Invoices of ${name} before a seller is configured`, store, (it) => {
    it.effect("are pro forma, bear no number, and stay so when there is a seller", () =>
      Effect.gen(function* () {
        const invoices = yield* Invoices
        const ada = yield* buyer(10_000)
        const before = yield* orderOfLinks(ada, 2)
        const waiting = yield* issueAllDue(proFormaTerms)
        yield* invoices.noteSeller(proFormaTerms)
        expect(yield* invoices.numberedSince()).toBeNull()
        expect(waiting.map(({ kind, facts }) => [kind, facts.number, facts.proForma])).toEqual([
          ["invoice", null, true],
          ["receipt", null, true]
        ])
        const late = yield* orderOfLinks(ada, 1)
        // The order before and the order after differ by their time alone.
        yield* Effect.sleep("2 millis")
        yield* invoices.noteSeller(terms())
        const after = yield* orderOfLinks(ada, 1)
        yield* cancelLinkById(before.linkIds[0] ?? LinkId.make(""))
        yield* issueAllDue()
        expect((yield* documentOf("invoice", late.orderId))?.series).toBeNull()
        expect((yield* documentOf("credit_note", before.linkIds[0] ?? LinkId.make("")))?.facts).toMatchObject({
          proForma: true,
          number: null
        })
        expect((yield* documentOf("invoice", after.orderId))?.series?.sequence).toBe(1)
        const since = (yield* invoices.numberedSince()) ?? 0
        expect(since).toBeGreaterThan(0)
        yield* invoices.noteSeller(terms())
        expect(yield* invoices.numberedSince()).toBe(since)
        yield* expectSound
      })
    )
  })

  storeSuite(`Invoices of ${name}`, store, (it) => {
    const ready = (yieldCredit = 50_000) =>
      Effect.gen(function* () {
        yield* (yield* Invoices).noteSeller(terms())
        yield* issueAllDue()
        return yield* buyer(yieldCredit)
      })

    it.effect("are issued for orders on every payment path, once, with consecutive numbers", () =>
      Effect.gen(function* () {
        const ada = yield* ready(1_000)
        const { orderId } = yield* orderOfLinks(ada, 1)
        const { quote } = yield* order(ada.caller, { items: linksOn(yield* listSite(), yield* listSite()) })
        expect(quote.cardCents).toBeGreaterThan(0)
        const paid = yield* pay(quote)
        const eve = yield* buyer()
        const { quote: byCard } = yield* order(eve.caller, { items: linksOn(yield* listSite()) })
        yield* pay(byCard)
        yield* order(eve.caller, { items: linksOn(yield* listSite()) })
        const issued = (yield* issueAllDue()).filter(({ kind }) => kind === "invoice")
        expect(issued).toHaveLength(3)
        expect(sequences(issued)).toEqual(consecutive(sequences(issued)))
        expect(issued.map(({ totalCents }) => totalCents)).toContain(quote.totalCents)
        expect(paid).toBeDefined()
        for (const { totalCents, netCents, vatCents, facts } of issued) {
          expect(netCents + vatCents).toBe(totalCents)
          expect(facts.lines.reduce((total, line) => total + line.netCents, 0)).toBe(netCents)
        }
        expect(yield* issueAllDue()).toEqual([])
        const found = yield* documentOf("invoice", orderId)
        expect(found).toMatchObject({ accountId: ada.account.accountId, orderId, facts: { buyer: { name: "Ada" } } })
        yield* expectSound
      })
    )

    it.effect("are not issued for the sandbox", () =>
      Effect.gen(function* () {
        yield* ready(0)
        const { caller } = yield* buyer(0, { mode: "sandbox" })
        yield* order(caller, { items: linksOn(yield* listSite()), sandboxCreditCents: 5_000 })
        expect((yield* issueAllDue()).filter(({ kind }) => kind !== "receipt")).toEqual([])
      })
    )

    it.effect("keep the identity of their time, and credit notes that of their invoice", () =>
      Effect.gen(function* () {
        const identities = yield* BillingIdentities
        const ada = yield* ready()
        const { accountId } = ada.account
        expect(yield* identities.of(accountId)).toBeNull()
        const garden = identity()
        expect(yield* identities.replace(billingChange(accountId, null, garden))).toBe(true)
        const first = yield* orderOfLinks(ada, 2)
        yield* issueAllDue()
        const other = identity({ name: "Other GmbH", vatId: null, country: "FR" })
        expect(yield* identities.replace(billingChange(accountId, garden, other))).toBe(true)
        expect(yield* identities.of(accountId)).toMatchObject({ name: "Other GmbH", vatId: null })
        yield* cancelLinkById(first.linkIds[1] ?? LinkId.make(""))
        const second = yield* orderOfLinks(ada, 1)
        yield* issueAllDue()
        const [one, note, two] = [
          yield* documentOf("invoice", first.orderId),
          yield* documentOf("credit_note", first.linkIds[1] ?? LinkId.make("")),
          yield* documentOf("invoice", second.orderId)
        ]
        expect(one?.facts).toMatchObject({ treatment: "reverse_charge", buyer: { name: "Garden Tools GmbH" } })
        expect(note?.facts).toMatchObject({
          treatment: "reverse_charge",
          buyer: { name: "Garden Tools GmbH" },
          corrects: { invoiceId: one?.invoiceId, number: one?.facts.number }
        })
        expect(two?.facts).toMatchObject({ treatment: "standard", buyer: { name: "Other GmbH" } })
      })
    )

    it.effect("have a credit note for each cancelled link, also where the card is refunded", () =>
      Effect.gen(function* () {
        const ada = yield* ready(1_000)
        const { quote } = yield* order(ada.caller, {
          items: linksOn(yield* listSite(), yield* listSite(), yield* listSite())
        })
        yield* pay(quote)
        yield* issueAllDue()
        const settled = (yield* (yield* Invoices).ofAccount({
          accountId: ada.account.accountId,
          limit: 5,
          before: null
        })).invoices
        const invoice = settled.find(({ kind }) => kind === "invoice")
        const [first, second, third] = invoice?.facts.lines ?? []
        yield* cancelLinkById(first?.linkId ?? LinkId.make(""), { refunded: true })
        const refunded = yield* issueAllDue()
        expect(refunded).toMatchObject([{ kind: "credit_note", linkId: first?.linkId, totalCents: first?.totalCents }])
        yield* cancelOrderById(invoice?.orderId ?? OrderId.make(""))
        const rest = yield* issueAllDue()
        expect(rest.map(({ linkId }) => linkId).sort()).toEqual([second?.linkId, third?.linkId].sort())
        const { byNumber } = yield* Invoices
        for (const one of [...refunded, ...rest])
          expect(yield* byNumber({ kind: "credit_note", ...(one.series ?? { year: 0, sequence: 0 }) })).toEqual(one)
        expect(yield* byNumber({ kind: "credit_note", year: 2026, sequence: 900_000_000 })).toBeNull()
        const notes = [...refunded, ...rest]
        expect(notes.reduce((net, note) => net + note.netCents, 0)).toBe(invoice?.netCents)
        expect(sequences(notes)).toEqual(consecutive(sequences(notes)))
        expect(yield* issueAllDue()).toEqual([])
        yield* expectSound
      })
    )

    it.effect("wait for the invoice of a link that is cancelled before", () =>
      Effect.gen(function* () {
        const invoices = yield* Invoices
        const ada = yield* ready()
        const { linkIds } = yield* orderOfLinks(ada, 1)
        yield* cancelLinkById(linkIds[0] ?? LinkId.make(""))
        const step = { terms: terms(), limit: 10, after: null }
        const early = yield* invoices.issue({ ...step, source: "ledger" })
        expect(early.issued.map(({ kind }) => kind)).not.toContain("credit_note")
        expect((yield* issueAllDue()).map(({ kind }) => kind)).toEqual(["invoice", "credit_note"])
      })
    )

    it.effect("are receipts for deposits, without number", () =>
      Effect.gen(function* () {
        const ada = yield* ready(0)
        const entry = yield* topUpAccount(ada.account.accountId, 2_500)
        const [receipt] = yield* issueAllDue()
        expect(receipt).toMatchObject({
          kind: "receipt",
          entryId: entry.entryId,
          totalCents: 2_500,
          vatCents: 0,
          series: null
        })
      })
    )

    it.effect("are listed newest first, page by page, of one account and of all", () =>
      Effect.gen(function* () {
        const invoices = yield* Invoices
        const ada = yield* ready()
        yield* issueAllDue()
        const orders = []
        for (let count = 0; count < 5; count++) orders.push(yield* orderOfLinks(ada, 1))
        yield* issueAllDue()
        const { accountId } = ada.account
        const all = yield* invoices.ofAccount({ accountId, limit: 50, before: null })
        expect(all.next).toBeNull()
        expect(all.invoices).toHaveLength(6)
        const paged = []
        for (let before: typeof all.next = null; ; ) {
          const page: typeof all = yield* invoices.ofAccount({ accountId, limit: 2, before })
          paged.push(...page.invoices)
          if (page.next === null) break
          before = page.next
        }
        expect(paged).toEqual(all.invoices)
        // A place between documents, as of one that is gone, or of another account.
        const [newest, ...older] = all.invoices
        const between = { issuedAtMs: newest?.issuedAtMs ?? 0, invoiceId: newest?.invoiceId ?? InvoiceId.make("") }
        expect((yield* invoices.ofAccount({ accountId, limit: 50, before: between })).invoices).toEqual(older)
        const first = { issuedAtMs: 0, invoiceId: InvoiceId.make("inv_unknown") }
        expect(yield* invoices.ofAccount({ accountId, limit: 50, before: first })).toEqual({ invoices: [], next: null })
        const atMs = all.invoices[0]?.issuedAtMs ?? 0
        const span = { limit: 50, before: null }
        const today = yield* invoices.issuedIn({ ...span, fromMs: atMs - 3_600_000, toMs: atMs + 1 })
        expect(today.invoices).toEqual(expect.arrayContaining([...all.invoices]))
        expect((yield* invoices.issuedIn({ ...span, fromMs: atMs + 1, toMs: atMs + 2 })).invoices).toEqual([])
        expect(yield* invoices.byId(InvoiceId.make("inv_unknown"))).toBeNull()
      })
    )

    it.effect("get each number once from many numberers at once", () =>
      Effect.gen(function* () {
        const ada = yield* ready()
        const orders = yield* concurrently(times(12, () => orderOfLinks(ada, 1)))
        const passes = yield* concurrently(times(6, () => issueAllDue(terms(), 2)))
        yield* issueAllDue()
        const documents = yield* Effect.forEach(orders, ({ orderId }) => documentOf("invoice", orderId))
        const numbers = sequences(documents.flatMap((one) => one ?? [])).sort((a, b) => a - b)
        expect(numbers).toHaveLength(12)
        expect(numbers).toEqual(consecutive(numbers))
        expect(passes.flat().length).toBeLessThanOrEqual(13)
        yield* expectSound
      })
    )
  })
}
