// Metrics of committed changes: orders, wallet movements and webhook deliveries. Money counters hold live money only, because a
// sandbox key moves nothing in a wallet.
import { type Context, Metric } from "effect"
import type { Change } from "#core/decisions/Change.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { MovementKind } from "#core/domain/wallet/Ledger.ts"
import { AttemptFault } from "#core/domain/webhooks/Delivery.ts"

type Counter = Metric.Counter<number>

const counter = (id: string, description: string, attributes: Readonly<Record<string, string>> = {}): Counter =>
  Metric.counter(id, { description, attributes, incremental: true })

type Paid = "credit" | "card" | "credit_and_card" | "nothing"

const placedIn = (mode: Mode): Readonly<Record<Paid, Counter>> => {
  const by = (paid: Paid) =>
    counter("backlinks_orders_placed_total", "Orders placed, by mode and means of payment.", { mode, paid })
  return { credit: by("credit"), card: by("card"), credit_and_card: by("credit_and_card"), nothing: by("nothing") }
}

const placed: Readonly<Record<Mode, Readonly<Record<Paid, Counter>>>> = {
  live: placedIn("live"),
  sandbox: placedIn("sandbox")
}

const credited = (reason: string): Counter =>
  counter("backlinks_money_credited_cents_total", "Credit given back, by reason, in cents.", { reason })

const moved: Readonly<Record<MovementKind, Counter>> = {
  hold: counter("backlinks_money_held_cents_total", "Credit held for open quotes, in cents."),
  capture: counter("backlinks_money_captured_cents_total", "Credit captured for orders, in cents."),
  release: counter("backlinks_money_released_cents_total", "Held credit released, in cents."),
  top_up: counter("backlinks_money_topped_up_cents_total", "Credit topped up, in cents."),
  adjustment: counter(
    "backlinks_money_adjusted_cents_total",
    "Credit taken back by the operator or after a refund, in cents."
  ),
  adjustment_reversed: credited("dispute_won"),
  late_payment: credited("late_payment"),
  recredit: credited("cancelled_link")
}

type AttemptOutcome = "success" | AttemptFault

const ATTEMPT_OUTCOMES: ReadonlyArray<AttemptOutcome> = ["success", ...AttemptFault.literals]

const attempts: ReadonlyMap<AttemptOutcome, Counter> = new Map(
  ATTEMPT_OUTCOMES.map((outcome) => [
    outcome,
    counter("backlinks_webhook_attempts_total", "Webhook delivery attempts, by outcome.", { outcome })
  ])
)

const delivery = (outcome: "delivered" | "failed"): Counter =>
  counter("backlinks_webhook_deliveries_total", "Webhook deliveries that ended, by outcome.", { outcome })

const deliveries = { delivered: delivery("delivered"), failed: delivery("failed") }

/** Counters that the registry exposes from the start, at 0. */
export const orderBookCounters: ReadonlyArray<Counter> = [
  ...Object.values(placed).flatMap((byPaid) => Object.values(byPaid)),
  ...Object.values(moved),
  ...attempts.values(),
  ...Object.values(deliveries)
]

/** Credit paid the part that the card did not. A card payment is recorded in the same decision as its order. */
const paidBy = ({ quoteId, totalCents }: Order, changes: ReadonlyArray<Change>): Paid => {
  let cardCents = 0
  for (const change of changes) {
    if (change._tag === "PaymentRecorded" && change.payment.quoteId === quoteId) cardCents = change.payment.amountCents
  }
  if (totalCents === 0) return "nothing"
  if (cardCents === 0) return "credit"
  return cardCents < totalCents ? "credit_and_card" : "card"
}

/** Counts the changes of one committed decision. */
export const countChanges = (changes: ReadonlyArray<Change>, context: Context.Context<never>): void => {
  for (const change of changes) {
    switch (change._tag) {
      case "OrderPlaced":
        placed[change.order.mode][paidBy(change.order, changes)].updateUnsafe(1, context)
        break
      case "Credited":
      case "HoldPlaced":
      case "CreditCaptured":
      case "HoldCaptured":
      case "HoldReleased":
        moved[change.entry.kind].updateUnsafe(change.entry.amountCents, context)
        break
      case "EndpointHealthChanged":
        attempts.get(change.health.lastAttempt?.fault ?? "success")?.updateUnsafe(1, context)
        break
      case "DeliveryMoved":
        if (change.delivery.state === "delivered" || change.delivery.state === "failed") {
          deliveries[change.delivery.state].updateUnsafe(1, context)
        }
        break
      default:
    }
  }
}
