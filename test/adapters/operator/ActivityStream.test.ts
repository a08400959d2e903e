// The activity stream: events in order, from now on or from a cursor, from all instances.
import { randomUUID } from "node:crypto"
import { layer } from "@effect/vitest"
import { Effect, Queue, Stream } from "effect"
import { expect } from "vitest"
import type { ActivityEvent } from "#adapters/operator/records/MonitoringRecords.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { anotherInstance } from "#test/scenarios/RunningService.ts"
import { customer, operatorClient, operatorService, siteRow } from "./OperatorService.ts"

const accountOf = (one: ActivityEvent): string => {
  switch (one._tag) {
    case "OperatorActed":
      return one.record.subject
    case "WalletCredited":
      return one.entry.accountId
    default:
      return one.accountId
  }
}

const kindOf = (one: ActivityEvent): string => {
  switch (one._tag) {
    case "OperatorActed":
      return one.record.action
    case "WalletCredited":
      return one.entry.kind
    case "OrderEvent":
      return one.type
    default:
      return one._tag
  }
}

layer(operatorService(), { excludeTestServices: true })("the activity stream", (it) => {
  it.effect("emits events from now on, and resumes after a cursor", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient("olga")
      const received = yield* Queue.unbounded<ActivityEvent>()
      const listening = client.watch({}).pipe(Stream.runForEach((one) => Queue.offer(received, one)))
      yield* Effect.forkScoped(listening)
      // The start of the stream cannot be observed, so events are produced until one arrives.
      const openAccounts = Effect.forever(
        Effect.suspend(() => client.openAccount({ name: "Bustle", email: `${randomUUID()}@brand.example` }))
      )
      yield* Effect.raceFirst(Queue.take(received), openAccounts)

      const site = yield* siteRow()
      yield* client.listGoods({ sites: [site] })
      const { accountId, key } = yield* customer(client, 700)
      const placed = placedBy(yield* postOrder(key, cart([item(site.siteId)])))
      const elsewhere = yield* anotherInstance
      const order = postOrder(key, cart([item(site.siteId)])).pipe(Effect.provide(elsewhere))
      const quoteId = placedBy(yield* order).quote_id ?? QuoteId.make("")
      yield* client.abandonQuote({ quoteId })

      const mine: Array<ActivityEvent> = []
      while (mine.at(-1)?._tag !== "QuoteAbandoned") {
        const one = yield* Queue.take(received)
        if (accountOf(one) === accountId) mine.push(one)
      }
      expect(mine.map(kindOf)).toEqual([
        "account.open",
        "top_up",
        "account.top_up",
        "QuoteOpened",
        "order.accepted",
        "QuoteOpened",
        "QuoteAbandoned"
      ])
      expect(mine[4]).toMatchObject({ orderId: placed.order_id, mode: "live" })
      expect(mine[6]).toMatchObject({ quoteId, by: "human" })

      const again = yield* client.watch({ after: mine[4]?.cursor ?? "" }).pipe(
        Stream.filter((one) => accountOf(one) === accountId),
        Stream.takeUntil(({ _tag }) => _tag === "QuoteAbandoned"),
        Stream.runCollect
      )
      expect(again.slice(-2)).toEqual(mine.slice(-2))
    })
  )
})
