// Lists an account's AI-visibility projects and plans orders for them: lines that can be reviewed and ordered as they are.
import { Context, Effect, Layer } from "effect"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { ProjectNotFound } from "#core/domain/catalogue/CatalogueRefusal.ts"
import { type PlanLine, type Project, plan } from "#core/domain/catalogue/Visibility.ts"
import { sum } from "#core/domain/pricing/Money.ts"
import { linePriceCents } from "#core/domain/pricing/Pricing.ts"
import type { ProjectId } from "#core/domain/shared/Ids.ts"
import { type ProjectSummary, Projects } from "#core/ports/catalogue/Projects.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"

type Owner = Pick<Caller, "accountId">

export interface VisibilityPlan {
  readonly project: Project
  readonly lines: ReadonlyArray<PlanLine>
  /** The sum of the lines' prices, before any discount. */
  readonly estimatedTotalCents: number
}

export interface ProjectPage {
  readonly projects: ReadonlyArray<ProjectSummary>
  /** The `afterId` of the next page. */
  readonly nextAfterId: ProjectId | null
}

const idOf = ({ project }: ProjectSummary): ProjectId => project.projectId

const pageOf = (all: ReadonlyArray<ProjectSummary>, limit: number, afterId: ProjectId | ""): ProjectPage => {
  const left = all.filter((one) => idOf(one) > afterId).toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  const last = left.length > limit ? left[limit - 1] : undefined
  return { projects: left.slice(0, limit), nextAfterId: last === undefined ? null : idOf(last) }
}

export class PlanVisibility extends Context.Service<
  PlanVisibility,
  {
    readonly projects: (caller: Owner) => Effect.Effect<ReadonlyArray<ProjectSummary>, StoreUnavailable>
    /** Projects by id, after the given one. An account has few enough to read them all for a page. */
    readonly projectPage: (
      caller: Owner,
      page: { readonly limit: number; readonly afterId: ProjectId | "" }
    ) => Effect.Effect<ProjectPage, StoreUnavailable>
    readonly plan: (
      caller: Owner,
      projectId: ProjectId
    ) => Effect.Effect<VisibilityPlan, ProjectNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/catalogue/PlanVisibility") {
  static readonly layer = Layer.effect(
    PlanVisibility,
    Effect.gen(function* () {
      const projects = yield* Projects
      const { settings } = yield* ServiceContext

      return PlanVisibility.of({
        projects: Effect.fn("PlanVisibility.projects")(({ accountId }) => projects.ofAccount(accountId)),
        projectPage: Effect.fn("PlanVisibility.projectPage")(({ accountId }, { limit, afterId }) =>
          Effect.map(projects.ofAccount(accountId), (all) => pageOf(all, limit, afterId))
        ),
        plan: Effect.fn("PlanVisibility.plan")(function* (caller, projectId) {
          const material = yield* projects.planMaterial(projectId)
          if (material === null || material.project.accountId !== caller.accountId) {
            return yield* new ProjectNotFound({ projectId })
          }
          const { project, open, candidates, linkingSiteIds } = material
          const lines = plan(project, open, candidates, linkingSiteIds)
          const prices = lines.map(({ item, site }) => linePriceCents(item, site, undefined, settings.tier2PricesCents))
          return { project, lines, estimatedTotalCents: sum(prices) }
        })
      })
    })
  )
}
