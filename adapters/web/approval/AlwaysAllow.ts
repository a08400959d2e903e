// The offer beside an approval: from then on, the agent need not ask for orders to this domain, up to an amount. It says what becomes of the
// limits of its key or connection, because approving with it loosens them.
import { Result, Schema } from "effect"
import type { SpendLimits } from "#core/domain/access/ApiKey.ts"
import { alwaysAllowedCents, alwaysAllowFault, domainToAllow, limitsToAllow } from "#core/domain/ordering/Approval.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { eurField } from "../form/FieldSchemas.ts"
import { amount, type Fields, tick, under } from "../form/Fields.ts"
import { type FieldMessages, fieldsDecoder } from "../form/FormBody.ts"

const decode = fieldsDecoder(Schema.Struct({ up_to: eurField }))

/** What the order's links are all for, where the key's limits leave something to allow. */
const offeredDomain = (limits: SpendLimits, { lines }: Pick<Quote, "lines">): string | null =>
  domainToAllow(
    limits,
    lines.map(({ item }) => item)
  )

const meaning = ({ approveAboveCents }: SpendLimits, domain: string): string => {
  const now =
    approveAboveCents === null || approveAboveCents === 0
      ? "for every order"
      : `for orders over ${formatEur(approveAboveCents)}`
  return `Now it asks ${now}. Then it no longer asks for orders up to this amount that link only to ${domain} and its subdomains. It continues to ask for orders to other domains, and its other limits stay.`
}

/** None where there is nothing to allow. */
export const alwaysAllowFields = (limits: SpendLimits, quote: Quote): Fields => {
  const domain = offeredDomain(limits, quote)
  if (domain === null) return {}
  return under("Ask less often", {
    always: tick(`Always allow ${domain} up to the amount below`),
    up_to: amount("Up to (EUR per order)", meaning(limits, domain))
  })
}

const refusedAmount = (message: string) => Result.fail(new Map([["up_to", message]]))

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
    if (up_to <= now)
      return refusedAmount(`Must be more than ${formatEur(now)}, which it may spend without asking now.`)
    const changed = limitsToAllow(limits, domain, up_to)
    const fault = alwaysAllowFault(changed.alwaysAllow)
    if (fault !== undefined) return Result.fail(new Map([["always", `${fault} Remove one from its limits first.`]]))
    const allowed = alwaysAllowedCents(changed, [domain])
    return allowed < up_to
      ? refusedAmount(
          `You allow a domain above ${domain} up to ${formatEur(allowed)} only: change that in its limits first.`
        )
      : Result.succeed(changed)
  })
}
