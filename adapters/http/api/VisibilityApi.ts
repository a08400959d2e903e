import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Plan, ProjectList } from "#adapters/contract/catalogue/Visibility.ts"
import { PageQuery } from "#adapters/contract/schema/Paging.ts"
import { text } from "#adapters/contract/schema/Text.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { describe, errorsOf, PATH_ERRORS } from "./EndpointDescription.ts"

const listProjects = HttpApiEndpoint.get("listProjects", "/ai-visibility/projects", {
  query: PageQuery,
  success: ProjectList,
  error: errorsOf()
}).annotateMerge(describe("read", "List the account's AI-visibility projects"))

const getPlan = HttpApiEndpoint.get("getPlan", "/ai-visibility/projects/:id/plan", {
  params: { id: text(1).annotate({ description: "`project_id` of a project." }).pipe(idBrands.ProjectId) },
  success: Plan,
  error: errorsOf("project_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "read",
    "Read the order lines a project's open opportunities call for",
    "Show `items` with their rationale to the user; what the user agrees to can be posted unchanged as items of an order."
  )
)

export class VisibilityApi extends HttpApiGroup.make("aiVisibility")
  .add(listProjects, getPlan)
  .annotateMerge(
    OpenApi.annotations({
      title: "AI visibility",
      description: "Where AI assistants answer without the account's projects, and the links that would help."
    })
  ) {}
