// An order's decision is forgotten once it is made.
import { expect, it } from "vitest"
import { placeOrder } from "#core/decisions/PlaceOrder.ts"
import { retainedBytesPerCall } from "../../RetainedMemory.ts"
import { given, NOON, orderBy } from "../Given.ts"
import { contextAt } from "../RunDecision.ts"

it("leaves nothing behind that only a collection of the whole heap would find", () => {
  const books = given()
  const bytes = retainedBytesPerCall(() => void placeOrder(orderBy("key_rich"))(books, contextAt(NOON)))
  expect(bytes).toBeLessThan(100)
})
