// An order's decision is forgotten once it is made.
import { expect, it } from "vitest"
import { placeOrder } from "#core/decisions/PlaceOrder.ts"
import { leftBehindBy } from "../../Leftovers.ts"
import { momentAt } from "../Deciding.ts"
import { given, NOON, orderBy } from "../Given.ts"

it("leaves nothing behind that only a collection of the whole heap would find", () => {
  const books = given()
  const bytes = leftBehindBy(() => void placeOrder(orderBy("key_rich"))(books, momentAt(NOON)))
  expect(bytes).toBeLessThan(100)
})
