// The tools of AI visibility: projects, and the links that a project's plan proposes.
import { Schema } from "effect"
import { PAGE_SIZE, PageQuery } from "#adapters/contract/schema/Paging.ts"
import { text } from "#adapters/contract/schema/Text.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { readTool } from "./Tool.ts"

export const listAiVisibilityProjects = readTool({
  name: "list_ai_visibility_projects",
  title: "List AI-visibility projects",
  description: [
    "Lists the account's AI-visibility projects: domains that the user wants AI assistants to mention, with how many opportunities are still open.",
    "Use it when the user wants to be mentioned by AI assistants, to get the `project_id` for get_ai_visibility_plan. Free.",
    "If there are none, tell the user, and find sites with search_sites instead."
  ],
  input: PageQuery,
  operation: "listProjects",
  pageSize: PAGE_SIZE
})

export const getAiVisibilityPlan = readTool({
  name: "get_ai_visibility_plan",
  title: "Read a project's proposed links",
  description: [
    "Proposes up to 20 links for the open opportunities of a project, each with the question people ask, the assistant that answers it without the project, and the reason for the site.",
    "Use it when the user wants to act on a project. Free; nothing is ordered.",
    "Show the proposals with `rationale` and `estimated_total_eur` to the user. Pass those the user agrees to, unchanged, as `items` of create_order.",
    "If there are none, every opportunity has its link, or no site fits: tell the user."
  ],
  othersTexts: ["prompt", "engine", "reason"],
  input: Schema.Struct({
    project_id: text(1)
      .annotate({ description: "`project_id`, from list_ai_visibility_projects." })
      .pipe(idBrands.ProjectId)
  }),
  operation: "getPlan",
  idArgument: "project_id"
})
