// Refusals of a site, an article or a project that an order or the operator names.
import { Schema } from "effect"
import { ProjectId } from "../shared/Ids.ts"
import { FieldPath } from "../shared/RequestRefusal.ts"

export class SiteNotFound extends Schema.TaggedError<SiteNotFound>()("SiteNotFound", {
  siteId: Schema.Int,
  path: Schema.optionalKey(FieldPath)
}) {}

export class ProjectNotFound extends Schema.TaggedError<ProjectNotFound>()("ProjectNotFound", {
  projectId: ProjectId,
  path: Schema.optionalKey(FieldPath)
}) {}

/** The article does not belong to the named site, or does not exist: a caller need not tell the two apart. */
export class ArticleSiteMismatch extends Schema.TaggedError<ArticleSiteMismatch>()("ArticleSiteMismatch", {
  articleId: Schema.Int,
  siteId: Schema.Int,
  path: FieldPath
}) {}

/** The site exists but takes no orders now. */
export class SiteUnavailable extends Schema.TaggedError<SiteUnavailable>()("SiteUnavailable", {
  siteId: Schema.Int,
  path: FieldPath
}) {}

/** The article is sold, or reserved by an open quote. */
export class ArticleUnavailable extends Schema.TaggedError<ArticleUnavailable>()("ArticleUnavailable", {
  articleId: Schema.Int,
  path: FieldPath
}) {}

/** A row of a listing that cannot be listed. */
export const RowFault = Schema.Struct({
  list: Schema.Literals(["sites", "articles", "promos", "projects", "opportunities"]),
  /** Position in its list, from 0. */
  index: Schema.Int,
  /** The member at fault: an id or a code. */
  member: Schema.Literals(["siteId", "domain", "articleId", "code", "projectId", "accountId", "opportunityId"]),
  /** Nothing has this id; another row has it too; a site has this domain; or this site was ordered under that domain. */
  fault: Schema.Union([
    Schema.Literal("missing"),
    Schema.Struct({ sameAs: Schema.Int }),
    Schema.Struct({ heldBy: Schema.Int }),
    Schema.Struct({ orderedAs: Schema.String })
  ])
})
export type RowFault = typeof RowFault.Type

/** Nothing of the listing was listed. */
export class ListingRefused extends Schema.TaggedError<ListingRefused>()("ListingRefused", {
  faults: Schema.NonEmptyArray(RowFault)
}) {}

export type CatalogueRefusal =
  | ArticleSiteMismatch
  | ArticleUnavailable
  | ListingRefused
  | ProjectNotFound
  | SiteNotFound
  | SiteUnavailable
