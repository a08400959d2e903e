// Serves AI-visibility projects and their plans.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { showPlan, showProject } from "#adapters/contract/Visibility.ts"
import { PlanVisibility } from "#core/usecases/PlanVisibility.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { withErrorResponses } from "../ErrorResponses.ts"
import { withMinimalContext } from "../MinimalContext.ts"

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

    return withMinimalContext(
      HttpApiBuilder.group(Api, "aiVisibility", (handlers) =>
        handlers.handleAll({
          listProjects: () => withErrorResponses(projects),
          getPlan: ({ params }) => withErrorResponses(plan(params.id))
        })
      )
    )
  })
)
