// Rows of webhook subscriptions and of deliveries to them. Where a row is flatter than what it is in the domain, both ways between
// them are here.
import { Schema } from "effect"
import { AttemptFault } from "#core/domain/Delivery.ts"
import { EventType } from "#core/domain/Event.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { Mode, Text, table, versioned, Whole, wholeOrNull } from "./Table.ts"

const EventName = Schema.Literals([...EventType.literals, "webhook.test"])

const attempt = {
  atMs: Whole,
  httpStatus: wholeOrNull,
  fault: Schema.NullOr(AttemptFault),
  durationMs: Schema.Finite
}

const Health = Schema.Struct({
  consecutiveFailures: Whole,
  failingSinceMs: wholeOrNull,
  disabledAtMs: wholeOrNull,
  lastAttempt: Schema.NullOr(Schema.Struct({ ...attempt, event: EventName }))
})

const subscription = {
  webhookId: Text,
  accountId: Text,
  keyId: Text,
  mode: Mode,
  url: Text,
  events: Schema.Array(EventType),
  sealedSigningKey: Text,
  previousKeys: Schema.Array(Schema.Struct({ sealedSigningKey: Text, untilMs: Whole })),
  health: Health,
  createdAtMs: Whole,
  revokedAtMs: wholeOrNull
}

export const subscriptions = table(subscription)

/** With both versions: what decides whether something is sent, and how the endpoint fares. */
export const guardedSubscriptions = table({ ...versioned, healthVersion: Text, ...subscription })

export const subscriptionOf = ({
  version: _,
  healthVersion: __,
  ...one
}: typeof guardedSubscriptions.schema.Type): Subscription => one

/** What of a delivery attempts change, and by which it is found. */
const progress = {
  deliveryId: Text,
  webhookId: Text,
  state: Schema.Literals(["pending", "delivered", "failed", "dropped"]),
  attempts: Schema.Array(Schema.Struct(attempt)),
  attemptsInRun: Whole,
  nextAttemptAtMs: wholeOrNull
}

const delivery = {
  ...progress,
  accountId: Text,
  keyId: Text,
  mode: Mode,
  eventId: Text,
  event: EventName,
  body: Text,
  createdAtMs: Whole
}

/** For writing only: the rest of a delivery never changes. */
export const movedDeliveries = table({ ...versioned, ...progress })

export const deliveries = table(delivery)

export const guardedDeliveries = table({ ...versioned, ...delivery })
