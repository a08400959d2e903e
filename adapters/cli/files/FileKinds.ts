// The five kinds of import files. Columns have the names of the public API.
import { Effect, Schema } from "effect"
import { anchorText, line, text } from "#adapters/contract/schema/Text.ts"
import type {
  ArticleRow,
  OpportunityRow,
  ProjectRow,
  PromoRow,
  SiteRow
} from "#adapters/operator/records/CatalogueRecords.ts"
import { chosenId, Label, Language, PromoCode } from "#adapters/operator/records/Fields.ts"
import { Shelf } from "#core/domain/pricing/Shelf.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { Euros } from "../Euros.ts"
import { dateOrTime, domain, endDateOrTime, percent, webAddress, wholeNumberText, yesNo } from "./FieldSchemas.ts"
import { type FileKind, fileKind } from "./FileKind.ts"
import { Keywords } from "./Keywords.ts"

const MAX_METRIC = 100
const MIN_PRICE_CENTS = 50

const withDefault = <S extends Schema.Constraint>(schema: S, encoded: S["Encoded"]) =>
  Schema.withDecodingDefaultKey<S>(Effect.succeed(encoded))(schema)

export const sites: FileKind<SiteRow> = fileKind(
  Schema.Struct({
    id: wholeNumberText(1),
    domain,
    niche_label: Label,
    language: Language,
    shelf: Shelf,
    tf: wholeNumberText(0, MAX_METRIC),
    cf: wholeNumberText(0, MAX_METRIC),
    rd: wholeNumberText(0),
    moz_da: wholeNumberText(0, MAX_METRIC),
    ranked_keywords: wholeNumberText(0),
    traffic_monthly: wholeNumberText(0),
    link_rel: withDefault(Schema.Literals(["dofollow", "nofollow", "sponsored"]), "dofollow"),
    open: withDefault(yesNo, "yes")
  }),
  "id",
  (row) => ({
    siteId: row.id,
    domain: row.domain,
    nicheLabel: row.niche_label,
    language: row.language,
    shelf: row.shelf,
    tf: row.tf,
    cf: row.cf,
    rd: row.rd,
    mozDa: row.moz_da,
    rankedKeywords: row.ranked_keywords,
    trafficMonthly: row.traffic_monthly,
    linkRel: row.link_rel,
    open: row.open
  })
)

export const articles: FileKind<ArticleRow> = fileKind(
  Schema.Struct({
    article_id: wholeNumberText(1),
    site_id: wholeNumberText(1),
    title: line(1, 500),
    url: webAddress,
    published_at: dateOrTime,
    price_eur: Schema.optionalKey(Euros(MIN_PRICE_CENTS)),
    keywords: withDefault(Keywords, [])
  }),
  "article_id",
  (row) => ({
    articleId: row.article_id,
    siteId: row.site_id,
    title: row.title,
    url: row.url,
    publishedAtMs: row.published_at,
    priceCents: row.price_eur ?? null,
    keywords: row.keywords
  })
)

export const projects: FileKind<ProjectRow> = fileKind(
  Schema.Struct({
    project_id: chosenId("prj_").pipe(idBrands.ProjectId),
    account_id: chosenId("acc_").pipe(idBrands.AccountId),
    name: Label,
    domain,
    language: Language
  }),
  "project_id",
  (row) => ({
    projectId: row.project_id,
    accountId: row.account_id,
    name: row.name,
    domain: row.domain,
    language: row.language
  })
)

export const opportunities: FileKind<OpportunityRow> = fileKind(
  Schema.Struct({
    opportunity_id: chosenId("opp_").pipe(idBrands.OpportunityId),
    project_id: chosenId("prj_").pipe(idBrands.ProjectId),
    prompt: text(1, 500),
    engine: Label,
    niche: Label,
    target_url: webAddress,
    anchor_text: anchorText,
    position: wholeNumberText(0)
  }),
  "opportunity_id",
  (row) => ({
    opportunityId: row.opportunity_id,
    projectId: row.project_id,
    prompt: row.prompt,
    engine: row.engine,
    niche: row.niche,
    targetUrl: row.target_url,
    anchorText: row.anchor_text,
    position: row.position
  })
)

const promo = Schema.Struct({
  code: PromoCode,
  percent: Schema.optionalKey(percent),
  fixed_eur: Schema.optionalKey(Euros(1)),
  minimum_eur: Schema.optionalKey(Euros(0)),
  starts_at: Schema.optionalKey(dateOrTime),
  ends_at: Schema.optionalKey(endDateOrTime),
  max_redemptions: Schema.optionalKey(wholeNumberText(1)),
  once_per_account: withDefault(yesNo, "no")
}).check(
  Schema.makeFilter((row) =>
    (row.percent === undefined) === (row.fixed_eur === undefined)
      ? { path: ["percent"], issue: "Give either percent or fixed_eur, and not both." }
      : undefined
  ),
  Schema.makeFilter(({ starts_at, ends_at }) =>
    starts_at !== undefined && ends_at !== undefined && ends_at <= starts_at
      ? { path: ["ends_at"], issue: "Must be later than starts_at." }
      : undefined
  )
)

export const promos: FileKind<PromoRow> = fileKind(promo, "code", (row) => ({
  code: row.code.toUpperCase(),
  // One of the two is there: the row was checked for it.
  reduction:
    row.percent === undefined
      ? { kind: "fixed", cents: row.fixed_eur ?? 0 }
      : { kind: "percent", basisPoints: row.percent },
  minimumCents: row.minimum_eur ?? null,
  startsAtMs: row.starts_at ?? null,
  endsAtMs: row.ends_at ?? null,
  maxRedemptions: row.max_redemptions ?? null,
  oncePerAccount: row.once_per_account
}))
