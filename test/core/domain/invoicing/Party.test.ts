// The confirmation of a VAT id: it is that of one id in one country, whatever is written in which order.
import fc from "fast-check"
import { expect } from "vitest"
import { type BillingIdentity, withDetails } from "#core/domain/invoicing/Party.ts"
import { property } from "#test/Property.ts"

const details = fc.record({
  name: fc.constantFrom("Ada", "Eve"),
  address: fc.constantFrom("1 Main Street", "2 Main Street"),
  country: fc.constantFrom("DE", "FR"),
  vatId: fc.constantFrom(null, "DE136695976", "FR40303265045"),
  reference: fc.constantFrom(null, "PO 1")
})

const steps = fc.array(fc.oneof(details, fc.constant("confirm" as const)), { maxLength: 12 })

property("only the VAT id and country that were confirmed are", [steps], (all) => {
  const written: Array<BillingIdentity> = []
  let confirmed: readonly [vatId: string, country: string] | null = null
  for (const step of all) {
    const before = written.at(-1) ?? null
    if (step === "confirm") {
      if (before === null || before.vatId === null) continue
      written.push({ ...before, vatIdConfirmed: true })
      confirmed = [before.vatId, before.country]
    } else {
      const after = withDetails(before, step)
      expect(after).toMatchObject(step)
      written.push(after)
      if (confirmed?.[0] !== step.vatId || confirmed[1] !== step.country) confirmed = null
    }
    expect(written.at(-1)?.vatIdConfirmed).toBe(confirmed !== null)
  }
})
