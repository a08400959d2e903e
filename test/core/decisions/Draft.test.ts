// A decision that moves money of an account that it did not read is a defect, and writes nothing.
import { HashMap } from "effect"
import { expect, it } from "vitest"
import { cancelOrder } from "#core/decisions/ordering/CancelLinks.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { given, orderBy, render } from "../Given.ts"
import { placed, when } from "../RunDecision.ts"

it("throws for an account that is missing from the books, instead of treating its wallet as empty", () => {
  const { books, reply } = placed(given(), orderBy("key_rich"))
  const cancel = cancelOrder(reply.order?.orderId ?? OrderId.make(""), { reason: "declined", actor: null, render })
  expect(when(books, cancel).written).toContain("Credited")
  expect(() => when({ ...books, accounts: HashMap.empty() }, cancel)).toThrow(/acc_rich is not among the books/)
})
