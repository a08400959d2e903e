// `promo`: promotion codes one at a time; `import promos` takes many.
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { dateOrTime, endDateOrTime, percent } from "#adapters/operator/imports/Cells.ts"
import { PromoRecord, type PromoRow } from "#adapters/operator/records/CatalogueRecords.ts"
import { euros } from "#adapters/operator/records/Euros.ts"
import { group, pages } from "../CallCommand.ts"
import { columns } from "../Columns.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect } from "../Connect.ts"
import { print } from "../Output.ts"
import { eurosFlag, numberFlag } from "./Parameters.ts"

const reduction = (
  percentage: Option.Option<number>,
  fixed: Option.Option<number>
): Effect.Effect<PromoRow["reduction"], CommandFailed> => {
  if (Option.isSome(percentage) && Option.isNone(fixed)) {
    return Effect.succeed({ kind: "percent", basisPoints: percentage.value })
  }
  if (Option.isSome(fixed) && Option.isNone(percentage)) return Effect.succeed({ kind: "fixed", cents: fixed.value })
  return Effect.fail(new CommandFailed({ sentence: "Give the discount: either --percent or --eur." }))
}

const reductionText = (off: PromoRow["reduction"]): string =>
  off.kind === "fixed" ? `${euros(off.cents)} EUR` : `${euros(off.basisPoints)} %`

const define = Command.make(
  "define",
  {
    code: Argument.String("code").pipe(Argument.withDescription("Letters, digits, hyphens; case does not matter")),
    percentage: Flag.String("percent").pipe(
      Flag.withDescription("Takes off a percentage, such as 10 or 12.50"),
      Flag.withSchema(percent),
      Flag.optional
    ),
    fixed: eurosFlag("eur", "Takes off an amount, such as 5.00", 1).pipe(Flag.optional),
    minimum: eurosFlag("minimum-eur", "Only for orders of at least this total", 0).pipe(Flag.optional),
    starts: Flag.String("starts").pipe(
      Flag.withDescription("From this day or time on (UTC)"),
      Flag.withSchema(dateOrTime),
      Flag.optional
    ),
    ends: Flag.String("ends").pipe(
      Flag.withDescription("Until this time, or the end of this day (UTC)"),
      Flag.withSchema(endDateOrTime),
      Flag.optional
    ),
    redemptions: numberFlag("max-redemptions", "How many orders may use it in all").pipe(Flag.optional),
    once: Flag.Boolean("once-per-account").pipe(
      Flag.withDescription("Each account may use it once"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ code, percentage, fixed, minimum, starts, ends, redemptions, once }) {
    const client = yield* connect
    const promo = {
      code: code.toUpperCase(),
      reduction: yield* reduction(percentage, fixed),
      minimumCents: Option.getOrNull(minimum),
      startsAtMs: Option.getOrNull(starts),
      endsAtMs: Option.getOrNull(ends),
      maxRedemptions: Option.getOrNull(redemptions),
      oncePerAccount: once
    }
    yield* client.listGoods({ promos: [promo] })
    yield* print(promo, (defined) => `Code ${defined.code} takes off ${reductionText(defined.reduction)}.`)
  })
).pipe(Command.withDescription("Define or redefine a code; its redemptions are kept"))

const promoColumns = columns(PromoRecord, {
  CODE: "code",
  "TAKES OFF": ({ reduction }) => reductionText(reduction),
  "MINIMUM EUR": "minimumCents",
  STARTS: "startsAtMs",
  ENDS: "endsAtMs",
  USED: "redeemed",
  RESERVED: "reserved",
  "AT MOST": ({ maxRedemptions, oncePerAccount }) =>
    [maxRedemptions, oncePerAccount ? "once an account" : null].filter((bound) => bound !== null).join(", ")
})

export const promoCommand = group("promo", "Promotion codes", [
  define,
  pages("list", "listPromos", { about: "List the codes and how often each was used", columns: promoColumns })
])
