// Every event the bench can show, as a closed union of plain data: what actors do, what becomes of quotes, orders, links, credit
// and deliveries, and what the bench itself does.

import type { Link, LinkStatus } from "#core/domain/ordering/Link.ts"
import type { OrderStatus } from "#core/domain/ordering/Order.ts"
import type { AbandonedBy, Quote, QuoteLine } from "#core/domain/ordering/Quote.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { Millis, Mode } from "#core/domain/shared/DecisionContext.ts"
import type {
  AccountId,
  DeliveryId,
  EventId,
  InvoiceId,
  LinkId,
  OrderId,
  PaymentId,
  QuoteId,
  WebhookId
} from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import type { Attempt, Delivery, EventName } from "#core/domain/webhooks/Delivery.ts"
import type { Command, CommandResult } from "./Command.ts"

export type EventPayload = RunEvent | ActorEvent | OrderEvent | DocumentIssued | WalletEvent | WebhookEvent

/**
 * `atMs` is virtual time, UTC, which never goes back within a run. An attached deployment's events carry their own time and may
 * come late.
 */
export type BenchEvent = { readonly atMs: Millis } & EventPayload

export type EventOf<Tag extends EventPayload["_tag"]> = Extract<BenchEvent, { readonly _tag: Tag }>

/** A broken rule, and the record that breaks it. */
export interface Violation {
  readonly rule: string
  readonly what: string
}

/** The bench itself: scenarios, time, switches, log, checks. */
type RunEvent =
  /** `seed` is `null` for an attached deployment. */
  | { readonly _tag: "ServiceOpened"; readonly url: string; readonly attached: boolean; readonly seed: number | null }
  | { readonly _tag: "ConnectionChanged"; readonly connected: boolean; readonly reason: string }
  /** `watch` says in a few sentences what to watch. */
  | { readonly _tag: "ScenarioBegan"; readonly name: string; readonly title: string; readonly watch: string }
  | { readonly _tag: "ScenarioEnded"; readonly name: string }
  /** At most 15 times a second of real time. `had` is the speed of the last second, `null` before its end; `skipping`: dead time is skipped. */
  | { readonly _tag: "ClockMoved"; readonly had: number | null; readonly skipping: boolean }
  /** Dead time is over: nothing happened in so many virtual milliseconds but what the service does at all times. */
  | { readonly _tag: "TimeSkipped"; readonly millis: Millis }
  /** `speed` is virtual seconds per real second, 1 to 10,000. */
  | { readonly _tag: "SpeedChanged"; readonly speed: number; readonly paused: boolean }
  | { readonly _tag: "ProcessorChanged"; readonly up: boolean }
  | { readonly _tag: "FulfilmentSwitched"; readonly fulfilment: Fulfilment }
  | { readonly _tag: "Logged"; readonly level: "info" | "warning" | "error"; readonly text: string }
  | { readonly _tag: "InvariantsChecked"; readonly rules: number; readonly violations: ReadonlyArray<Violation> }
  | ({ readonly _tag: "CommandExecuted"; readonly command: Command } & CommandResult)

/**
 * An `agent` buys over REST, an `mcp-agent` over MCP; of an attached deployment's `buyer` that is unknown. The `payer` is the human
 * at the payment page; the `publisher` works for the operator.
 */
export type ActorKind = "agent" | "mcp-agent" | "buyer" | "payer" | "publisher" | "receiver" | "operator"

type ActorEvent =
  | {
      readonly _tag: "ActorJoined"
      readonly actorId: string
      readonly kind: ActorKind
      readonly name: string
      /** `null` for the operator's people, as is `mode`. */
      readonly accountId: AccountId | null
      readonly mode: Mode | null
    }
  | { readonly _tag: "ActorLeft"; readonly actorId: string }
  /** `action` is a few words without a subject, such as "orders 2 links". */
  | { readonly _tag: "ActionBegan"; readonly actorId: string; readonly action: string }
  | {
      readonly _tag: "ActionEnded"
      readonly actorId: string
      readonly action: string
      /** False for every refusal, also for one that the scenario expects. */
      readonly ok: boolean
      /** One sentence: the summary of the response, or the error's code and message. */
      readonly answer: string
    }

/** A link as the panes show it; `netCents` is what a cancellation gives back. */
export type LinkSummary = Pick<Link, "linkId" | "domain" | "shelf" | "anchorText" | "netCents" | "status">

type QuoteAmounts = Pick<Quote, "grossCents" | "totalCents" | "creditCents" | "cardCents" | "expiresAtMs">

/** Quotes, orders, links. Ids are those of the API. */
export type OrderEvent =
  | ({
      readonly _tag: "QuoteOpened"
      readonly discountCents: Cents
      /** Which discount won, for people; empty without one. */
      readonly discountLabel: string
      readonly lines: ReadonlyArray<Pick<QuoteLine, "domain" | "shelf" | "priceCents">>
      /** Whether a human decides first whether it becomes an order. */
      readonly awaitsApproval: boolean
    } & QuoteAmounts &
      Pick<Quote, "quoteId" | "accountId" | "mode" | "idempotencyKey">)
  | { readonly _tag: "PaymentLinkReady"; readonly quoteId: QuoteId; readonly paymentUrl: string }
  | {
      readonly _tag: "PaymentArrived"
      readonly quoteId: QuoteId
      readonly paymentId: PaymentId
      readonly amountCents: Cents
    }
  /** A quote that still has to be paid expires a whole lifetime after its approval. */
  | { readonly _tag: "QuoteApproved"; readonly quoteId: QuoteId; readonly expiresAtMs: Millis }
  | { readonly _tag: "QuotePaid"; readonly quoteId: QuoteId; readonly orderId: OrderId }
  /** `declinedReason` is the word of the human who declined it, empty if there was none; `null` unless it was declined. */
  | {
      readonly _tag: "QuoteAbandoned"
      readonly quoteId: QuoteId
      readonly by: AbandonedBy
      readonly declinedReason: string | null
    }
  /** A payment that came too late to become an order is prepaid credit. */
  | { readonly _tag: "QuoteCredited"; readonly quoteId: QuoteId; readonly cents: Cents }
  /** Follows its `QuotePaid` or, where credit covered everything, its `QuoteOpened`. */
  | {
      readonly _tag: "OrderPlaced"
      readonly orderId: OrderId
      readonly quoteId: QuoteId
      readonly accountId: AccountId
      readonly mode: Mode
      readonly totalCents: Cents
      readonly links: ReadonlyArray<LinkSummary>
    }
  | {
      readonly _tag: "LinkMoved"
      readonly orderId: OrderId
      readonly linkId: LinkId
      readonly from: LinkStatus
      readonly to: LinkStatus
      readonly reason: string | null
      readonly publishedUrl: string | null
      /** After the move. */
      readonly orderStatus: OrderStatus
    }

/** A document of an order: its invoice, or the credit note of one of its links. `number` is `null` on pro forma documents. */
export interface DocumentIssued {
  readonly _tag: "DocumentIssued"
  readonly invoiceId: InvoiceId
  readonly orderId: OrderId
  readonly kind: "invoice" | "credit_note"
  readonly number: string | null
  readonly totalCents: Cents
}

/** A wallet's amounts after a movement; available is balance less held. */
export interface WalletAmounts {
  readonly balanceCents: Cents
  readonly heldCents: Cents
  readonly availableCents: Cents
}

type EntryFacts = Pick<
  LedgerEntry,
  "accountId" | "entryId" | "kind" | "amountCents" | "heldDeltaCents" | "quoteId" | "orderId" | "linkId"
>

export type WalletEvent =
  | { readonly _tag: "WalletOpened"; readonly accountId: AccountId; readonly name: string }
  /** One ledger entry, and the wallet after it. */
  | ({ readonly _tag: "WalletMoved" } & EntryFacts & WalletAmounts)

interface OfDelivery {
  readonly webhookId: WebhookId
  readonly eventId: EventId
  readonly event: EventName
}

/** Webhooks as the service sends them and as the bench's own receiver gets them. */
export type WebhookEvent =
  | {
      readonly _tag: "WebhookAdded"
      readonly webhookId: WebhookId
      readonly accountId: AccountId
      readonly url: string
      readonly events: ReadonlyArray<string>
    }
  | { readonly _tag: "WebhookRevoked"; readonly webhookId: WebhookId }
  | { readonly _tag: "ReceiverChanged"; readonly works: boolean }
  | ({ readonly _tag: "DeliveryQueued"; readonly deliveryId: DeliveryId; readonly dueAtMs: Millis } & OfDelivery)
  /** At the receiver: `verified` is its own check of `Service-Signature` over the raw bytes; `repeated` events came before. */
  | ({
      readonly _tag: "DeliveryReceived"
      readonly verified: boolean
      readonly repeated: boolean
      readonly answeredStatus: number
      /** What was sent, as JSON. */
      readonly body: unknown
    } & OfDelivery)
  /** At the service: the outcome of an attempt. `attempt` counts from 1. */
  | ({ readonly _tag: "DeliveryAttempted"; readonly deliveryId: DeliveryId; readonly attempt: number } & OfDelivery &
      Pick<Attempt, "httpStatus" | "fault"> &
      Pick<Delivery, "state" | "nextAttemptAtMs">)
  | {
      readonly _tag: "EndpointHealthChanged"
      readonly webhookId: WebhookId
      readonly status: "active" | "failing" | "disabled"
      readonly consecutiveFailures: number
    }
