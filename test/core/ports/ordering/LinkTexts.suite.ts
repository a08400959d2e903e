// What every store promises of a link whose text was changed: the order and the queue have the new text, the quote what was ordered.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { firstOwner } from "#core/domain/members/Member.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { item } from "#test/core/Given.ts"
import { buyer, listSite, order } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { cancelLinkById, changeLinkBy, moveLinkTo, pay, storeSessionOf } from "./OrderSteps.ts"

const text = {
  targetUrl: "https://brand.example/other?q=„ö“",
  anchorText: "漢字 🔗",
  anchorType: "exact" as const,
  brief: null
}

export const linkTextsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Texts of links of ${name}`, store, (it) => {
    for (const creditCents of [20_000, 0]) {
      it.effect(`are as changed in the order, and as ordered in its quote, with ${creditCents} cents of credit`, () =>
        Effect.gen(function* () {
          const [orders, quotes] = [yield* Orders, yield* Quotes]
          const { caller, account } = yield* buyer(creditCents)
          // What a human paid by card, owners change.
          const by = creditCents === 0 ? { memberId: firstOwner(account).memberId } : { caller }
          const sites = [yield* listSite({ shelf: "Corail" }), yield* listSite({ shelf: "Corail" })]
          const targetUrl = "https://www.brand.example/"
          const items = sites.map(({ siteId }) => item({ siteId, targetUrl, brief: "Be kind." }))
          const { quote } = yield* order(caller, { items })
          if (creditCents === 0) {
            yield* storeSessionOf(quote)
            yield* pay(quote)
          }
          const paid = yield* quotes.byId(quote.quoteId)
          const before = yield* orders.byId(paid?.orderId ?? OrderId.make(""))
          const [first, second] = before?.links ?? []
          if (!before || !first || !second || !paid) throw new Error("there is no order")
          const { link } = yield* changeLinkBy(by, first, text)
          expect(link).toMatchObject(text)
          expect(link.history.at(-1)).toMatchObject({ status: "to_assign", changed: expect.any(Array) })
          expect(yield* orders.byId(before.order.orderId)).toEqual({ ...before, links: [link, second] })
          expect(yield* quotes.byId(quote.quoteId)).toEqual(paid)
          expect(paid.lines.map((line) => line.item)).toEqual(items)
          const again = yield* changeLinkBy(by, link, { anchorText: "once more" })
          yield* moveLinkTo(second.linkId, "assigned")
          expect(yield* quotes.byId(quote.quoteId)).toEqual(paid)
          const queued = yield* orders.queue({ limit: 200, afterId: null })
          expect(queued.find(({ linkId }) => linkId === first.linkId)).toEqual(again.link)
        })
      )
    }

    it.effect("are found by the domain of their present target", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { caller } = yield* buyer(2_000)
        const site = yield* listSite({ shelf: "Corail" })
        const { links } = yield* order(caller, {
          items: [item({ siteId: site.siteId, targetUrl: "https://one.example/" })]
        })
        const found = (targetDomain: string) =>
          Effect.map(
            orders.listed({
              ...{ shown: [caller.keyId], leftOut: [] },
              ...{ status: null, conditions: { targetDomain }, limit: 5, beforeId: null }
            }),
            ({ total }) => total
          )
        expect([yield* found("one.example"), yield* found("brand.example")]).toEqual([1, 0])
        const [link] = links
        if (!link) throw new Error("there is no link")
        yield* changeLinkBy({ caller }, link, { targetUrl: "https://shop.brand.example/" })
        expect([yield* found("one.example"), yield* found("brand.example")]).toEqual([0, 1])
      })
    )

    it.effect("change whole or not at all beside moves and a cancellation", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        for (const nth of [1, 2, 3, 4]) {
          const { caller } = yield* buyer(2_000)
          const site = yield* listSite({ shelf: "Corail" })
          const { links } = yield* order(caller, { items: [item({ siteId: site.siteId })] })
          const [link] = links
          if (!link) throw new Error("there is no link")
          const newText = { anchorText: `text ${nth}`, targetUrl: `https://brand.example/${nth}` }
          const isDone = <A, E, R>(step: Effect.Effect<A, E, R>) => Effect.map(Effect.result(step), Result.isSuccess)
          const [isChanged] = yield* concurrently([
            isDone(changeLinkBy({ caller }, link, newText)),
            nth % 2 === 0 ? isDone(moveLinkTo(link.linkId, "drafted")) : isDone(cancelLinkById(link.linkId))
          ])
          const now = (yield* orders.byId(link.orderId))?.links[0]
          expect([now?.anchorText, now?.targetUrl]).toEqual(
            isChanged ? [`text ${nth}`, `https://brand.example/${nth}`] : [link.anchorText, link.targetUrl]
          )
          expect(now?.history.filter(({ changed }) => changed !== undefined)).toHaveLength(isChanged ? 1 : 0)
          // A draft is made of a text that the operator has seen, so that it is made before the change, or refused after it.
          if (nth % 2 === 0) expect(now?.status).toBe(isChanged ? "to_assign" : "drafted")
        }
      })
    )
  })
