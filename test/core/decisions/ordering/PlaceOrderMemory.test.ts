// The decision of an order retains no memory.
import { expect, it } from "vitest"
import { placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { given, NOON, orderBy } from "#test/core/Given.ts"
import { contextAt } from "#test/core/RunDecision.ts"
import { retainedBytesPerCall } from "#test/RetainedMemory.ts"

it("retains nothing beyond a minor garbage collection", () => {
  const books = given()
  const bytes = retainedBytesPerCall(() => void placeOrder(orderBy("key_rich"))(books, contextAt(NOON)))
  expect(bytes).toBeLessThan(100)
})
