// AI-visibility projects and the records that their plans are computed from, read from the books in memory.
import { HashMap } from "effect"
import { find } from "#core/decisions/Books.ts"
import { foldText, type Site } from "#core/domain/catalogue/Catalogue.ts"
import { type Opportunity, type Project, suits } from "#core/domain/catalogue/Visibility.ts"
import type { ProjectId } from "#core/domain/shared/Ids.ts"
import { Projects } from "#core/ports/catalogue/Projects.ts"
import { linksInto } from "../../books/AccountLinks.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { rowsWhere, sorted } from "../../books/Rows.ts"

export const layer = overBooks(Projects, ({ current }) => {
  const opportunitiesOf = (projectId: ProjectId): ReadonlyArray<Opportunity> =>
    sorted(
      rowsWhere(current().opportunities, (one) => one.projectId === projectId),
      { by: ({ position, opportunityId }) => [position, opportunityId] }
    )

  const isOpen = ({ opportunityId }: Opportunity): boolean =>
    rowsWhere(
      current().links,
      (link) => link.opportunityId === opportunityId && link.mode === "live" && link.status !== "cancelled"
    ).length === 0

  const candidates = ({ language }: Project, open: ReadonlyArray<Opportunity>): ReadonlyArray<Site> => {
    const niches = new Set(open.map(({ niche }) => foldText(niche)))
    return HashMap.toValues(current().sites).filter(
      (site) => niches.has(foldText(site.nicheLabel)) && suits(site, site.nicheLabel, language)
    )
  }

  return {
    ofAccount: (accountId) =>
      sorted(
        rowsWhere(current().projects, (one) => one.accountId === accountId),
        { by: ({ projectId }) => [projectId] }
      ).map((project) => {
        const all = opportunitiesOf(project.projectId)
        return { project, opportunitiesTotal: all.length, opportunitiesOpen: all.filter(isOpen).length }
      }),
    planMaterial: (projectId) => {
      const project = find(current().projects, projectId)
      if (project === undefined) return null
      const open = opportunitiesOf(projectId).filter(isOpen)
      const { accountId, domain } = project
      const linkingSiteIds = new Set(linksInto(current(), accountId, "live", domain).map(({ siteId }) => siteId))
      return { project, open, candidates: candidates(project, open), linkingSiteIds }
    }
  }
})
