// Flags for the limits of a key or a connection, and the limits as a command shows them.
import { Array, Effect, Option, Schema } from "effect"
import { Flag } from "effect/cli"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { Key, SpendLimits } from "#adapters/operator/records/AccountRecords.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { euros } from "../Euros.ts"
import { eurosFlag } from "./Parameters.ts"

const MAX_CAP = 1_000_000

export const limitFlags = {
  maxOrder: eurosFlag("max-order-eur", "Most that one order may cost", 0).pipe(Flag.optional),
  maxDay: eurosFlag("max-day-eur", "Most that the orders of a day (UTC) may cost", 0).pipe(Flag.optional),
  dailyCap: Flag.Int("daily-cap").pipe(
    Flag.withDescription("Most orders a day (UTC); 0 is no cap"),
    Flag.withMetavar("ORDERS"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MAX_CAP }))),
    Flag.optional
  ),
  domains: Flag.String("domain").pipe(
    Flag.withDescription("Links may only point to this domain; can be given several times"),
    Flag.atLeast(0)
  ),
  approveAbove: eurosFlag(
    "approve-above-eur",
    "Orders over more than this wait for approval by the account's owner; 0: all orders",
    0
  ).pipe(Flag.optional),
  lookAlikes: Flag.Literals("hold-look-alikes", ["on", "off"]).pipe(
    Flag.withDescription("Whether an order like one of the last 10 minutes waits for approval"),
    Flag.optional
  )
}

export const unlimitedFlag = Flag.Boolean("unlimited").pipe(
  Flag.withDescription("Remove the limits that are not given"),
  Flag.withDefault(false)
)

export interface LimitChoice {
  readonly maxOrder: Option.Option<number>
  readonly maxDay: Option.Option<number>
  readonly dailyCap: Option.Option<number>
  readonly domains: ReadonlyArray<string>
  readonly approveAbove: Option.Option<number>
  readonly lookAlikes: Option.Option<"on" | "off">
}

/** The limits whose flags were given. */
export const limitsOf = (choice: LimitChoice): typeof SpendLimits.Type => {
  const { maxOrder, maxDay, dailyCap, domains, approveAbove, lookAlikes } = choice
  return {
    ...(Option.isSome(maxOrder) ? { maxOrderCents: maxOrder.value } : {}),
    ...(Option.isSome(maxDay) ? { maxDayCents: maxDay.value } : {}),
    ...(Option.isSome(dailyCap) ? { dailyOrderCap: dailyCap.value } : {}),
    ...(Array.isReadonlyArrayNonEmpty(domains) ? { allowedDomains: domains } : {}),
    ...(Option.isSome(approveAbove) ? { approveAboveCents: approveAbove.value } : {}),
    ...(Option.isSome(lookAlikes) ? { holdLookAlikes: lookAlikes.value === "on" } : {})
  }
}

/** The limits to change: those that were given, and with `--unlimited` all others. */
export const changedLimits = ({
  unlimited,
  ...choice
}: LimitChoice & { readonly unlimited: boolean }): Effect.Effect<typeof SpendLimits.Type, CommandFailed> => {
  const given = limitsOf(choice)
  if (unlimited) return Effect.succeed({ ...noLimits, ...given })
  return Object.keys(given).length > 0
    ? Effect.succeed(given)
    : Effect.fail(new CommandFailed({ sentence: "Give the limits to change, or --unlimited." }))
}

export const limitsText = ({ limits }: Pick<Key, "limits">): string => {
  const { maxOrderCents, maxDayCents, dailyOrderCap, allowedDomains, approveAboveCents, holdLookAlikes } = limits
  return [
    ...(maxOrderCents === null ? [] : [`${euros(maxOrderCents)} EUR an order`]),
    ...(maxDayCents === null ? [] : [`${euros(maxDayCents)} EUR a day`]),
    ...(dailyOrderCap === null ? [] : [`${counted(dailyOrderCap, "order")} a day`]),
    ...(allowedDomains === null ? [] : [`only ${allowedDomains.join(" ")}`]),
    ...(approveAboveCents === null ? [] : [`approval above ${euros(approveAboveCents)} EUR`]),
    ...(holdLookAlikes ? ["approval of look-alikes"] : [])
  ].join(", ")
}
