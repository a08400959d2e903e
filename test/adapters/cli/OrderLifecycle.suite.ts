// The life of an order by command line, from an empty store to a verified link. The order itself is placed over REST with the
// issued key, as an agent does.
import { layer as tests } from "@effect/vitest"
import { Effect, type Layer, Schema } from "effect"
import { expect } from "vitest"
import { OrderDetail } from "#adapters/contract/ordering/Orders.ts"
import * as Accounts from "#adapters/operator/records/AccountRecords.ts"
import { ReconciliationReport } from "#adapters/operator/records/MonitoringRecords.ts"
import { OrderDetails } from "#adapters/operator/records/OrderRecords.ts"
import { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { Link } from "#core/domain/ordering/Link.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { item } from "#test/scenarios/Buyers.ts"
import { ORDERS, placedBy, postOrder, read } from "#test/scenarios/HttpCalls.ts"
import type { RunningService } from "#test/scenarios/RunningService.ts"
import { sitesCsv } from "./ImportFiles.ts"
import { file, IssuedKey, runJson, succeed } from "./RunCommand.ts"

/** `shop` is empty, with the operator plane open and no welcome offer. */
export const wholeOrderSuite = (name: string, shop: Layer.Layer<RunningService, unknown>): void =>
  tests(shop, { excludeTestServices: true })(`a whole order ${name}`, (it) => {
    it.effect("runs from an empty store to a verified link", () =>
      Effect.gen(function* () {
        const { accountId } = yield* runJson(
          Accounts.Account,
          "account",
          "open",
          "--name",
          "Ada",
          "--email",
          "ada@brand.example"
        )
        yield* succeed("account", "topup", accountId, "--eur", "50.00", "--reference", "transfer 1")
        const { key: issued, text: key } = yield* runJson(IssuedKey, "key", "issue", accountId, "--label", "agent")
        yield* succeed("import", "sites", yield* file("sites.csv", sitesCsv(1, 3)))

        // Site 2 is on Corail, whose links wait for the operator.
        const placed = placedBy(yield* postOrder(key, { items: [item(2)] }))
        expect(placed).toMatchObject({ order_status: "paid", total_eur: 15, credit_applied_cents: 1_500 })
        const orderId = placed.order_id ?? OrderId.make("")

        const [waiting, ...others] = yield* runJson(Schema.Array(Link), "queue", "--status", "to_assign")
        expect(others).toStrictEqual([])
        expect(waiting).toMatchObject({ orderId, accountId, siteId: 2, status: "to_assign", domain: "site-2.example" })
        const linkId = waiting?.linkId ?? LinkId.make("")
        yield* succeed("assign", linkId)
        for (const stage of ["drafted", "in_review", "approved"]) yield* succeed("advance", linkId, stage)
        expect(yield* succeed("publish", linkId, "https://site-2.example/tea-with-ada")).toContain("is published now")
        yield* succeed("verify", linkId)
        expect(yield* runJson(Schema.Array(Link), "queue")).toStrictEqual([])

        const order = yield* runJson(OrderDetails, "order", "show", orderId)
        expect(order.status).toBe("completed")
        expect(order.links.map(({ status }) => status)).toStrictEqual(["verified"])
        const seen = yield* read(OrderDetail, key, `${ORDERS}/${orderId}`)
        expect(seen.items[0]).toMatchObject({
          status: "verified",
          published_url: "https://site-2.example/tea-with-ada"
        })

        const did = yield* runJson(Schema.Array(AuditRecord), "audit")
        expect(did.map(({ action, subject }) => [action, subject]).toReversed()).toStrictEqual([
          ["account.open", accountId],
          ["account.top_up", accountId],
          ["key.issue", issued.keyId],
          ["catalogue.list", "catalogue"],
          ...Array.from({ length: 6 }, () => ["link.move", linkId])
        ])
        expect((yield* runJson(ReconciliationReport, "reconcile")).findings).toStrictEqual([])
      })
    )
  })
