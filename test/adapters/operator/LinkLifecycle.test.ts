// From an empty store to a verified link through operator calls, each with its audit record.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { customer, operatorClient, operatorService, siteRow } from "./OperatorService.ts"

const whole = { limit: 200 } as const

layer(operatorService(), { excludeTestServices: true })("the operator plane", (it) => {
  it.effect("opens an account, sells a link, publishes it, and records every step in the audit log", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient("olga")
      const site = yield* siteRow({ shelf: "Corail" })
      expect(yield* client.listGoods({ sites: [site] })).toMatchObject({ sites: 1, articles: 0 })
      const { accountId, keyId, key } = yield* customer(client, 2_000)
      const placed = placedBy(yield* postOrder(key, cart([item(site.siteId)])))
      const orderId = placed.order_id ?? OrderId.make("")
      const { links } = yield* client.queue(whole)
      expect(links).toMatchObject([{ orderId, accountId, siteId: site.siteId, status: "to_assign" }])
      const linkId = links[0]?.linkId ?? LinkId.make("")
      expect((yield* client.assign({ linkId })).status).toBe("assigned")
      expect((yield* client.advance({ linkId, to: "in_review" })).status).toBe("in_review")
      const url = `https://${site.domain}/page`
      expect(yield* client.publish({ linkId, url })).toMatchObject({ status: "published", publishedUrl: url })
      expect((yield* client.verify({ linkId })).status).toBe("verified")
      expect(yield* client.showOrder({ orderId })).toMatchObject({
        status: "completed",
        links: [{ status: "verified" }]
      })
      expect((yield* client.queue(whole)).links).toEqual([])
      const { records } = yield* client.readAudit(whole)
      const actions = records.filter(({ actor }) => actor === "olga").map(({ action, subject }) => [action, subject])
      expect(actions.reverse()).toEqual([
        ["catalogue.list", "catalogue"],
        ["account.open", accountId],
        ["account.top_up", accountId],
        ["key.issue", keyId],
        ["link.move", linkId],
        ["link.move", linkId],
        ["link.move", linkId],
        ["link.move", linkId]
      ])
      expect((yield* client.reconcile({})).findings).toEqual([])
    })
  )
})
