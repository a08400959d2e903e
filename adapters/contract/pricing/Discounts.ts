// The discount of an order, and those that it was compared with.
import { Schema } from "effect"
import type { Discount as QuoteDiscount } from "#core/domain/pricing/Discount.ts"
import { Eur, eurOfCents } from "../schema/Amount.ts"

export const Discount = Schema.Struct({
  source: Schema.Literals(["promo", "welcome", "none"]),
  label: Schema.String.annotate({ description: "For people." }),
  considered: Schema.Array(
    Schema.Struct({
      source: Schema.Literals(["promo", "welcome"]),
      code: Schema.optionalKey(Schema.String),
      amount_eur: Eur,
      applied: Schema.Boolean,
      reserved_by: Schema.optionalKey(
        Schema.String.annotate({ description: "Your open quote that keeps this discount until it is paid or ends." })
      ),
      used_for_domain: Schema.optionalKey(
        Schema.String.annotate({ description: "Another account has used this discount for that target domain." })
      )
    })
  ).annotate({ description: "Every discount that could have been applied. The one that takes off more wins." })
}).annotate({ identifier: "Discount", description: "Which discount was applied, and which ones were compared." })

export const showDiscount = ({ source, label, considered }: QuoteDiscount): typeof Discount.Type => ({
  source,
  label,
  considered: considered.map(({ amountCents, reservedBy, usedForDomain, ...rest }) => ({
    ...rest,
    amount_eur: eurOfCents(amountCents),
    ...(reservedBy === undefined ? {} : { reserved_by: reservedBy }),
    ...(usedForDomain === undefined ? {} : { used_for_domain: usedForDomain })
  }))
})
