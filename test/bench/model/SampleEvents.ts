// Sample events for frames and the model's tests: two buyers, three orders, a webhook whose first attempt fails.
import type { BenchEvent } from "#bench/events/BenchEvent.ts"
import { emptyModel, type Model, reduce } from "#bench/model/Model.ts"
import { DeliveryId, EntryId, EventId, PaymentId } from "#core/domain/shared/Ids.ts"
import {
  ACCEPTED,
  ADA,
  bakery,
  FIRST,
  FIRST_DELIVERY,
  garden,
  joins,
  moves,
  NOON,
  quote,
  rail,
  SECOND,
  seconds,
  THIRD,
  WEBHOOK,
  wallet
} from "./SampleParts.ts"

const opening: ReadonlyArray<BenchEvent> = [
  { _tag: "ServiceOpened", atMs: NOON, url: "http://127.0.0.1:41414", attached: false, seed: 1 },
  {
    _tag: "ScenarioBegan",
    atMs: NOON,
    name: "partial-credit",
    title: "Credit first, a human for the rest",
    watch:
      "Credit pays what it can and is held, a human pays the rest. Watch held credit come and go in the wallet, and the line of the order fill."
  },
  { _tag: "SpeedChanged", atMs: NOON, speed: 10, paused: false },
  joins("ada", "agent", "Ada", "live"),
  joins("max", "mcp-agent", "Max", "sandbox"),
  joins("hanna", "payer", "Hanna", "live"),
  { _tag: "WalletOpened", atMs: NOON, accountId: ADA, name: "Willow & Spade" },
  wallet(0, EntryId.make("led_1"), "top_up", 5_000, [5_000, 0], null),
  {
    _tag: "WebhookAdded",
    atMs: NOON,
    webhookId: WEBHOOK,
    accountId: ADA,
    url: "http://127.0.0.1:41500/hooks/ada",
    events: ["order.accepted", "order.published"]
  }
]

const bought: ReadonlyArray<BenchEvent> = [
  { _tag: "ActionBegan", atMs: seconds(2), actorId: "ada", action: "orders 3 links" },
  quote(2, [FIRST.quoteId, "acc_ada", "live"], "0b5f9c8e-27d1-4a53", { gross: 5_000, discount: 1_000, credit: 3_000 }, [
    garden,
    rail,
    bakery
  ]),
  wallet(2, EntryId.make("led_2"), "hold", 3_000, [5_000, 3_000], { quoteId: FIRST.quoteId }),
  {
    _tag: "PaymentLinkReady",
    atMs: seconds(2),
    quoteId: FIRST.quoteId,
    paymentUrl: "http://127.0.0.1:41414/pay/7f3e"
  },
  {
    _tag: "ActionEnded",
    atMs: seconds(3),
    actorId: "ada",
    action: "orders 3 links",
    ok: true,
    answer: "3 links for 40.00 EUR: 30.00 EUR of your credit is held, 10.00 EUR is to be paid at the link."
  },
  { _tag: "ActionBegan", atMs: seconds(8), actorId: "hanna", action: "pays 10.00 EUR" },
  {
    _tag: "PaymentArrived",
    atMs: seconds(9),
    quoteId: FIRST.quoteId,
    paymentId: PaymentId.make("pay_1"),
    amountCents: 1_000
  },
  wallet(9, EntryId.make("led_3"), "capture", 3_000, [2_000, 0], FIRST),
  { _tag: "QuotePaid", atMs: seconds(9), ...FIRST },
  {
    _tag: "OrderPlaced",
    atMs: seconds(9),
    ...FIRST,
    accountId: ADA,
    mode: "live",
    totalCents: 4_000,
    links: [garden, rail, bakery]
  },
  {
    _tag: "DeliveryQueued",
    atMs: seconds(9),
    deliveryId: FIRST_DELIVERY,
    ...ACCEPTED,
    dueAtMs: seconds(9)
  }
]

const delivered = (
  at: number,
  attempt: number,
  httpStatus: number,
  nextAt: number | null
): ReadonlyArray<BenchEvent> => [
  {
    _tag: "DeliveryReceived",
    atMs: seconds(at),
    ...ACCEPTED,
    verified: true,
    repeated: attempt > 1,
    answeredStatus: httpStatus,
    body: { type: "order.accepted", data: { order: { order_id: "ord_sample" } } }
  },
  {
    _tag: "DeliveryAttempted",
    atMs: seconds(at),
    deliveryId: FIRST_DELIVERY,
    ...ACCEPTED,
    attempt,
    httpStatus,
    fault: httpStatus === 200 ? null : "http_status",
    state: httpStatus === 200 ? "delivered" : "pending",
    nextAttemptAtMs: nextAt === null ? null : seconds(nextAt)
  }
]

const fulfilled: ReadonlyArray<BenchEvent> = [
  ...delivered(9, 1, 500, 38),
  { _tag: "EndpointHealthChanged", atMs: seconds(9), webhookId: WEBHOOK, status: "failing", consecutiveFailures: 1 },
  moves(9, bakery, ["to_assign", "assigned"]),
  moves(14, garden, ["to_assign", "assigned"]),
  moves(16, bakery, ["assigned", "drafted"]),
  moves(18, bakery, ["drafted", "published"], "https://sourdough-notes.example/spring"),
  {
    _tag: "DeliveryQueued",
    atMs: seconds(18),
    deliveryId: DeliveryId.make("dlv_2"),
    webhookId: WEBHOOK,
    eventId: EventId.make("evt_01jt9m8x14fffffffffff8u2s01"),
    event: "order.published",
    dueAtMs: seconds(18)
  },
  wallet(20, EntryId.make("led_4"), "recredit", 2_400, [4_400, 0], { ...FIRST, linkId: rail.linkId }),
  moves(20, rail, ["to_assign", "cancelled"])
]

const others: ReadonlyArray<BenchEvent> = [
  quote(22, [SECOND.quoteId, "acc_ada", "live"], null, { gross: 500, discount: 0, credit: 500 }, [bakery]),
  { _tag: "QuoteAbandoned", atMs: seconds(25), quoteId: SECOND.quoteId, by: "human", declinedReason: null },
  quote(30, [THIRD.quoteId, "acc_max", "sandbox"], "try-1", { gross: 1_500, discount: 0, credit: 0 }, [garden]),
  {
    _tag: "ActionEnded",
    atMs: seconds(31),
    actorId: "max",
    action: "orders 21 links",
    ok: false,
    answer: "validation_failed: items takes 1 to 20 entries."
  },
  ...delivered(39, 2, 200, null),
  { _tag: "EndpointHealthChanged", atMs: seconds(39), webhookId: WEBHOOK, status: "active", consecutiveFailures: 0 },
  {
    _tag: "CommandExecuted",
    atMs: seconds(39),
    command: { _tag: "TopUp", accountId: null },
    ok: true,
    message: "Topped up 50.00 EUR."
  }
]

export const SAMPLE_EVENTS: ReadonlyArray<BenchEvent> = [...opening, ...bought, ...fulfilled, ...others]

export const modelOf = (events: ReadonlyArray<BenchEvent>): Model => events.reduce(reduce, emptyModel)

/** The quote whose order got furthest. */
export const FURTHEST = FIRST.quoteId
