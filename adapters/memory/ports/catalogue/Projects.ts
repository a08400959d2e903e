// AI-visibility projects and the records that their plans are computed from, read from the books in memory.
import { Effect, HashMap, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import { foldText, type Site } from "#core/domain/catalogue/Catalogue.ts"
import { type Opportunity, type Project, suits } from "#core/domain/catalogue/Visibility.ts"
import type { ProjectId } from "#core/domain/shared/Ids.ts"
import { Projects } from "#core/ports/catalogue/Projects.ts"
import { rowsIn, scoresIn } from "../../books/Indexes.ts"
import { indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"

export const layer: Layer.Layer<Projects, never, MemoryBooks> = Layer.effect(
  Projects,
  Effect.gen(function* () {
    const { current, indexes } = yield* MemoryBooks

    const opportunitiesOf = (projectId: ProjectId): ReadonlyArray<Opportunity> =>
      rowsIn(current().opportunities, indexes, indexKeys.opportunitiesOf(projectId))

    const isOpen = ({ opportunityId }: Opportunity): boolean =>
      indexes.get(indexKeys.linksFor(opportunityId)).size === 0

    const candidates = ({ language }: Project, open: ReadonlyArray<Opportunity>): ReadonlyArray<Site> => {
      const niches = new Set(open.map(({ niche }) => foldText(niche)))
      return HashMap.toValues(current().sites).filter(
        (site) => niches.has(foldText(site.nicheLabel)) && suits(site, site.nicheLabel, language)
      )
    }

    return Projects.of({
      ofAccount: (accountId) =>
        Effect.sync(() =>
          rowsIn(current().projects, indexes, indexKeys.projectsOf(accountId)).map((project) => {
            const all = opportunitiesOf(project.projectId)
            return { project, opportunitiesTotal: all.length, opportunitiesOpen: all.filter(isOpen).length }
          })
        ),
      planMaterial: (projectId) =>
        Effect.sync(() => {
          const project = find(current().projects, projectId)
          if (project === undefined) return null
          const open = opportunitiesOf(projectId).filter(isOpen)
          const { accountId, domain } = project
          const linkingSiteIds = scoresIn(indexes, indexKeys.linksInto(accountId, "live", domain.toLowerCase()))
          return { project, open, candidates: candidates(project, open), linkingSiteIds }
        })
    })
  })
)
