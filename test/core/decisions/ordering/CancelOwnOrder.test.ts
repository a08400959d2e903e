// Orders of the Shop are a human's, so that no agent cancels them; others are cancelled by the key that placed them.
import { HashMap } from "effect"
import { expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { cancelOwnOrder } from "#core/decisions/ordering/CancelOwnOrder.ts"
import { webCredentialId } from "#core/domain/access/WebCredential.ts"
import { AccountId, KeyId, OrderId } from "#core/domain/shared/Ids.ts"
import { given, item, orderBy, render } from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const start = placed(given(), orderBy("key_rich", { items: [item({ siteId: 3 })] }))
const orderId = start.reply.order?.orderId ?? OrderId.make("")

/** The order as if this key had placed it. */
const placedBy = (keyId: KeyId): Books => ({
  ...start.books,
  quotes: HashMap.map(start.books.quotes, (quote) => ({ ...quote, keyId })),
  orders: HashMap.map(start.books.orders, (order) => ({ ...order, keyId }))
})

it("an order of the Shop is a human's, whichever key asks", () => {
  const web = webCredentialId(AccountId.make("acc_rich"))
  for (const keyId of ["key_rich", web]) {
    const refusal = refused(placedBy(web), cancelOwnOrder({ orderId, keyId: KeyId.make(keyId), linkIds: null, render }))
    expect(refusal).toMatchObject({ _tag: "OrderNotCancellable", decidedBy: "human" })
  }
})

it("the audit names the key that cancelled", () => {
  const { books } = when(start.books, cancelOwnOrder({ orderId, keyId: KeyId.make("key_rich"), linkIds: null, render }))
  const actors = HashMap.toValues(books.audit).filter(({ action }) => action === "link.cancel")
  expect(actors.map(({ actor }) => actor)).toEqual(["key_rich"])
})
