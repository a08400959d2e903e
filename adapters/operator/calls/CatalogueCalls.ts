// What is on offer: putting it there, looking at it, and AI-visibility projects with their plans.
import { Schema } from "effect"
import { RpcGroup } from "effect/rpc"
import { CatalogPage, FullSite } from "#adapters/contract/Catalog.ts"
import { wholeNumber } from "#adapters/contract/schema/Amount.ts"
import { Plan, ProjectRecord } from "#adapters/contract/Visibility.ts"
import { MAX_PAGE_SIZE } from "#core/domain/Catalogue.ts"
import { OperatorMiddleware } from "../CurrentOperator.ts"
import { AccountId } from "../records/AccountRecords.ts"
import * as Rows from "../records/CatalogueRecords.ts"
import { Id, PageSize } from "../records/Fields.ts"
import { call } from "./Call.ts"

/** Of each kind in one call; whoever has more makes more calls. */
export const MAX_ROWS = 500

const rows = <Row extends Schema.Top>(row: Row) =>
  Schema.Array(row).check(Schema.isMaxLength(MAX_ROWS, { message: `Must be a list of at most ${MAX_ROWS} rows.` }))

const References = {
  siteIds: Schema.optionalKey(rows(wholeNumber(1))),
  accountIds: Schema.optionalKey(rows(Id)),
  projectIds: Schema.optionalKey(rows(Id))
}

/** How many rows of each kind were put on offer. */
const Listed = Schema.Struct({
  sites: Schema.Int,
  articles: Schema.Int,
  promos: Schema.Int,
  projects: Schema.Int,
  opportunities: Schema.Int
})

export class CatalogueRpcs extends RpcGroup.make(
  /**
   * All rows or none. What is there already, by its id or code, is replaced, and keeps what selling did to it. A bad row is
   * named in `errors` by its place, such as `articles[3].siteId`.
   */
  call(
    "listGoods",
    {
      sites: Schema.optionalKey(rows(Rows.SiteRow)),
      articles: Schema.optionalKey(rows(Rows.ArticleRow)),
      promos: Schema.optionalKey(rows(Rows.PromoRow)),
      projects: Schema.optionalKey(rows(Rows.ProjectRow)),
      opportunities: Schema.optionalKey(rows(Rows.OpportunityRow))
    },
    Listed
  ),
  /** Those of them that are not there. */
  call(
    "findMissing",
    References,
    Schema.Struct({
      siteIds: Schema.Array(Schema.Int),
      accountIds: Schema.Array(Schema.String),
      projectIds: Schema.Array(Schema.String)
    })
  ),
  /** Open sites by id, as agents see them. */
  call(
    "listSites",
    { limit: wholeNumber(1, MAX_PAGE_SIZE), afterId: Schema.optionalKey(wholeNumber(0)) },
    Schema.Struct({ sites: CatalogPage.fields.sites, total: Schema.Int, nextAfterId: Schema.NullOr(Schema.Int) })
  ),
  /** A site by id, open or not. */
  call("showSite", { siteId: wholeNumber(1) }, Schema.Struct({ site: FullSite, open: Schema.Boolean })),
  /** By code; go on with `afterCode: nextAfterCode` until that is `null`. */
  call(
    "listPromos",
    { limit: PageSize, afterCode: Schema.optionalKey(Id) },
    Schema.Struct({ promos: Schema.Array(Rows.PromoRecord), nextAfterCode: Schema.NullOr(Schema.String) })
  ),
  /** With how many opportunities each has, and how many are open still. */
  call("listProjects", AccountId, Schema.Array(ProjectRecord)),
  /** Which site would help with which open opportunity: what an agent of the account is told. */
  call("planProject", { ...AccountId, projectId: Id }, Plan)
).middleware(OperatorMiddleware) {}
