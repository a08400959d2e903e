// What is counted of that which was written: orders, money of the wallets, and what became of webhooks. Money is live money alone:
// nothing moves in a wallet for a sandbox key. Who knows what was written is not its business.
import { type Context, Metric } from "effect"
import type { Change } from "#core/decisions/Change.ts"
import type { Mode } from "#core/domain/DecisionContext.ts"
import { AttemptFault } from "#core/domain/Delivery.ts"
import type { Order } from "#core/domain/Order.ts"
import type { MovementKind } from "#core/domain/Wallet.ts"

type Counter = Metric.Counter<number>

const counter = (id: string, description: string, attributes: Readonly<Record<string, string>> = {}): Counter =>
  Metric.counter(id, { description, attributes, incremental: true })

type Paid = "credit" | "card" | "credit_and_card" | "nothing"

const placedIn = (mode: Mode): Readonly<Record<Paid, Counter>> => {
  const by = (paid: Paid) =>
    counter("backlinks_orders_placed_total", "Orders placed, by mode and by what paid for them.", { mode, paid })
  return { credit: by("credit"), card: by("card"), credit_and_card: by("credit_and_card"), nothing: by("nothing") }
}

const placed: Readonly<Record<Mode, Readonly<Record<Paid, Counter>>>> = {
  live: placedIn("live"),
  sandbox: placedIn("sandbox")
}

const credited = (reason: string): Counter =>
  counter("backlinks_money_credited_cents_total", "Money given back as prepaid credit, in cents.", { reason })

const moved: Readonly<Record<MovementKind, Counter>> = {
  hold: counter("backlinks_money_held_cents_total", "Prepaid credit set aside for open quotes, in cents."),
  capture: counter("backlinks_money_captured_cents_total", "Held credit that was spent on orders, in cents."),
  release: counter("backlinks_money_released_cents_total", "Held credit that was set free again, in cents."),
  top_up: counter("backlinks_money_topped_up_cents_total", "Prepaid credit paid in, in cents."),
  late_payment: credited("late_payment"),
  recredit: credited("cancelled_link")
}

type AttemptOutcome = "success" | AttemptFault

const ATTEMPT_OUTCOMES: ReadonlyArray<AttemptOutcome> = ["success", ...AttemptFault.literals]

const attempts: ReadonlyMap<AttemptOutcome, Counter> = new Map(
  ATTEMPT_OUTCOMES.map((outcome) => [
    outcome,
    counter("backlinks_webhook_attempts_total", "Attempts to deliver an event, by what came of them.", { outcome })
  ])
)

const delivery = (outcome: "delivered" | "failed"): Counter =>
  counter("backlinks_webhook_deliveries_total", "Deliveries that came to their end, by how they ended.", { outcome })

const deliveries = { delivered: delivery("delivered"), failed: delivery("failed") }

/** Those that stand at zero until something happens. */
export const orderBookCounters: ReadonlyArray<Counter> = [
  ...Object.values(placed).flatMap((byPaid) => Object.values(byPaid)),
  ...Object.values(moved),
  ...attempts.values(),
  ...Object.values(deliveries)
]

/** What the card did not pay was paid with credit. An order that waited for its payment is placed together with it. */
const paidBy = ({ quoteId, totalCents }: Order, changes: ReadonlyArray<Change>): Paid => {
  let cardCents = 0
  for (const change of changes) {
    if (change._tag === "PaymentRecorded" && change.payment.quoteId === quoteId) cardCents = change.payment.amountCents
  }
  if (totalCents === 0) return "nothing"
  if (cardCents === 0) return "credit"
  return cardCents < totalCents ? "credit_and_card" : "card"
}

/** Counts what one decision wrote. */
export const countChanges = (changes: ReadonlyArray<Change>, context: Context.Context<never>): void => {
  for (const change of changes) {
    switch (change._tag) {
      case "OrderPlaced":
        placed[change.order.mode][paidBy(change.order, changes)].updateUnsafe(1, context)
        break
      case "Credited":
      case "HoldPlaced":
      case "HoldCaptured":
      case "HoldReleased":
        moved[change.entry.kind].updateUnsafe(change.entry.amountCents, context)
        break
      case "EndpointFared":
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
