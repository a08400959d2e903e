// From a decoded order body to what the core asks for, and to the canonical text that an idempotency key is bound to.
import { canonicalJson } from "#core/domain/CanonicalJson.ts"
import type { OrderRequest as Cart, OrderItem as CartItem } from "#core/domain/Cart.ts"
import { normaliseCode } from "#core/domain/Promo.ts"
import { centsOfEur } from "./Amount.ts"
import type { OrderItem, OrderRequest } from "./OrderRequest.ts"

const readItem = (item: OrderItem): CartItem => ({
  siteId: item.site_id,
  targetUrl: item.target_url,
  anchorText: item.anchor_text,
  anchorType: item.anchor_type,
  format: item.format,
  tier2Links: item.tier2_links,
  ...(item.article_id === undefined ? {} : { articleId: item.article_id }),
  ...(item.project_id === undefined ? {} : { projectId: item.project_id }),
  ...(item.opportunity_id === undefined ? {} : { opportunityId: item.opportunity_id }),
  ...(item.brief === undefined ? {} : { brief: item.brief })
})

export const readOrder = (body: OrderRequest): Cart => ({
  items: body.items.map(readItem),
  dryRun: body.dry_run,
  ...(body.promo_code === undefined ? {} : { promoCode: body.promo_code }),
  ...(body.max_total_eur === undefined ? {} : { maxTotalCents: centsOfEur(body.max_total_eur) }),
  ...(body.sandbox_credit_cents === undefined ? {} : { sandboxCreditCents: body.sandbox_credit_cents })
})

/** The whole validated, default-filled body, promo code upper-cased, in RFC 8785 form. */
export const canonicalOrder = (body: OrderRequest): string => {
  const { promo_code: code, items, ...rest } = body
  return canonicalJson({
    ...rest,
    items: items.map((item) => ({ ...item })),
    ...(code === undefined ? {} : { promo_code: normaliseCode(code) })
  })
}
