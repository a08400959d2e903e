// Shows on small projects, made of strings, when a port counts as provided for.

import { describe, expect, it } from "vitest"
import { portRule } from "./PortRule.ts"
import { describeViolation, parse } from "./Source.ts"

const complaints = (files: Readonly<Record<string, string>>) =>
  portRule(Object.entries(files).map(([file, text]) => parse(file, text))).map(describeViolation)

const port = (name: string) =>
  `import { Context } from "effect"\nexport class ${name} extends Context.Service<${name}, object>()("${name}") {}`
const store = "export const layer = 1"

describe("portRule", () => {
  it("wants a store in memory", () => {
    expect(complaints({ "core/ports/OrderBook.ts": port("OrderBook") })).toEqual([
      "core/ports/OrderBook.ts:1 this port has no adapters/memory/OrderBook.ts"
    ])
    expect(complaints({ "core/ports/OrderBook.ts": port("OrderBook"), "adapters/memory/OrderBook.ts": store })).toEqual(
      []
    )
  })

  it("wants a store in Postgres as well, once that room is there", () => {
    const before = {
      "core/ports/OrderBook.ts": port("OrderBook"),
      "adapters/memory/OrderBook.ts": store,
      "adapters/postgres/Catalogue.ts": store
    }
    expect(complaints(before)).toEqual(["core/ports/OrderBook.ts:1 this port has no adapters/postgres/OrderBook.ts"])
    expect(complaints({ ...before, "adapters/postgres/OrderBook.ts": store })).toEqual([])
  })

  it("wants a port that is no store to be used by the room that provides it", () => {
    const file = "core/ports/PaymentProcessor.ts"
    const user = `import { PaymentProcessor } from "#${file}"\nexport const layer = PaymentProcessor`
    const complaint = [`${file}:1 this port is provided by nothing in adapters/payments`]
    expect(complaints({ [file]: port("PaymentProcessor") })).toEqual(complaint)
    expect(complaints({ [file]: port("PaymentProcessor"), "adapters/memory/PaymentProcessor.ts": store })).toEqual(
      complaint
    )
    expect(complaints({ [file]: port("PaymentProcessor"), "adapters/outbound/Simulated.ts": user })).toEqual(complaint)
    expect(complaints({ [file]: port("PaymentProcessor"), "adapters/payments/SimulatedProcessor.ts": user })).toEqual([])
  })

  it("knows the composition root as a provider", () => {
    const file = "core/ports/ServiceContext.ts"
    const user = `import { ServiceContext } from "#${file}"\nexport const layer = ServiceContext`
    expect(complaints({ [file]: port("ServiceContext"), "adapters/http/ServiceContext.ts": user })).toHaveLength(1)
    expect(complaints({ [file]: port("ServiceContext"), "adapters/app/Service.ts": user })).toEqual([])
  })

  it("leaves alone what ports share, and services of other rooms", () => {
    expect(
      complaints({
        "core/ports/PortErrors.ts": "export class StoreUnavailable {}",
        "core/usecases/PlaceOrder.ts": port("PlaceOrder")
      })
    ).toEqual([])
  })
})
