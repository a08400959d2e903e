// Everything the bench can show, as a closed union of plain data in the order in which it happened: what actors do, what became
// of quotes, orders, links, credit and deliveries, and what the bench itself did. Who makes events and who draws them is elsewhere.

import type { Millis, Mode } from "#core/domain/DecisionContext.ts"
import type { AttemptFault, DeliveryState, EventName } from "#core/domain/Delivery.ts"
import type { LinkStatus } from "#core/domain/Link.ts"
import type { Cents } from "#core/domain/Money.ts"
import type { OrderStatus } from "#core/domain/Order.ts"
import type { AbandonedBy } from "#core/domain/Quote.ts"
import type { Shelf } from "#core/domain/Shelf.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { MovementKind } from "#core/domain/Wallet.ts"
import type { Command } from "./Command.ts"

/**
 * `agent` buys over REST, `mcp-agent` over MCP, `buyer` over whichever: that is not seen of a deployment that was joined. The `payer`
 * is the human at the payment page; the `publisher` works for the operator.
 */
export type ActorKind = "agent" | "mcp-agent" | "buyer" | "payer" | "publisher" | "receiver" | "operator"

export interface LinkSeen {
  readonly linkId: string
  readonly domain: string
  readonly shelf: Shelf
  readonly anchorText: string
  /** What a cancellation would give back. */
  readonly netCents: Cents
  readonly status: LinkStatus
}

/** Something that must never be: the rule, and the record that breaks it. */
export interface Finding {
  readonly rule: string
  readonly what: string
}

export type EventPayload = RunEvent | ActorEvent | OrderEvent | WalletEvent | WebhookEvent

/**
 * Each happens at a virtual time: milliseconds since the epoch, UTC, never going back within a run. Of a deployment that was joined
 * it is told late, at the time of its own.
 */
export type BenchEvent = { readonly atMs: Millis } & EventPayload

/** The bench itself: scenarios, time, switches, log, findings. */
export type RunEvent =
  /** `seed` is `null` for a deployment that was joined: nothing repeats it. */
  | { readonly _tag: "ServiceOpened"; readonly url: string; readonly attached: boolean; readonly seed: number | null }
  /** An attached deployment went away or came back. */
  | { readonly _tag: "ConnectionChanged"; readonly connected: boolean; readonly reason: string }
  /** `watch` says in a few sentences what to look at. What was shown of earlier scenarios may be forgotten. */
  | { readonly _tag: "ScenarioBegan"; readonly name: string; readonly title: string; readonly watch: string }
  | { readonly _tag: "ScenarioEnded"; readonly name: string }
  /** Only tells the time: while it runs, at most 15 times a second. */
  | { readonly _tag: "ClockMoved" }
  /** `speed` is virtual seconds per real second, 1 to 10,000. */
  | { readonly _tag: "SpeedChanged"; readonly speed: number; readonly paused: boolean }
  | { readonly _tag: "ProcessorChanged"; readonly up: boolean }
  | { readonly _tag: "FulfilmentSwitched"; readonly fulfilment: Fulfilment }
  | { readonly _tag: "Logged"; readonly level: "info" | "warning" | "error"; readonly text: string }
  /** The books were looked through: no findings means that every rule held. */
  | { readonly _tag: "InvariantsChecked"; readonly rules: number; readonly findings: ReadonlyArray<Finding> }
  /** What a command came to; `sentence` says what it did, or why it did nothing. */
  | { readonly _tag: "CommandExecuted"; readonly command: Command; readonly ok: boolean; readonly sentence: string }

/** What each actor is doing, and its last answer. */
export type ActorEvent =
  | {
      readonly _tag: "ActorJoined"
      readonly actorId: string
      readonly kind: ActorKind
      readonly name: string
      /** Whose credit it spends, and in which mode; `null` for the operator's people. */
      readonly accountId: string | null
      readonly mode: Mode | null
    }
  | { readonly _tag: "ActorLeft"; readonly actorId: string }
  /** `action` is a few words without a subject, such as "orders 2 links". */
  | { readonly _tag: "ActionBegan"; readonly actorId: string; readonly action: string }
  | {
      readonly _tag: "ActionEnded"
      readonly actorId: string
      readonly action: string
      /** Whether it was answered as hoped for; a refusal that a scenario is about still is a refusal. */
      readonly ok: boolean
      /** One sentence: the answer's summary, or the error's code and message. */
      readonly answer: string
    }

/** Quotes, orders, links. Ids are those of the API. */
export type OrderEvent =
  | {
      readonly _tag: "QuoteOpened"
      readonly quoteId: string
      readonly accountId: string
      readonly mode: Mode
      readonly idempotencyKey: string | null
      readonly grossCents: Cents
      readonly discountCents: Cents
      /** For people: which discount won; empty without one. */
      readonly discountLabel: string
      readonly totalCents: Cents
      readonly creditCents: Cents
      readonly cardCents: Cents
      readonly expiresAtMs: Millis
      readonly lines: ReadonlyArray<{ readonly domain: string; readonly shelf: Shelf; readonly priceCents: Cents }>
    }
  /** From now on a human can pay. */
  | { readonly _tag: "PaymentLinkReady"; readonly quoteId: string; readonly paymentUrl: string }
  | {
      readonly _tag: "PaymentArrived"
      readonly quoteId: string
      readonly paymentId: string
      readonly amountCents: Cents
    }
  | { readonly _tag: "QuotePaid"; readonly quoteId: string; readonly orderId: string }
  | { readonly _tag: "QuoteAbandoned"; readonly quoteId: string; readonly by: AbandonedBy }
  /** A payment that could no longer become an order is prepaid credit now. */
  | { readonly _tag: "QuoteCredited"; readonly quoteId: string; readonly cents: Cents }
  /** Follows its `QuotePaid` or, where credit covered everything, its `QuoteOpened`. */
  | {
      readonly _tag: "OrderPlaced"
      readonly orderId: string
      readonly quoteId: string
      readonly accountId: string
      readonly mode: Mode
      readonly totalCents: Cents
      readonly links: ReadonlyArray<LinkSeen>
    }
  | {
      readonly _tag: "LinkMoved"
      readonly orderId: string
      readonly linkId: string
      readonly from: LinkStatus
      readonly to: LinkStatus
      readonly reason: string | null
      readonly publishedUrl: string | null
      /** Of the whole order, after the move. */
      readonly orderStatus: OrderStatus
    }

/** Prepaid credit. `availableCents` is balance less held. */
export type WalletEvent =
  | { readonly _tag: "WalletOpened"; readonly accountId: string; readonly name: string }
  /** One ledger entry, and the wallet after it. */
  | {
      readonly _tag: "WalletMoved"
      readonly accountId: string
      readonly entryId: string
      readonly kind: MovementKind
      readonly amountCents: Cents
      readonly balanceCents: Cents
      readonly heldCents: Cents
      readonly availableCents: Cents
      readonly quoteId: string | null
      readonly orderId: string | null
      readonly linkId: string | null
    }

/** Webhooks as the service sends them and as the bench's own receiver gets them. */
export type WebhookEvent =
  | {
      readonly _tag: "WebhookAdded"
      readonly webhookId: string
      readonly accountId: string
      readonly url: string
      readonly events: ReadonlyArray<string>
    }
  | { readonly _tag: "WebhookRevoked"; readonly webhookId: string }
  | { readonly _tag: "ReceiverChanged"; readonly works: boolean }
  | {
      readonly _tag: "DeliveryQueued"
      readonly deliveryId: string
      readonly webhookId: string
      readonly eventId: string
      readonly event: EventName
      readonly dueAtMs: Millis
    }
  /** At the receiver: what its own check of `Service-Signature` over the raw bytes said, and what it answered. */
  | {
      readonly _tag: "DeliveryReceived"
      readonly webhookId: string
      readonly eventId: string
      readonly event: EventName
      readonly verified: boolean
      /** Whether this receiver had got this very event before. */
      readonly repeated: boolean
      readonly answeredStatus: number
    }
  /** At the service: what an attempt came to. `attempt` counts from 1; nothing is planned where `nextAttemptAtMs` is `null`. */
  | {
      readonly _tag: "DeliveryAttempted"
      readonly deliveryId: string
      readonly webhookId: string
      readonly eventId: string
      readonly event: EventName
      readonly attempt: number
      readonly httpStatus: number | null
      readonly fault: AttemptFault | null
      readonly state: DeliveryState
      readonly nextAttemptAtMs: Millis | null
    }
  | {
      readonly _tag: "EndpointHealthChanged"
      readonly webhookId: string
      readonly status: "active" | "failing" | "disabled"
      readonly consecutiveFailures: number
    }
