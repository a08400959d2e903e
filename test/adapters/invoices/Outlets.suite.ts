// What every outlet promises: a document that it accepts is there as it was, once, however often it comes; what it cannot take fails.
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { InvoiceId } from "#core/domain/shared/Ids.ts"
import { InvoiceOutlet, type OutletDocument } from "#core/ports/invoicing/InvoiceOutlet.ts"
import { numbered, unnumbered } from "./IssuedDocuments.ts"

/** What arrived, by number or id. */
export type Received = ReadonlyMap<string, { readonly pdf: Uint8Array; readonly xml: string | null }>

export interface OutletUnderTest {
  readonly layer: Layer.Layer<InvoiceOutlet>
  readonly received: Effect.Effect<Received>
  /** From now on nothing can be handed over, or all can again. */
  readonly setBroken: (isBroken: boolean) => Effect.Effect<void>
}

const [invoice] = Object.values(numbered)
const [unnumberedOne] = Object.values(unnumbered)
if (invoice === undefined || unnumberedOne === undefined) throw new Error("there are documents of both kinds")

const proForma = { ...unnumberedOne, invoiceId: InvoiceId.make("inv_proforma") }

const document = (over: Partial<OutletDocument> = {}): OutletDocument => ({
  invoice,
  pdf: new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 255, 10]),
  xml: "<a>\u202E&amp; 😀</a>",
  ...over
})

export const outletSuite = (name: string, make: Effect.Effect<OutletUnderTest, never, Scope.Scope>): void =>
  void describe(`the outlet ${name}`, () => {
    const test = (what: string, body: (outlet: OutletUnderTest) => Effect.Effect<void, unknown, InvoiceOutlet>) =>
      it.live(what, () => Effect.scoped(Effect.flatMap(make, (outlet) => Effect.provide(body(outlet), outlet.layer))))

    test("keeps a document as it was, and the same one once", ({ received }) =>
      Effect.gen(function* () {
        const { accept, isOn } = yield* InvoiceOutlet
        expect(isOn).toBe(true)
        const one = document()
        const other = document({ invoice: proForma, xml: null })
        for (const each of [one, other, one]) yield* accept(each)
        const there = yield* received
        expect([...there.keys()].sort()).toEqual([invoice.facts.number, proForma.invoiceId].sort())
        expect(there.get(invoice.facts.number ?? "")).toEqual({ pdf: one.pdf, xml: one.xml })
        expect(there.get(proForma.invoiceId)).toEqual({ pdf: other.pdf, xml: null })
      }))

    test("fails while it cannot take a document, leaves nothing of it, and takes it afterwards", ({
      received,
      setBroken
    }) =>
      Effect.gen(function* () {
        const { accept } = yield* InvoiceOutlet
        yield* setBroken(true)
        const failed = yield* Effect.flip(accept(document()))
        expect([failed._tag, failed.invoiceId]).toEqual(["OutletFailed", invoice.invoiceId])
        yield* setBroken(false)
        expect((yield* received).size).toBe(0)
        yield* accept(document())
        expect((yield* received).size).toBe(1)
      }))
  })
