// Reads AI-visibility projects, and what their plans are made from, from the books. The plan itself is `core/domain`'s.
import { Effect, HashMap, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import { fold, type Site } from "#core/domain/Catalogue.ts"
import { type Opportunity, type Project, suits } from "#core/domain/Visibility.ts"
import { Projects } from "#core/ports/Projects.ts"
import { drawers } from "./Drawers.ts"
import { type Index, idsIn } from "./Indexes.ts"
import { MemoryBooks } from "./MemoryBooks.ts"

/** The different ranks in a drawer, each found at once however many entries share it. */
const ranksIn = (index: Index, drawer: string): ReadonlySet<number> => {
  const ranks = new Set<number>()
  const entries = index.drawer(drawer)
  let next = entries.first()
  while (next !== undefined) {
    ranks.add(next.rank)
    const [behind] = entries.after({ rank: next.rank, id: "\uffff" })
    next = behind
  }
  return ranks
}

export const layer: Layer.Layer<Projects, never, MemoryBooks> = Layer.effect(
  Projects,
  Effect.gen(function* () {
    const { current, index } = yield* MemoryBooks

    const opportunitiesOf = (projectId: string): ReadonlyArray<Opportunity> =>
      idsIn(index, drawers.opportunitiesOf(projectId)).flatMap((id) => find(current().opportunities, id) ?? [])

    const isOpen = ({ opportunityId }: Opportunity): boolean => index.drawer(drawers.linksFor(opportunityId)).size === 0

    const candidates = ({ language }: Project, open: ReadonlyArray<Opportunity>): ReadonlyArray<Site> => {
      const niches = new Set(open.map(({ niche }) => fold(niche)))
      return HashMap.toValues(current().sites).filter(
        (site) => niches.has(fold(site.nicheLabel)) && suits(site, site.nicheLabel, language)
      )
    }

    return Projects.of({
      ofAccount: (accountId) =>
        Effect.sync(() =>
          idsIn(index, drawers.projectsOf(accountId)).flatMap((projectId) => {
            const project = find(current().projects, projectId)
            if (project === undefined) return []
            const all = opportunitiesOf(projectId)
            return [{ project, opportunitiesTotal: all.length, opportunitiesOpen: all.filter(isOpen).length }]
          })
        ),
      planMaterial: (projectId) =>
        Effect.sync(() => {
          const project = find(current().projects, projectId)
          if (project === undefined) return null
          const open = opportunitiesOf(projectId).filter(isOpen)
          const { accountId, domain } = project
          const linkingSiteIds = ranksIn(index, drawers.linksInto(accountId, domain.toLowerCase()))
          return { project, open, candidates: candidates(project, open), linkingSiteIds }
        })
    })
  })
)
