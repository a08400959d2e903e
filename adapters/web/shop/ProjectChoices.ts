// What a link may be ordered for: a project of AI visibility, or an open question of its plan.
import { Effect } from "effect"
import { isolated } from "#adapters/html/Html.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { PlanVisibility } from "#core/usecases/catalogue/PlanVisibility.ts"
import type { Choice } from "../form/Fields.ts"

/** The plans of the first projects are read; the others can be chosen as a whole. */
const PLANS_READ = 5

/** The value is the project's id, and after a blank that of the opportunity. */
export const projectChoices = Effect.fnUntraced(function* (account: { readonly accountId: AccountId }) {
  const visibility = yield* PlanVisibility
  const projects = (yield* visibility.projects(account)).map(({ project }) => project)
  const plans = yield* Effect.forEach(projects.slice(0, PLANS_READ), ({ projectId }) =>
    visibility.plan(account, projectId).pipe(
      Effect.map(({ lines }) => lines.map(({ opportunity }) => opportunity)),
      Effect.catchTag("ProjectNotFound", () => Effect.succeed([]))
    )
  )
  return projects.flatMap(
    ({ projectId, name, domain }, index): ReadonlyArray<Choice> => [
      { value: projectId, label: `${isolated(name)}, ${domain}` },
      ...(plans[index] ?? []).map(({ opportunityId, prompt, engine }) => ({
        value: `${projectId} ${opportunityId}`,
        label: `${isolated(name)}: “${isolated(prompt)}” (${engine})`
      }))
    ]
  )
})
