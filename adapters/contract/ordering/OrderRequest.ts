// The body of an order: its schema, the cart it is read as, and the canonical text an idempotency key is bound to. The schema checks
// single fields and fills the three defaults; the core checks rules across items.
import { Effect, Schema } from "effect"
import { withPlainHost } from "#core/domain/ordering/TargetPolicy.ts"
import {
  AnchorType,
  type OrderRequest as Cart,
  type OrderItem as CartItem,
  Format,
  MAX_ITEMS,
  Tier2
} from "#core/domain/pricing/Cart.ts"
import { normaliseCode } from "#core/domain/pricing/Promo.ts"
import { readWords, requestedUrl } from "#core/domain/pricing/SameItems.ts"
import { canonicalJson, type Json } from "#core/domain/shared/CanonicalJson.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { centsOfEur, EurLimit, Id, notNegativeZero, wholeNumber } from "../schema/Amount.ts"
import { asGuard, asName } from "../schema/MemberMarks.ts"
import { omitDefaults } from "../schema/OptionalMembers.ts"
import { linkable, registrableDomain } from "../schema/TargetUrl.ts"
import { anchorText, id, line, reference, text } from "../schema/Text.ts"

const FORMAT = "`new_article` writes a new page; `insertion` adds the link to an existing article."

const TIER2 = "Size of the tier-2 pack pointing at the new link: 0 (none), 1, 3 or 5."

export const OrderItem = Schema.Struct({
  site_id: Id.annotate({ description: "`id` of a site of the catalogue." }),
  target_url: text(1)
    .check(linkable)
    .annotate({
      description:
        "The page to link to: absolute http or https, a public host name, no credentials, no zero-width or bidirectional characters.",
      examples: ["https://shop.example/spring-sale"]
    }),
  anchor_text: anchorText.annotate({
    description:
      "The words that will carry the link: 1 to 120 characters on one line, at least one visible; no zero-width characters, bidirectional controls or unassigned code points.",
    examples: ["spring garden tools"]
  }),
  anchor_type: AnchorType.annotate({
    description: "How the anchor relates to the keyword; a natural profile mixes them."
  }),
  format: Format.annotate({
    description: FORMAT,
    default: "new_article"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed("new_article" as const))),
  article_id: Schema.optionalKey(
    Id.annotate({
      description: "Exactly when `format` is `insertion`: an article listed for this site, which takes one link."
    })
  ),
  tier2_links: Tier2.annotate({
    description: TIER2,
    default: 0
  })
    .check(notNegativeZero)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(0 as const))),
  project_id: Schema.optionalKey(id("prj_", "The AI-visibility project this link is for").pipe(idBrands.ProjectId)),
  opportunity_id: Schema.optionalKey(
    text(1)
      .annotate({
        description: "The opportunity of that project's plan this link answers; only together with `project_id`.",
        ...asName
      })
      .pipe(idBrands.OpportunityId)
  ),
  brief: Schema.optionalKey(
    text(0, 2_000).annotate({
      description: "Wishes for the writer, up to 2,000 characters."
    })
  ),
  reference: Schema.optionalKey(
    reference.annotate({ description: "Your own reference of this link: 1 to 100 visible characters on one line." })
  )
}).annotate({ identifier: "OrderItem", description: "One link to buy." })
export type OrderItem = typeof OrderItem.Type

/** An item in an answer. */
export const ProposedItem = Schema.Struct({
  ...OrderItem.fields,
  format: Format.annotate({ description: FORMAT }),
  tier2_links: Tier2.annotate({ description: TIER2 })
}).annotate({ identifier: "ProposedItem", description: "One link to buy, which `items` of an order take as it is." })

const MAX_SANDBOX_CENTS = 100_000_000

export const OrderRequest = Schema.Struct({
  items: Schema.Array(OrderItem)
    .check(
      Schema.makeFilter((items) => items.length >= 1 && items.length <= MAX_ITEMS, {
        message: `An order has 1 to ${MAX_ITEMS} items.`,
        toJsonSchema: () => ({ minItems: 1, maxItems: MAX_ITEMS })
      })
    )
    .annotate({ description: "The links to buy: 1 to 20, new articles and insertions as you like." }),
  promo_code: Schema.optionalKey(
    line(1, 64).annotate({
      description:
        "Case does not matter. The better of this and the automatic welcome offer is applied; a code that cannot be used refuses the order.",
      ...asName
    })
  ),
  max_total_eur: Schema.optionalKey(
    EurLimit.annotate({
      description:
        "Your guard, in euros with two decimals at most: if the total after discount is higher, the order is refused and nothing is written.",
      ...asGuard
    })
  ),
  dry_run: Schema.Boolean.annotate({
    description:
      "Price and check everything save the daily cap, write nothing: the answer has `status: dry_run`, `quote_id: null` and the `outcome` that the order would have. Ignores the idempotency key.",
    default: false,
    ...asGuard
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  sandbox_credit_cents: Schema.optionalKey(
    wholeNumber(0, MAX_SANDBOX_CENTS).annotate({
      description: "Sandbox keys only: pretend this much prepaid credit instead of the real available balance."
    })
  ),
  reference: Schema.optionalKey(
    reference.annotate({
      description:
        "Your own reference of the order, such as a purchase order number: 1 to 100 visible characters on one line."
    })
  )
}).annotate({
  identifier: "OrderRequest",
  description: "An order of 1 to 20 links. `null` for an optional field is the same as leaving it out."
})
export type OrderRequest = typeof OrderRequest.Type

const readItem = (item: OrderItem): CartItem => ({
  siteId: item.site_id,
  targetUrl: withPlainHost(item.target_url),
  anchorText: item.anchor_text,
  anchorType: item.anchor_type,
  format: item.format,
  tier2Links: item.tier2_links,
  ...(item.article_id === undefined ? {} : { articleId: item.article_id }),
  ...(item.project_id === undefined ? {} : { projectId: item.project_id }),
  ...(item.opportunity_id === undefined ? {} : { opportunityId: item.opportunity_id }),
  ...(item.brief === undefined ? {} : { brief: item.brief }),
  ...(item.reference === undefined ? {} : { reference: item.reference })
})

export const readOrder = (body: OrderRequest): Cart => ({
  items: body.items.map(readItem),
  dryRun: body.dry_run,
  targetDomains: [...new Set(body.items.map(({ target_url: url }) => registrableDomain(new URL(url).hostname)))],
  ...(body.promo_code === undefined ? {} : { promoCode: body.promo_code }),
  ...(body.reference === undefined ? {} : { reference: body.reference }),
  ...(body.max_total_eur === undefined ? {} : { maxTotalCents: centsOfEur(body.max_total_eur) }),
  ...(body.sandbox_credit_cents === undefined ? {} : { sandboxCreditCents: body.sandbox_credit_cents })
})

/**
 * The members whose default is part of the canonical form, because stored fingerprints have them. A member that is added with a default
 * does not join them: fingerprints that were stored before it existed still have to match.
 */
const ALWAYS_SPELLED: ReadonlySet<string> = new Set(["format", "tier2_links", "dry_run"])

/** The canonical form of decoded bodies of this schema, or of a later version of it: RFC 8785, with the promo code in upper case. */
export const canonicalForm = (schema: Schema.Top) => {
  const spell = omitDefaults(schema, ALWAYS_SPELLED)
  return (body: OrderRequest): string => {
    const { promo_code: code } = body
    // A decoded body is JSON, which the type of the conversion does not say.
    return canonicalJson(spell(code === undefined ? body : { ...body, promo_code: normaliseCode(code) }) as Json)
  }
}

export const canonicalOrder = canonicalForm(OrderRequest)

/** The canonical form of a body whose links are spelled as two orders are compared. */
export const comparedOrder = (body: OrderRequest): string =>
  canonicalOrder({
    ...body,
    items: body.items.map((item) => ({
      ...item,
      target_url: requestedUrl(item.target_url),
      anchor_text: readWords(item.anchor_text)
    }))
  })

/** In the header of an order that is a replay of the same one without an idempotency key; a quote's id stands for it otherwise. */
export const REPLAY_UNKEYED = "true"
