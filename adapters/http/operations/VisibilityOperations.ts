// Operations of AI visibility: projects and their plans.
import { Effect } from "effect"
import { showPlan, showProject } from "#adapters/contract/Visibility.ts"
import { PlanVisibility } from "#core/usecases/PlanVisibility.ts"
import type { VisibilityApi } from "../api/VisibilityApi.ts"
import type { OperationsOf } from "./Operation.ts"

export const visibilityOperations = Effect.map(
  PlanVisibility,
  (visibility): OperationsOf<typeof VisibilityApi> => ({
    listProjects: Effect.fnUntraced(function* (caller) {
      const projects = yield* visibility.projects(caller)
      return {
        ok: true,
        count: projects.length,
        projects: projects.map(showProject),
        sandbox: caller.mode === "sandbox"
      }
    }),

    getPlan: (caller, { params }) =>
      Effect.map(visibility.plan(caller, params.id), (plan) => showPlan(plan, caller.mode === "sandbox"))
  })
)
