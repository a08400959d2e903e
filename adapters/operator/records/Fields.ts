// Field schemas shared by records and calls. Amounts are integer cents, times are milliseconds since the epoch.
import { Schema, SchemaTransformation } from "effect"
import { wholeNumber } from "#adapters/contract/schema/Amount.ts"
import { hostOf } from "#adapters/contract/schema/DomainName.ts"
import { targetUrlFault } from "#adapters/contract/schema/TargetUrl.ts"
import { line } from "#adapters/contract/schema/Text.ts"
import { flag } from "./CommandFields.ts"

export const Id = line(1, 128)
export const Label = line(1, 200)

const isPublicUrl = Schema.makeFilter(targetUrlFault)

/** A public host name without scheme or path. */
const isPublicHost = Schema.makeFilter((name: string) =>
  hostOf(name) !== undefined && targetUrlFault(`https://${name.replace(/\.$/, "")}/`) === undefined
    ? undefined
    : "Must be a public host name alone, such as gardening-notes.example."
)

export const Url = line(1, 2_048).check(isPublicUrl)

/** A host name in any letters, as pages take it; it becomes the name that is looked up, which is compared with the hosts of targets. */
export const Domain = line(1, 253)
  .check(isPublicHost)
  .pipe(
    Schema.decodeTo(
      Schema.String,
      SchemaTransformation.transform({ decode: (name) => hostOf(name) ?? name, encode: (host) => host })
    )
  )

export const Language = Schema.String.check(
  Schema.isPattern(/^[a-z]{2}$/, { message: "Must be an ISO 639-1 code in small letters, such as en." })
)

/** An id that the operator chooses. */
export const chosenId = (prefix: string) =>
  line(1, 64).check(
    Schema.isPattern(new RegExp(`^${prefix}[\\w-]+$`), {
      message: `Must be an id such as ${prefix}spring_2026: ${prefix}, then letters, digits, hyphens, underscores.`
    })
  )

/** Case-insensitive. */
export const PromoCode = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/, { message: "Must be 1 to 64 letters, digits, hyphens or underscores." })
)

export const Reason = line(1, 500).pipe(flag("Why, for the buyer to read", { metavar: "TEXT" }))
export const Mode = Schema.Literals(["live", "sandbox"])

/** From 1970 to the year 9999. */
export const Millis = Schema.Int.check(
  Schema.isBetween(
    { minimum: 0, maximum: 253_402_300_799_999 },
    { message: "Must be a time in milliseconds since 1970." }
  )
)

/** A larger amount is taken for a typing error: one million euros. */
const MAX_CENTS = 100_000_000

export const Cents = wholeNumber(0, MAX_CENTS)
export const PositiveCents = wholeNumber(1, MAX_CENTS)

export const MAX_PAGE = 200
export const PageSize = wholeNumber(1, MAX_PAGE)
