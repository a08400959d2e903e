// Rows of a catalogue update. They have the shape of the core's listings, so that a valid row is a listing.
import { Schema } from "effect"
import { wholeNumber } from "#adapters/contract/schema/Amount.ts"
import { anchorText, line, text } from "#adapters/contract/schema/Text.ts"
import { MAX_KEYWORDS, type Site } from "#core/domain/catalogue/Catalogue.ts"
import { Shelf } from "#core/domain/pricing/Shelf.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { Cents, chosenId, Domain, Id, Label, Language, Millis, PositiveCents, PromoCode, Url } from "./Fields.ts"

const SiteId = wholeNumber(1)
const Metric = wholeNumber(0, 100)

/** Every field of a site that is listed, an optional one too. */
const site = {
  siteId: SiteId,
  domain: Domain,
  nicheLabel: Label,
  language: Language,
  shelf: Shelf,
  tf: Metric,
  cf: Metric,
  rd: wholeNumber(0),
  mozDa: Metric,
  rankedKeywords: wholeNumber(0),
  trafficMonthly: wholeNumber(0),
  linkRel: Schema.Literals(["dofollow", "nofollow", "sponsored"]),
  /** Days to a link online; missing: those of the shelf. */
  turnaroundDays: Schema.optionalKey(wholeNumber(0, 365)),
  /** Whether the site takes orders. */
  open: Schema.Boolean
} satisfies Record<Exclude<keyof Site, "updatedAtMs">, Schema.Top>

export const SiteRow = Schema.Struct(site)
export type SiteRow = typeof SiteRow.Type

const Keyword = Schema.Struct({
  query: line(1, 200),
  position: Schema.Finite.check(
    Schema.isBetween({ minimum: 0, maximum: 1_000 }, { message: "Must be a number from 0 to 1000." })
  ),
  impressions: wholeNumber(0)
})

export const ArticleRow = Schema.Struct({
  articleId: wholeNumber(1),
  siteId: SiteId,
  title: line(1, 500),
  url: Url,
  publishedAtMs: Millis,
  /** `null` means the shelf's price. */
  priceCents: Schema.NullOr(PositiveCents),
  keywords: Schema.Array(Keyword).check(
    Schema.isMaxLength(MAX_KEYWORDS, { message: `Must be a list of at most ${MAX_KEYWORDS}.` })
  )
})
export type ArticleRow = typeof ArticleRow.Type

const promo = {
  code: PromoCode,
  reduction: Schema.Union([
    Schema.Struct({ kind: Schema.Literal("percent"), basisPoints: wholeNumber(1, 10_000) }),
    Schema.Struct({ kind: Schema.Literal("fixed"), cents: PositiveCents })
  ]),
  minimumCents: Schema.NullOr(Cents),
  startsAtMs: Schema.NullOr(Millis),
  endsAtMs: Schema.NullOr(Millis),
  maxRedemptions: Schema.NullOr(wholeNumber(1)),
  oncePerAccount: Schema.Boolean
}

export const PromoRow = Schema.Struct(promo).check(
  Schema.makeFilter(({ startsAtMs, endsAtMs }) =>
    startsAtMs !== null && endsAtMs !== null && endsAtMs <= startsAtMs
      ? { path: ["endsAtMs"], issue: "Must be later than startsAtMs." }
      : undefined
  )
)
export type PromoRow = typeof PromoRow.Type

/** A promotion code with its uses by orders and its reservations by open quotes. */
export const PromoRecord = Schema.Struct({ ...promo, redeemed: wholeNumber(0), reserved: wholeNumber(0) })
export type PromoRecord = typeof PromoRecord.Type

/** A row of an import file, before it is judged. */
export const FileRow = Schema.Struct({
  /** From 1, including the header. */
  line: wholeNumber(1),
  /** Cells by column: text, from JSON also lists and objects. Empty ones are left out. */
  cells: Schema.Record(Schema.String, Schema.Unknown)
})
export type FileRow = typeof FileRow.Type

/** One error in an import file. */
export const RowError = Schema.Struct({
  line: Schema.Int,
  column: Schema.optionalKey(Schema.String),
  /** The text found there, if showing it helps. */
  found: Schema.optionalKey(Schema.String),
  message: Schema.String
})
export type RowError = typeof RowError.Type

export const ProjectRow = Schema.Struct({
  projectId: chosenId("prj_").pipe(idBrands.ProjectId),
  accountId: Id.pipe(idBrands.AccountId),
  name: Label,
  domain: Domain,
  language: Language
})
export type ProjectRow = typeof ProjectRow.Type

export const OpportunityRow = Schema.Struct({
  opportunityId: chosenId("opp_").pipe(idBrands.OpportunityId),
  projectId: Id.pipe(idBrands.ProjectId),
  prompt: text(1, 500),
  engine: Label,
  niche: Label,
  targetUrl: Url,
  anchorText,
  position: wholeNumber(0)
})
export type OpportunityRow = typeof OpportunityRow.Type
