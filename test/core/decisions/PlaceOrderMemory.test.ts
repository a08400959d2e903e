// The decision of an order retains no memory.
import { expect, it } from "vitest"
import { placeOrder } from "#core/decisions/PlaceOrder.ts"
import { retainedBytesPerCall } from "../../RetainedMemory.ts"
import { given, NOON, orderBy } from "../Given.ts"
import { contextAt } from "../RunDecision.ts"

it("retains nothing beyond a minor garbage collection", () => {
  const books = given()
  const bytes = retainedBytesPerCall(() => void placeOrder(orderBy("key_rich"))(books, contextAt(NOON)))
  expect(bytes).toBeLessThan(100)
})
