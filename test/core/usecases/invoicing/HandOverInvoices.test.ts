// Handing documents over: each once in the order of issue, again after a refusal, and recorded as far as the outlet took them.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { layer as memoryStore } from "#adapters/memory/MemoryStore.ts"
import { InvoiceOutlet, OutletFailed } from "#core/ports/invoicing/InvoiceOutlet.ts"
import { InvoiceRenderer } from "#core/ports/invoicing/InvoiceRenderer.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { HandOverInvoices } from "#core/usecases/invoicing/HandOverInvoices.ts"
import { terms } from "#test/core/InvoiceGiven.ts"
import { issueAllDue, orderOfLinks } from "#test/core/ports/invoicing/InvoiceSteps.ts"
import { buyer } from "#test/core/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"

const renderer = Layer.succeed(InvoiceRenderer, {
  pdf: ({ invoiceId }) => Effect.succeed(new TextEncoder().encode(`PDF of ${invoiceId}`)),
  xml: ({ facts }) => Effect.succeed(facts.number === null ? null : `XML of ${facts.number}`)
})

/** An outlet that refuses the documents that `refuses` names. */
const outletOf = (accepted: Array<string>, refuses: (id: string) => boolean) =>
  Layer.succeed(InvoiceOutlet, {
    isOn: true,
    accept: ({ invoice: { invoiceId }, pdf, xml }) =>
      Effect.suspend(() => {
        if (refuses(invoiceId)) return Effect.fail(new OutletFailed({ invoiceId, reason: "as a test" }))
        expect(new TextDecoder().decode(pdf)).toBe(`PDF of ${invoiceId}`)
        expect(xml === null).toBe(invoiceId.startsWith("rct_"))
        return Effect.sync(() => void accepted.push(invoiceId))
      })
  })

const passWith = (accepted: Array<string>, refuses: (id: string) => boolean) =>
  Effect.flatMap(HandOverInvoices, ({ pass }) => pass).pipe(
    Effect.provide(HandOverInvoices.layer),
    Effect.provide([outletOf(accepted, refuses), renderer])
  )

it.live("hands over each document once, and goes on with the one that was refused", () =>
  Effect.gen(function* () {
    yield* (yield* Invoices).noteSeller(terms())
    const ada = yield* buyer(50_000)
    for (let count = 0; count < 24; count++) yield* orderOfLinks(ada, 1)
    const issued = yield* issueAllDue()
    yield* Effect.sleep("2 millis")
    const { invoices } = yield* (yield* Invoices).issuedIn({
      fromMs: 0,
      toMs: Number.MAX_SAFE_INTEGER,
      limit: 100,
      before: null
    })
    const inOrder = invoices.map(({ invoiceId }) => invoiceId).reverse()
    expect(inOrder).toHaveLength(issued.length)
    const accepted: Array<string> = []
    const refused = yield* passWith(accepted, (id) => id === inOrder[13])
    expect(refused.map((refusal) => refusal === null)).toEqual([true, false])
    expect(accepted).toEqual(inOrder.slice(0, 13))
    expect(new Set(yield* passWith(accepted, () => false))).toEqual(new Set([null]))
    expect(accepted).toEqual(inOrder)
    expect(yield* passWith(accepted, () => true)).toEqual([])
  }).pipe(Effect.provide(Layer.merge(memoryStore, UniqueNumbers.layer)))
)
