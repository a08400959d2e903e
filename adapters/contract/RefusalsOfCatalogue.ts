// Wording for refusals about sites, articles, projects and pages of lists.
import type * as Refusal from "#core/domain/Refusal.ts"
import { at, clip, type Explains } from "./Explanation.ts"

export const catalogueRefusals: Explains<
  | Refusal.ArticleSiteMismatch
  | Refusal.ArticleUnavailable
  | Refusal.CursorInvalid
  | Refusal.ProjectNotFound
  | Refusal.SiteNotFound
  | Refusal.SiteUnavailable
> = {
  ArticleSiteMismatch: ({ articleId, siteId, place }) => ({
    code: "article_site_mismatch",
    ...at(place),
    message: `Article ${articleId} is not one of site ${siteId}.`,
    suggestion: `Take an article_id from GET /api/v1/agent/catalog/${siteId}/articles. Nothing was written.`,
    details: { article_id: articleId, site_id: siteId }
  }),
  ArticleUnavailable: ({ articleId, place }) => ({
    code: "article_unavailable",
    ...at(place),
    message: `Article ${articleId} is sold, or reserved by an open quote.`,
    suggestion: "Choose another article of the site, or order a new article instead. Nothing was written.",
    details: { article_id: articleId }
  }),
  CursorInvalid: ({ reason }) => ({
    code: "validation_failed",
    message: reason,
    param: "cursor",
    errors: [{ path: "cursor", message: reason }],
    suggestion:
      "Send next_cursor of the page before with the very same filters and sort, or leave cursor out to start again."
  }),
  ProjectNotFound: ({ projectId, place }) => ({
    code: "project_not_found",
    ...at(place),
    message: `There is no AI-visibility project ${clip(projectId)} in this account.`,
    suggestion: "List the projects with GET /api/v1/agent/ai-visibility/projects."
  }),
  SiteNotFound: ({ siteId, place }) => ({
    code: "site_not_found",
    ...at(place),
    message: `There is no site ${siteId}.`,
    suggestion: "Search GET /api/v1/agent/catalog and use a site's id.",
    details: { site_id: siteId }
  }),
  SiteUnavailable: ({ siteId, place }) => ({
    code: "site_unavailable",
    ...at(place),
    message: `Site ${siteId} takes no orders at present.`,
    suggestion: "Choose another site from GET /api/v1/agent/catalog. Nothing was written.",
    details: { site_id: siteId }
  })
}
