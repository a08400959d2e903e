// Serves AI-visibility projects and their plans.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { showPlan, showProject } from "#adapters/contract/ShowPlan.ts"
import { PlanVisibility } from "#core/usecases/PlanVisibility.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { leanGroup } from "../LeanGroup.ts"
import { refusing } from "../Refusing.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const visibility = yield* PlanVisibility

    const projects = Effect.gen(function* () {
      const caller = yield* CurrentCaller
      const found = yield* visibility.projects(caller)
      return {
        ok: true as const,
        count: found.length,
        projects: found.map(showProject),
        sandbox: caller.mode === "sandbox"
      }
    })

    const plan = Effect.fnUntraced(function* (projectId: string) {
      const caller = yield* CurrentCaller
      return showPlan(yield* visibility.plan(caller, projectId), caller.mode === "sandbox")
    })

    return leanGroup(
      HttpApiBuilder.group(Api, "aiVisibility", (handlers) =>
        handlers.handleAll({
          listProjects: () => refusing(projects),
          getPlan: ({ params }) => refusing(plan(params.id))
        })
      )
    )
  })
)
