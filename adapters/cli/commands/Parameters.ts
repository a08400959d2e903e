// Arguments and flags shared by commands.
import { Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import type { Cents } from "#core/domain/pricing/Money.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { Euros } from "../Euros.ts"

const named = <Id>(name: string, what: string, id: Schema.Codec<Id, string>) =>
  Argument.String(name).pipe(Argument.withDescription(what), Argument.withSchema(id))

const Id = Schema.NonEmptyString

export const accountArgument = named("account", "Account id, acc_…", Id.pipe(idBrands.AccountId))
export const memberArgument = named("member", "Member id, mem_…", Id.pipe(idBrands.MemberId))
export const keyArgument = named("key", "Id of the key, key_…; not its text", Id.pipe(idBrands.KeyId))
export const connectionArgument = named("connection", "Connection id, con_…", Id.pipe(idBrands.KeyId))
export const linkArgument = named("link", "Link id, lnk_…", Id.pipe(idBrands.LinkId))
export const orderArgument = named("order", "Order id, ord_…", Id.pipe(idBrands.OrderId))
export const quoteArgument = named("quote", "Quote id, q_…", Id.pipe(idBrands.QuoteId))
export const projectArgument = named("project", "Project id, prj_…", Id.pipe(idBrands.ProjectId))
export const webhookArgument = named("webhook", "Webhook id, wh_…", Id.pipe(idBrands.WebhookId))

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 10_000

export const limitFlag = Flag.Int("limit").pipe(
  Flag.withDescription(`Rows to show: default ${DEFAULT_LIMIT}, at most ${MAX_LIMIT}`),
  Flag.withDefault(DEFAULT_LIMIT),
  Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_LIMIT })))
)

export const reasonFlag = Flag.String("reason").pipe(
  Flag.withDescription("Why, for the buyer to read"),
  Flag.withMetavar("TEXT")
)

/** An amount of at least `minCents`. */
export const eurosFlag = (name: string, what: string, minCents: Cents) =>
  Flag.String(name).pipe(Flag.withDescription(what), Flag.withMetavar("EUROS"), Flag.withSchema(Euros(minCents)))

/** A positive integer. */
export const numberFlag = (name: string, what: string) =>
  Flag.Int(name).pipe(Flag.withDescription(what), Flag.withSchema(Schema.Int.check(Schema.isGreaterThan(0))))
