// What the composition root provides, as tests of use cases that read little of it need it.
import { Layer } from "effect"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { rules } from "#test/core/Given.ts"
import { terms } from "#test/core/InvoiceGiven.ts"

const page = (id: string): string => `https://shop.example/${id}`

export const givenService = Layer.succeed(ServiceContext, {
  ...rules,
  seller: terms(),
  paymentPage: page,
  approvalPage: page,
  sha256: page
})
