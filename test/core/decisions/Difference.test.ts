// The difference of two books: rows that are new or another object, and what follows from them.
import { describe, expect, it } from "vitest"
import { apply } from "#core/decisions/Apply.ts"
import type { Books } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import {
  difference,
  differsIn,
  dropsDeliveries,
  laterRows,
  newRows,
  queuesDeliveries,
  replacedRows
} from "#core/decisions/Difference.ts"
import { AccountId, DeliveryId, EventId, KeyId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { healthy } from "#core/domain/webhooks/EndpointHealth.ts"
import { booksOf, key, NOON, site, stock, subscription } from "../Given.ts"

const before = booksOf({ ...stock, subscriptions: [subscription("wh_a")] })
const changedBy = (...changes: ReadonlyArray<Change>) => difference(before, changes.reduce(apply, before))

const delivery: Delivery = {
  ...{
    deliveryId: DeliveryId.make("dlv_a"),
    webhookId: WebhookId.make("wh_a"),
    accountId: AccountId.make("acc_rich"),
    keyId: KeyId.make("key_rich"),
    mode: "live"
  },
  ...{
    eventId: EventId.make("evt_a"),
    event: "order.accepted",
    body: "{}",
    createdAtMs: NOON,
    state: "pending",
    attempts: []
  },
  ...{ attemptsInRun: 0, nextAttemptAtMs: NOON }
}

describe("the difference of two books", () => {
  it("has new and replaced rows, and no others", () => {
    const added = key("key_new", "acc_rich")
    const { keys, sites, quotes, fulfilment } = changedBy(
      { _tag: "KeyIssued", key: added },
      { _tag: "KeyRevoked", keyId: KeyId.make("key_rich"), atMs: NOON }
    )
    expect(newRows(keys)).toEqual([added])
    expect(replacedRows(keys)).toEqual([key("key_rich", "acc_rich", { revokedAtMs: NOON })])
    expect(laterRows(keys)).toHaveLength(2)
    expect([sites, quotes, fulfilment]).toEqual([[], [], null])
  })

  it("has the switch's position only if it is another", () => {
    const manual = apply(before, { _tag: "FulfilmentSwitched", fulfilment: "manual" })
    expect(difference(before, manual).fulfilment).toBe("manual")
    expect(difference(manual, manual).fulfilment).toBeNull()
  })

  it("says in which members a row differs", () => {
    const { sites } = changedBy({ _tag: "SiteListed", site: site(1, { open: false }) })
    expect(sites.filter((row) => differsIn(row, ["open"]))).toHaveLength(1)
    expect(sites.filter((row) => differsIn(row, ["domain", "tf"]))).toHaveLength(0)
  })
})

const queued: Change = { _tag: "DeliveryQueued", delivery }
const moved = (books: Books, change: Partial<Delivery>) =>
  difference(books, apply(books, { _tag: "DeliveryMoved", delivery: { ...delivery, ...change } }))

describe("deliveries", () => {
  it("are queued when they are new or begin a new run, and not by a further attempt or by being dropped", () => {
    const books = apply(before, queued)
    expect(queuesDeliveries(difference(before, books))).toBe(true)
    expect(queuesDeliveries(moved(books, {}))).toBe(true)
    expect(queuesDeliveries(moved(books, { attemptsInRun: 1 }))).toBe(false)
    expect(queuesDeliveries(moved(books, { state: "dropped" }))).toBe(false)
  })

  it("are dropped when the subscription ends or its endpoint is disabled, and not by further failures", () => {
    const health = { ...healthy, consecutiveFailures: 9 }
    const failing: Change = { _tag: "EndpointHealthChanged", webhookId: WebhookId.make("wh_a"), health }
    const disabled: Change = { ...failing, health: { ...health, disabledAtMs: NOON } }
    const drops = (...changes: ReadonlyArray<Change>) => changedBy(...changes).subscriptions.map(dropsDeliveries)
    expect(drops({ _tag: "SubscriptionRevoked", webhookId: WebhookId.make("wh_a"), atMs: NOON })).toEqual([true])
    expect(drops(disabled)).toEqual([true])
    expect(drops(failing)).toEqual([false])
  })
})
