// A period as a person chooses it: its first and its last day, by the clocks of their zone.
import type { Schema } from "effect"
import { endsAfter, isDate } from "#adapters/contract/schema/Moment.ts"
import { dayEndMs, dayStartMs } from "#adapters/html/TimeZones.ts"
import type { OrderConditions } from "#core/domain/ordering/Order.ts"
import { text } from "./Fields.ts"

/** `end`: what may be typed of either. */
export const periodFields = <S extends Schema.ConstraintDecoder<unknown>>(end: S) => ({
  created_from: text(end, "From", { type: "date" }),
  created_to: text(end, "Until", { type: "date" })
})

/** For their schema. */
export const endsAfterItBegins = endsAfter("created_from", "created_to", "the first day")

/** From the beginning of the first day to the end of the last; an end that is a time of a day is left out. */
export const daysIn = (
  { created_from: from, created_to: to }: { readonly created_from?: string; readonly created_to?: string },
  zone: string
): Pick<OrderConditions, "createdFromMs" | "createdToMs"> => ({
  ...(isDate(from) ? { createdFromMs: dayStartMs(from, zone) } : {}),
  ...(isDate(to) ? { createdToMs: dayEndMs(to, zone) } : {})
})
