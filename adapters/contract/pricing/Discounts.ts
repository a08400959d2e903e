// The discount of an order, and those that it was compared with.
import { Schema } from "effect"
import type { Discount as QuoteDiscount } from "#core/domain/pricing/Discount.ts"
import { Eur, eurOfCents } from "../schema/Amount.ts"

export const Discount = Schema.Struct({
  source: Schema.Literals(["promo", "welcome", "none"]).annotate({
    description: "What was applied: the promo code, the welcome offer, or nothing."
  }),
  label: Schema.String.annotate({ description: "Its name, for people." }),
  considered: Schema.Array(
    Schema.Struct({
      source: Schema.Literals(["promo", "welcome"]).annotate({
        description: "The promo code that was sent, or the offer for a first order."
      }),
      code: Schema.optionalKey(Schema.String.annotate({ description: "Of a promo code: the code. Absent otherwise." })),
      amount_eur: Eur.annotate({ description: "What it takes off, or would, euros." }),
      applied: Schema.Boolean.annotate({ description: "Whether it is the one that was applied." }),
      reserved_by: Schema.optionalKey(
        Schema.String.annotate({
          description: "Your open quote that keeps this discount until it is paid or ends. Absent while none does."
        })
      ),
      used_for_domain: Schema.optionalKey(
        Schema.String.annotate({
          description: "The target domain for which another account has used this discount. Absent where none has."
        })
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
