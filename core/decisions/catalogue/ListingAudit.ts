// What the audit log tells of a listing: how many rows of which ids, and of each that replaced another what was before and after.
import type { Actor } from "#core/domain/members/Actor.ts"
import { normaliseCode } from "#core/domain/pricing/Promo.ts"
import type { OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Draft } from "../Draft.ts"

/** The rows of a listing. */
interface Rows {
  readonly sites: ReadonlyArray<{ readonly siteId: number }>
  readonly articles: ReadonlyArray<{ readonly articleId: number }>
  readonly promos: ReadonlyArray<{ readonly code: string }>
  readonly projects: ReadonlyArray<{ readonly projectId: ProjectId }>
  readonly opportunities: ReadonlyArray<{ readonly opportunityId: OpportunityId }>
}

interface Listed {
  readonly kind: string
  readonly id: string
  readonly before: object | undefined
  readonly after: object
}

const listedIn = (books: Books, { sites, articles, promos, projects, opportunities }: Rows): ReadonlyArray<Listed> => [
  ...sites.map((after) => ({ kind: "site", id: `${after.siteId}`, before: find(books.sites, after.siteId), after })),
  ...articles.map((after) => ({
    ...{ kind: "article", id: `${after.articleId}`, after },
    before: find(books.articles, after.articleId)
  })),
  ...promos.map((after) => {
    const code = normaliseCode(after.code)
    return { kind: "promo", id: code, before: find(books.promos, code), after: { ...after, code } }
  }),
  ...projects.map((after) => ({
    kind: "project",
    id: after.projectId,
    before: find(books.projects, after.projectId),
    after
  })),
  ...opportunities.map((after) => ({
    ...{ kind: "opportunity", id: after.opportunityId, after },
    before: find(books.opportunities, after.opportunityId)
  }))
]

/** The members that the listing has changed, as JSON; `null` without one. A member that it leaves out stays. */
const changeOf = ({ before, after }: Listed): { readonly before: string; readonly after: string } | null => {
  if (before === undefined) return null
  const had: Record<string, unknown> = { ...before }
  const changed = Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(had[name]))
  if (changed.length === 0) return null
  return {
    before: JSON.stringify(Object.fromEntries(changed.map(([name]) => [name, had[name] ?? null]))),
    after: JSON.stringify(Object.fromEntries(changed))
  }
}

/** `books` are those before the listing. */
export const auditListing = (draft: Draft, actor: Actor | null, books: Books, listing: Rows): void => {
  const rows = listedIn(books, listing)
  const { sites, articles, promos, projects, opportunities } = listing
  const counts = {
    sites: sites.length,
    articles: articles.length,
    promos: promos.length,
    projects: projects.length,
    opportunities: opportunities.length
  }
  const ids = Object.fromEntries(
    Object.entries(Object.groupBy(rows, ({ kind }) => kind)).map(([kind, of = []]) => [
      `${kind}_ids`,
      of.map(({ id }) => id).join(", ")
    ])
  )
  const details = { ...counts, ...ids }
  audit(draft, actor, { action: "catalogue.list", subject: "catalogue", accountId: null, details })
  for (const row of rows) {
    const change = changeOf(row)
    if (change === null) continue
    audit(draft, actor, { action: `${row.kind}.replace`, subject: row.id, accountId: null, details: change })
  }
}
