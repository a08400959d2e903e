// Rows of webhook subscriptions and of deliveries to them. Where a row is flatter than what it is in the domain, both ways between
// them are here.
import { Schema } from "effect"
import { AttemptFault } from "#core/domain/Delivery.ts"
import { EventType } from "#core/domain/Event.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { Integer, integerOrNull, Mode, Text, table, versionField } from "./Table.ts"

const EventName = Schema.Literals([...EventType.literals, "webhook.test"])

const attempt = {
  atMs: Integer,
  httpStatus: integerOrNull,
  fault: Schema.NullOr(AttemptFault),
  durationMs: Schema.Finite
}

const Health = Schema.Struct({
  consecutiveFailures: Integer,
  failingSinceMs: integerOrNull,
  disabledAtMs: integerOrNull,
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
  previousKeys: Schema.Array(Schema.Struct({ sealedSigningKey: Text, untilMs: Integer })),
  health: Health,
  createdAtMs: Integer,
  revokedAtMs: integerOrNull
}

export const subscriptions = table(subscription)

/** With both versions: what decides whether something is sent, and how the endpoint fares. */
export const versionedSubscriptions = table({ ...versionField, healthVersion: Text, ...subscription })

export const subscriptionOf = ({
  version: _,
  healthVersion: __,
  ...one
}: typeof versionedSubscriptions.schema.Type): Subscription => one

/** What of a delivery attempts change, and by which it is found. */
const progress = {
  deliveryId: Text,
  webhookId: Text,
  state: Schema.Literals(["pending", "delivered", "failed", "dropped"]),
  attempts: Schema.Array(Schema.Struct(attempt)),
  attemptsInRun: Integer,
  nextAttemptAtMs: integerOrNull
}

const delivery = {
  ...progress,
  accountId: Text,
  keyId: Text,
  mode: Mode,
  eventId: Text,
  event: EventName,
  body: Text,
  createdAtMs: Integer
}

/** For writing only: the rest of a delivery never changes. */
export const deliveryProgress = table({ ...versionField, ...progress })

export const deliveries = table(delivery)

export const versionedDeliveries = table({ ...versionField, ...delivery })
