// Arguments and flags that several commands take.
import { Schema } from "effect"
import { Argument, Flag } from "effect/cli"

const named = (name: string, what: string) =>
  Argument.String(name).pipe(Argument.withDescription(what), Argument.withSchema(Schema.NonEmptyString))

export const accountArgument = named("account", "Account id, acc_…")
export const keyArgument = named("key", "Id of the key, key_…; not its text")
export const linkArgument = named("link", "Link id, lnk_…")
export const orderArgument = named("order", "Order id, ord_…")
export const quoteArgument = named("quote", "Quote id, q_…")
export const projectArgument = named("project", "Project id, prj_…")
export const webhookArgument = named("webhook", "Webhook id, wh_…")

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 10_000

export const limitFlag = Flag.Int("limit").pipe(
  Flag.withDescription(`How many to show: ${DEFAULT_LIMIT} unless told, at most ${MAX_LIMIT}`),
  Flag.withDefault(DEFAULT_LIMIT),
  Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_LIMIT })))
)

export const reasonFlag = Flag.String("reason").pipe(
  Flag.withDescription("Why, for the buyer to read"),
  Flag.withMetavar("TEXT")
)
