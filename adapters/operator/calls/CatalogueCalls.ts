// Calls about the catalogue: import, sites, promotion codes, AI-visibility projects and their plans.
import { Schema } from "effect"
import { RpcGroup } from "effect/rpc"
import { CatalogPage, FullSite } from "#adapters/contract/catalogue/Catalog.ts"
import { Plan, ProjectRecord } from "#adapters/contract/catalogue/Visibility.ts"
import { wholeNumber } from "#adapters/contract/schema/Amount.ts"
import { MAX_PAGE_SIZE } from "#core/domain/catalogue/Catalogue.ts"
import { AccountId, idBrands, ProjectId } from "#core/domain/shared/Ids.ts"
import { OperatorMiddleware } from "../CurrentOperator.ts"
import { OfAccount } from "../records/AccountRecords.ts"
import * as Rows from "../records/CatalogueRecords.ts"
import { argument } from "../records/CommandFields.ts"
import { Id, PageSize } from "../records/Fields.ts"
import { call } from "./Call.ts"

/** Rows of each kind in one call. */
export const MAX_ROWS = 500

const rows = <Row extends Schema.Top>(row: Row) =>
  Schema.Array(row).check(Schema.isMaxLength(MAX_ROWS, { message: `Must be a list of at most ${MAX_ROWS} rows.` }))

const References = {
  siteIds: Schema.optionalKey(rows(wholeNumber(1))),
  accountIds: Schema.optionalKey(rows(Id.pipe(idBrands.AccountId))),
  projectIds: Schema.optionalKey(rows(Id.pipe(idBrands.ProjectId)))
}

/** Whether a site that was ever ordered may get another domain. */
const changeDomain = Schema.optionalKey(Schema.Boolean)

/** Rows written, by kind. */
const Listed = Schema.Struct({
  sites: Schema.Int,
  articles: Schema.Int,
  promos: Schema.Int,
  projects: Schema.Int,
  opportunities: Schema.Int
})

export class CatalogueRpcs extends RpcGroup.make(
  /**
   * Writes all rows or none. A row with a known id or code replaces the stored one and keeps its sales (sold, reserved, redeemed).
   * A domain is that of one site; of a site that was ever ordered it changes only with `changeDomain`. A bad row is named in `errors` by its
   * path, such as `articles[3].siteId`.
   */
  call(
    "listGoods",
    "admin",
    {
      sites: Schema.optionalKey(rows(Rows.SiteRow)),
      articles: Schema.optionalKey(rows(Rows.ArticleRow)),
      promos: Schema.optionalKey(rows(Rows.PromoRow)),
      projects: Schema.optionalKey(rows(Rows.ProjectRow)),
      opportunities: Schema.optionalKey(rows(Rows.OpportunityRow)),
      changeDomain
    },
    Listed,
    { isWaitedFor: true }
  ),
  /**
   * Judges rows of an import file, and without `dryRun` writes them if none has an error. All rows or none; of those in one call, no
   * two have the same key.
   */
  call(
    "importRows",
    "admin",
    {
      kind: Schema.Literals(["sites", "articles", "projects", "opportunities", "promos"]),
      rows: rows(Rows.FileRow),
      dryRun: Schema.optionalKey(Schema.Boolean),
      changeDomain
    },
    Schema.Struct({ written: Schema.Int, errors: Schema.Array(Rows.RowError) }),
    { isWaitedFor: true }
  ),
  /** The ids that do not exist. */
  call(
    "findMissing",
    "reader",
    References,
    Schema.Struct({
      siteIds: Schema.Array(Schema.Int),
      accountIds: Schema.Array(AccountId),
      projectIds: Schema.Array(ProjectId)
    })
  ),
  /** Open sites by id, as agents see them. */
  call(
    "listSites",
    "reader",
    { limit: wholeNumber(1, MAX_PAGE_SIZE), afterId: Schema.optionalKey(wholeNumber(0)) },
    Schema.Struct({ sites: CatalogPage.fields.sites, total: Schema.Int, nextAfterId: Schema.NullOr(Schema.Int) })
  ),
  /** A site by id, open or not. */
  call(
    "showSite",
    "reader",
    { siteId: wholeNumber(1).pipe(argument("Site id, a number")) },
    Schema.Struct({ site: FullSite, open: Schema.Boolean })
  ),
  /** Sorted by code; the next page begins at `afterCode: nextAfterCode`, until that is `null`. */
  call(
    "listPromos",
    "reader",
    { limit: PageSize, afterCode: Schema.optionalKey(Id) },
    Schema.Struct({ promos: Schema.Array(Rows.PromoRecord), nextAfterCode: Schema.NullOr(Schema.String) })
  ),
  /** Counts all and open opportunities of each. */
  call("listProjects", "reader", OfAccount, Schema.Array(ProjectRecord)),
  /** The plan that an agent of the account reads: one site for each open opportunity. */
  call(
    "planProject",
    "reader",
    { ...OfAccount, projectId: Id.pipe(idBrands.ProjectId, argument("Project id, prj_…")) },
    Plan
  )
).middleware(OperatorMiddleware) {}
