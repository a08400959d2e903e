// Operations of AI visibility: projects and their plans.
import { Effect } from "effect"
import { showPlan, showProject } from "#adapters/contract/catalogue/Visibility.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { ProjectId } from "#core/domain/shared/Ids.ts"
import { PlanVisibility } from "#core/usecases/catalogue/PlanVisibility.ts"
import type { VisibilityApi } from "../api/VisibilityApi.ts"
import type { OperationsOf } from "./Operation.ts"

const projectCursor = pageCursor("projects", ProjectId)

export const visibilityOperations = Effect.map(
  PlanVisibility,
  (visibility): OperationsOf<typeof VisibilityApi> => ({
    listProjects: Effect.fnUntraced(function* (caller, { query: { limit = PAGE_SIZE, cursor } }) {
      const afterId = (yield* Effect.fromResult(projectCursor.begin({}, cursor))) ?? ""
      const { projects, nextAfterId } = yield* visibility.projectPage(caller, { limit, afterId })
      return {
        ok: true,
        count: projects.length,
        projects: projects.map(showProject),
        ...projectCursor.next({}, nextAfterId),
        sandbox: caller.mode === "sandbox"
      }
    }),

    getPlan: (caller, { params }) =>
      Effect.map(visibility.plan(caller, params.id), (plan) => showPlan(plan, caller.mode === "sandbox"))
  })
)
