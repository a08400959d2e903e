// Errors across the rows of one catalogue update, by path: duplicates, and references to records that do not exist.
import type { FieldError } from "#adapters/contract/errors/ErrorBody.ts"
import type { ProjectNotFound, SiteNotFound } from "#core/domain/catalogue/CatalogueRefusal.ts"
import type { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { normaliseCode } from "#core/domain/pricing/Promo.ts"
import type { ArticleRow, OpportunityRow, ProjectRow, PromoRow, SiteRow } from "../records/CatalogueRecords.ts"

export interface CatalogueUpdate {
  readonly sites: ReadonlyArray<SiteRow>
  readonly articles: ReadonlyArray<ArticleRow>
  readonly promos: ReadonlyArray<PromoRow>
  readonly projects: ReadonlyArray<ProjectRow>
  readonly opportunities: ReadonlyArray<OpportunityRow>
}

/** Further errors are left out. */
const MAX_ERRORS = 50

const duplicates = <Row>(
  rows: ReadonlyArray<Row>,
  idOf: (row: Row) => string | number,
  [list, field]: readonly [list: keyof CatalogueUpdate, field: string]
): ReadonlyArray<FieldError> => {
  const firstOf = new Map<string | number, number>()
  return rows.flatMap((row, index) => {
    const first = firstOf.get(idOf(row))
    if (first !== undefined) {
      return [{ path: `${list}[${index}].${field}`, message: `Is the same as in ${list}[${first}].` }]
    }
    firstOf.set(idOf(row), index)
    return []
  })
}

/** Two rows with one id or code in a call would leave open which of them counts. */
export const duplicateErrors = ({
  sites,
  articles,
  promos,
  projects,
  opportunities
}: CatalogueUpdate): ReadonlyArray<FieldError> =>
  [
    ...duplicates(sites, ({ siteId }) => siteId, ["sites", "siteId"]),
    ...duplicates(articles, ({ articleId }) => articleId, ["articles", "articleId"]),
    ...duplicates(promos, ({ code }) => normaliseCode(code), ["promos", "code"]),
    ...duplicates(projects, ({ projectId }) => projectId, ["projects", "projectId"]),
    ...duplicates(opportunities, ({ opportunityId }) => opportunityId, ["opportunities", "opportunityId"])
  ].slice(0, MAX_ERRORS)

const referring = <Row>(
  rows: ReadonlyArray<Row>,
  names: (row: Row) => boolean,
  path: (index: number) => string,
  message: string
): ReadonlyArray<FieldError> =>
  rows.flatMap((row, index) => (names(row) ? [{ path: path(index), message }] : [])).slice(0, MAX_ERRORS)

/** Every row that refers to the missing record. */
export const missingReferenceErrors = (
  { articles, projects, opportunities }: CatalogueUpdate,
  missing: SiteNotFound | AccountNotFound | ProjectNotFound
): ReadonlyArray<FieldError> => {
  switch (missing._tag) {
    case "SiteNotFound":
      return referring(
        articles,
        ({ siteId }) => siteId === missing.siteId,
        (index) => `articles[${index}].siteId`,
        `There is no site ${missing.siteId}, neither listed before nor in this call.`
      )
    case "AccountNotFound":
      return referring(
        projects,
        ({ accountId }) => accountId === missing.accountId,
        (index) => `projects[${index}].accountId`,
        "There is no such account."
      )
    case "ProjectNotFound":
      return referring(
        opportunities,
        ({ projectId }) => projectId === missing.projectId,
        (index) => `opportunities[${index}].projectId`,
        "There is no such project, neither listed before nor in this call."
      )
  }
}
