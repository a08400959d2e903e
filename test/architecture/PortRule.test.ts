// The rule on ports, on small projects made of strings.

import { describe, expect, it } from "vitest"
import { portRule } from "./PortRule.ts"
import { describeViolation, parse } from "./Source.ts"

const violations = (files: Readonly<Record<string, string>>) =>
  portRule(Object.entries(files).map(([file, text]) => parse(file, text))).map(describeViolation)

const port = (name: string) =>
  `import { Context } from "effect"\nexport class ${name} extends Context.Service<${name}, object>()("${name}") {}`
const store = "export const layer = 1"

describe("portRule", () => {
  it("requires a store in memory", () => {
    expect(violations({ "core/ports/ordering/OrderBook.ts": port("OrderBook") })).toEqual([
      "core/ports/ordering/OrderBook.ts:1 this port has no adapters/memory/ports/ordering/OrderBook.ts"
    ])
    expect(
      violations({
        "core/ports/ordering/OrderBook.ts": port("OrderBook"),
        "adapters/memory/ports/ordering/OrderBook.ts": store
      })
    ).toEqual([])
  })

  it("requires a store in Postgres as well, once that room exists", () => {
    const before = {
      "core/ports/ordering/OrderBook.ts": port("OrderBook"),
      "adapters/memory/ports/ordering/OrderBook.ts": store,
      "adapters/postgres/ports/catalogue/Catalogue.ts": store
    }
    expect(violations(before)).toEqual([
      "core/ports/ordering/OrderBook.ts:1 this port has no adapters/postgres/ports/ordering/OrderBook.ts"
    ])
    expect(violations({ ...before, "adapters/postgres/ports/ordering/OrderBook.ts": store })).toEqual([])
  })

  it("requires the room that provides a port that is no store to import it", () => {
    const file = "core/ports/ordering/PaymentProcessor.ts"
    const user = `import { PaymentProcessor } from "#${file}"\nexport const layer = PaymentProcessor`
    const violation = [`${file}:1 this port is provided by nothing in adapters/payments`]
    expect(violations({ [file]: port("PaymentProcessor") })).toEqual(violation)
    expect(violations({ [file]: port("PaymentProcessor"), "adapters/memory/PaymentProcessor.ts": store })).toEqual(
      violation
    )
    expect(violations({ [file]: port("PaymentProcessor"), "adapters/outbound/Simulated.ts": user })).toEqual(violation)
    expect(violations({ [file]: port("PaymentProcessor"), "adapters/payments/SimulatedProcessor.ts": user })).toEqual(
      []
    )
  })

  it("accepts the composition root as a provider", () => {
    const file = "core/ports/shared/ServiceContext.ts"
    const user = `import { ServiceContext } from "#${file}"\nexport const layer = ServiceContext`
    expect(violations({ [file]: port("ServiceContext"), "adapters/http/ServiceContext.ts": user })).toHaveLength(1)
    expect(violations({ [file]: port("ServiceContext"), "adapters/app/Service.ts": user })).toEqual([])
  })

  it("ignores what ports share, and services of other rooms", () => {
    expect(
      violations({
        "core/ports/shared/PortErrors.ts": "export class StoreUnavailable {}",
        "core/usecases/ordering/PlaceOrder.ts": port("PlaceOrder")
      })
    ).toEqual([])
  })
})
