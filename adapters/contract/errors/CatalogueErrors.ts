// Wording of refusals about sites, articles, projects and cursors.
import type { RowFault } from "#core/domain/catalogue/CatalogueRefusal.ts"
import type { FieldError } from "./ErrorBody.ts"
import { invalidFields, paramOf, type RefusalTexts, safeExcerpt } from "./ErrorText.ts"

/** Further rows are left out. */
const MAX_ROWS_NAMED = 50

const missingText = (member: RowFault["member"]): string => {
  if (member === "siteId") return "There is no such site; import sites first."
  return member === "accountId" ? "There is no such account." : "There is no such project; import projects first."
}

/** What is wrong with a row. `sameAs` names another row of the listing. */
export const rowFaultText = ({ member, fault }: RowFault, sameAs: (index: number) => string): string => {
  if (fault === "missing") return missingText(member)
  if ("sameAs" in fault) return sameAs(fault.sameAs)
  if ("heldBy" in fault)
    return `Site ${fault.heldBy} has this domain, and a domain is that of one site. If another row gives that site another domain, both are written in one call: put them next to each other at the top of the file.`
  return `The site was ordered as ${fault.orderedAs}: its domain changes only with --change-domain (changeDomain in a call).`
}

const listedRow = (row: RowFault): FieldError => ({
  path: `${row.list}[${row.index}].${row.member}`,
  message: rowFaultText(row, (index) => `Is the same as in ${row.list}[${index}].`)
})

export const catalogueRefusals = {
  ArticleSiteMismatch: ({ articleId, siteId, path }) => ({
    code: "article_site_mismatch",
    ...paramOf(path),
    message: `Article ${articleId} is not one of site ${siteId}.`,
    suggestion: `Take an article_id from GET /api/v1/agent/catalog/${siteId}/articles. Nothing was written.`,
    details: { article_id: articleId, site_id: siteId }
  }),
  ArticleUnavailable: ({ articleId, path }) => ({
    code: "article_unavailable",
    ...paramOf(path),
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
  ListingRefused: ({ faults: [first, ...others] }) =>
    invalidFields([listedRow(first), ...others.slice(0, MAX_ROWS_NAMED - 1).map(listedRow)]),
  ProjectNotFound: ({ projectId, path }) => ({
    code: "project_not_found",
    ...paramOf(path),
    message: `There is no AI-visibility project ${safeExcerpt(projectId)} in this account.`,
    suggestion: "List the projects with GET /api/v1/agent/ai-visibility/projects."
  }),
  SiteNotFound: ({ siteId, path }) => ({
    code: "site_not_found",
    ...paramOf(path),
    message: `There is no site ${siteId}.`,
    suggestion: "Search GET /api/v1/agent/catalog and use a site's id.",
    details: { site_id: siteId }
  }),
  SiteUnavailable: ({ siteId, path }) => ({
    code: "site_unavailable",
    ...paramOf(path),
    message: `Site ${siteId} takes no orders at present.`,
    suggestion: "Choose another site from GET /api/v1/agent/catalog. Nothing was written.",
    details: { site_id: siteId }
  })
} satisfies RefusalTexts
