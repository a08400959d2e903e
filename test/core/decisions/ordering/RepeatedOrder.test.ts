// The idempotency key of an order belongs to its account and mode: what another credential of the account gets for it.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { accountBindingId, bindingId } from "#core/decisions/Books.ts"
import { type PlaceOrder, placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { webCredential } from "#core/domain/access/WebCredential.ts"
import { unkeyedKey } from "#core/domain/ordering/Idempotency.ts"
import { AccountId, KeyId, QuoteId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import { given, key, NOON, orderBy, render, stock } from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const idempotency = { key: "purchase 1", fingerprint: "f1" }

describe("the idempotency key of an order, under other credentials of the account", () => {
  const web = webCredential(AccountId.make("acc_rich"), NOON)
  const test = key("key_rich_test", "acc_rich", { mode: "sandbox" })
  const shop = given({ keys: [...stock.keys, key("key_rich_2", "acc_rich"), test, web] })
  const by = (keyId: string, over: Partial<PlaceOrder> = {}) => {
    const asked = orderBy("key_rich", {}, { idempotency, ...over })
    const mode = keyId === test.keyId ? ("sandbox" as const) : ("live" as const)
    return { ...asked, caller: { ...asked.caller, keyId: KeyId.make(keyId), mode } }
  }
  const first = placed(shop, by("key_rich"))
  const placedBy = "key_rich"

  it("replays the same bytes, says who placed it, and writes nothing", () => {
    const { reply, written } = when(first.books, placeOrder(by("key_rich_2")))
    expect(reply).toEqual({ kind: "replay", quoteId: first.quoteId, response: render.response(first.reply), placedBy })
    expect(written).toEqual([])
  })

  it("refuses another body and says who used it", () => {
    const asked = by("key_rich_2", { idempotency: { ...idempotency, fingerprint: "f2" } })
    expect(refused(first.books, placeOrder(asked))).toMatchObject({
      _tag: "IdempotencyKeyReused",
      quoteId: first.quoteId,
      placedBy
    })
  })

  it("is another one in the sandbox, and that of a cart of the Shop", () => {
    const cart = placed(first.books, by(web.keyId))
    expect(cart.quoteId).not.toBe(first.quoteId)
    expect(placed(cart.books, by(test.keyId)).reply.quote.mode).toBe("sandbox")
    expect(when(cart.books, placeOrder(by("key_rich_2"))).reply).toMatchObject({ quoteId: first.quoteId })
    expect(when(cart.books, placeOrder(by(web.keyId))).reply).toEqual({
      kind: "replay",
      quoteId: cart.quoteId,
      response: render.response(cart.reply)
    })
  })

  it("is not looked for where the service made the key itself", () => {
    const own = { idempotency: { key: unkeyedKey("f1", 1), fingerprint: "f1" } }
    const one = placed(shop, by("key_rich", own))
    expect(placed(one.books, by("key_rich_2", own)).quoteId).not.toBe(one.quoteId)
    expect(when(one.books, placeOrder(by("key_rich", own))).reply).toMatchObject({
      kind: "replay",
      quoteId: one.quoteId
    })
  })

  it("is first that of the credential itself, where it was bound in it before", () => {
    const earlier = {
      ...known(first.books.bindings, accountBindingId(orderBy("key_rich").caller, "purchase 1")),
      boundScope: null
    }
    const keyId = KeyId.make("key_rich_2")
    const own = { ...earlier, keyId, quoteId: QuoteId.make("q_own") }
    const books = { ...first.books, bindings: HashMap.set(first.books.bindings, bindingId(keyId, "purchase 1"), own) }
    expect(when(books, placeOrder(by("key_rich_2"))).reply).toMatchObject({ quoteId: "q_own" })
    expect(when(books, placeOrder(by("key_rich"))).reply).toMatchObject({ quoteId: first.quoteId })
  })
})
