// The offer beside an approval: from then on, the agent need not ask for orders to this domain, up to an amount. It says what becomes of the
// limits of its key or connection, because approving with it loosens them.
import { Result, Schema } from "effect"
import type { SpendLimits } from "#core/domain/access/ApiKey.ts"
import { domainToAllow, limitsToAllow } from "#core/domain/ordering/Approval.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { eurField } from "./form/FieldSchemas.ts"
import { amount, type Fields, tick, under } from "./form/Fields.ts"
import { type FieldMessages, fieldsDecoder } from "./form/FormBody.ts"

const decode = fieldsDecoder(Schema.Struct({ up_to: eurField }))

/** What the order's links are all for, where the key's limits leave something to allow. */
const offeredDomain = (limits: SpendLimits, { lines }: Pick<Quote, "lines">): string | null =>
  domainToAllow(
    limits,
    lines.map(({ item }) => item)
  )

const meaning = ({ allowedDomains, approveAboveCents }: SpendLimits, domain: string): string => {
  const now =
    approveAboveCents === null || approveAboveCents === 0
      ? "for every order"
      : `for orders over ${formatEur(approveAboveCents)}`
  const where =
    allowedDomains === null
      ? `It may then link to ${domain} and names below it alone: an order that links elsewhere is refused, until you change its limits.`
      : `It may link to ${allowedDomains.join(", ")} as before, and the amount is for all of them.`
  return `Now it asks ${now}. Then it asks only for orders over the amount above. ${where} Its other limits stay.`
}

/** None where there is nothing to allow. */
export const alwaysAllowFields = (limits: SpendLimits, quote: Quote): Fields => {
  const domain = offeredDomain(limits, quote)
  if (domain === null) return {}
  return under("Ask less often", {
    always: tick(`Always allow ${domain} up to the amount below`),
    up_to: amount("Up to, EUR an order", meaning(limits, domain))
  })
}

/** What the form makes of the key's limits; `null` where it was not asked for. */
export const alwaysAllowed = (
  limits: SpendLimits,
  quote: Quote,
  form: URLSearchParams
): Result.Result<Partial<SpendLimits> | null, FieldMessages> => {
  if (form.get("always") !== "on") return Result.succeed(null)
  const domain = offeredDomain(limits, quote)
  if (domain === null) return Result.fail(new Map([["always", "This cannot be allowed for this order any more."]]))
  if ((form.get("up_to") ?? "").trim() === "") return Result.fail(new Map([["up_to", "Say up to which amount."]]))
  return Result.flatMap(decode(form), ({ up_to }) => {
    const now = limits.approveAboveCents ?? 0
    return up_to > now
      ? Result.succeed(limitsToAllow(limits, domain, up_to))
      : Result.fail(new Map([["up_to", `Must be more than ${formatEur(now)}, which it may spend without asking now.`]]))
  })
}
