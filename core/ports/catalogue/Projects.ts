// Reads AI-visibility projects and the input of their plans.
import { Context, type Effect } from "effect"
import type { Site } from "#core/domain/catalogue/Catalogue.ts"
import type { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import type { AccountId, ProjectId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface ProjectSummary {
  readonly project: Project
  readonly opportunitiesTotal: number
  /** Those without a live link that is not cancelled. */
  readonly opportunitiesOpen: number
}

export interface PlanMaterial {
  readonly project: Project
  readonly open: ReadonlyArray<Opportunity>
  /** Open sites of the project's language in the niches of `open`: at least the strongest 60 of each niche that do not link yet. */
  readonly candidates: ReadonlyArray<Site>
  /** Sites with a live link of this account, not cancelled, to the project's domain or a subdomain of it. */
  readonly linkingSiteIds: ReadonlySet<number>
}

export class Projects extends Context.Service<
  Projects,
  {
    readonly ofAccount: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ProjectSummary>, StoreUnavailable>
    readonly planMaterial: (projectId: ProjectId) => Effect.Effect<PlanMaterial | null, StoreUnavailable>
  }
>()("backlinks/ports/catalogue/Projects") {}
