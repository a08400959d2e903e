// What is wrong with the rows of one call taken together, each fault by the place of its row: things named twice, and rows that
// name something that is not there.
import type { FieldError } from "#adapters/contract/ErrorBody.ts"
import { normaliseCode } from "#core/domain/Promo.ts"
import type { AccountNotFound, ProjectNotFound, SiteNotFound } from "#core/domain/Refusal.ts"
import type { ArticleRow, OpportunityRow, ProjectRow, PromoRow, SiteRow } from "../records/GoodsRecords.ts"

export interface Goods {
  readonly sites: ReadonlyArray<SiteRow>
  readonly articles: ReadonlyArray<ArticleRow>
  readonly promos: ReadonlyArray<PromoRow>
  readonly projects: ReadonlyArray<ProjectRow>
  readonly opportunities: ReadonlyArray<OpportunityRow>
}

/** More faults than this are not listed; nobody corrects hundreds at once. */
const MAX_ERRORS = 50

const repeated = <Row>(
  rows: ReadonlyArray<Row>,
  idOf: (row: Row) => string | number,
  [list, field]: readonly [list: keyof Goods, field: string]
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

/** One listing of a thing says what it is; two in one call would not say which. */
export const twiceIn = ({ sites, articles, promos, projects, opportunities }: Goods): ReadonlyArray<FieldError> =>
  [
    ...repeated(sites, ({ siteId }) => siteId, ["sites", "siteId"]),
    ...repeated(articles, ({ articleId }) => articleId, ["articles", "articleId"]),
    ...repeated(promos, ({ code }) => normaliseCode(code), ["promos", "code"]),
    ...repeated(projects, ({ projectId }) => projectId, ["projects", "projectId"]),
    ...repeated(opportunities, ({ opportunityId }) => opportunityId, ["opportunities", "opportunityId"])
  ].slice(0, MAX_ERRORS)

const naming = <Row>(
  rows: ReadonlyArray<Row>,
  names: (row: Row) => boolean,
  path: (index: number) => string,
  message: string
): ReadonlyArray<FieldError> =>
  rows.flatMap((row, index) => (names(row) ? [{ path: path(index), message }] : [])).slice(0, MAX_ERRORS)

/** Every row that names what is missing. */
export const missingFrom = (
  { articles, projects, opportunities }: Goods,
  missing: SiteNotFound | AccountNotFound | ProjectNotFound
): ReadonlyArray<FieldError> => {
  switch (missing._tag) {
    case "SiteNotFound":
      return naming(
        articles,
        ({ siteId }) => siteId === missing.siteId,
        (index) => `articles[${index}].siteId`,
        `There is no site ${missing.siteId}, neither listed before nor in this call.`
      )
    case "AccountNotFound":
      return naming(
        projects,
        ({ accountId }) => accountId === missing.accountId,
        (index) => `projects[${index}].accountId`,
        "There is no such account."
      )
    case "ProjectNotFound":
      return naming(
        opportunities,
        ({ projectId }) => projectId === missing.projectId,
        (index) => `opportunities[${index}].projectId`,
        "There is no such project, neither listed before nor in this call."
      )
  }
}
