// Rows of webhook subscriptions and their deliveries, and their conversion to and from the domain.
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

/** The endpoint's health has a version of its own: it changes with every delivery, and decisions on orders do not depend on it. */
export const versionedSubscriptions = table({ ...versionField, healthVersion: Text, ...subscription })

export const subscriptionOf = ({
  version: _,
  healthVersion: __,
  ...one
}: typeof versionedSubscriptions.schema.Type): Subscription => one

/** The id of a delivery, and the columns that attempts change. */
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

/** For updates: the rest of a delivery never changes. */
export const deliveryProgress = table({ ...versionField, ...progress })

export const deliveries = table(delivery)

export const versionedDeliveries = table({ ...versionField, ...delivery })
