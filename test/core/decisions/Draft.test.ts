// A decision that moves money of an account that it never asked for is a mistake of ours, and comes to nothing.
import { HashMap } from "effect"
import { expect, it } from "vitest"
import { cancelOrder } from "#core/decisions/CancelLinks.ts"
import { given, orderBy, render } from "../Given.ts"
import { placed, when } from "../RunDecision.ts"

it("a wallet that is not among the books is not taken for an empty one", () => {
  const { books, reply } = placed(given(), orderBy("key_rich"))
  const cancel = cancelOrder(reply.order?.orderId ?? "", { reason: "declined", actor: null, render })
  expect(when(books, cancel).written).toContain("Credited")
  expect(() => when({ ...books, accounts: HashMap.empty() }, cancel)).toThrow(/acc_rich is not among the books/)
})
