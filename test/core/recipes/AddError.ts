// "Add an error": a plan for a project without an open opportunity is refused.
import { after, before, instead } from "./Edit.ts"
import { compiler, type Recipe, test } from "./Recipe.ts"

const REFUSALS = "core/domain/catalogue/CatalogueRefusal.ts"
const USE_CASE = "core/usecases/catalogue/PlanVisibility.ts"
const WORDING = "adapters/contract/errors/CatalogueErrors.ts"
const ADVICE = "adapters/http/docs/page/ErrorAdvice.ts"
const SAMPLES = "test/adapters/contract/errors/FailureSamples.ts"
const TABLE_TEST = "test/adapters/contract/errors/ErrorTable.test.ts"

export const addError: Recipe = {
  title: "add an error",
  beginning: [
    before(
      REFUSALS,
      "export type CatalogueRefusal =",
      "/** The project has no open opportunity. */",
      'export class ProjectIdle extends Schema.TaggedError<ProjectIdle>()("ProjectIdle", { projectId: ProjectId }) {}',
      ""
    ),
    instead(
      USE_CASE,
      "import { ProjectNotFound } from",
      'import { ProjectIdle, ProjectNotFound } from "#core/domain/catalogue/CatalogueRefusal.ts"'
    ),
    instead(
      USE_CASE,
      "Effect.Effect<VisibilityPlan,",
      "    ) => Effect.Effect<VisibilityPlan, ProjectIdle | ProjectNotFound | StoreUnavailable>"
    ),
    before(
      USE_CASE,
      "const lines = plan(",
      "          if (open.length === 0) return yield* new ProjectIdle({ projectId })"
    )
  ],
  steps: [
    [
      {
        what: "the union of the feature's refusals",
        edits: [before(REFUSALS, "  | ProjectNotFound", "  | ProjectIdle")],
        told: compiler(
          "adapters/http/operations/VisibilityOperations.ts",
          /'ProjectIdle' is not assignable to type 'Failure'/
        )
      }
    ],
    [
      {
        what: "the wording",
        edits: [
          before(
            WORDING,
            "  ProjectNotFound: (",
            "  ProjectIdle: ({ projectId }) => ({",
            '    code: "project_idle",',
            // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the edit
            "    message: `The project ${safeExcerpt(projectId)} has no open opportunity.`,",
            '    suggestion: "Choose another one of GET /api/v1/agent/ai-visibility/projects."',
            "  }),"
          )
        ],
        told: compiler("adapters/contract/errors/ErrorTable.ts", /'ProjectIdle' is missing/)
      },
      {
        what: "a sample for the tests",
        edits: [
          before(
            SAMPLES,
            "  ProjectNotFound: [",
            "  ProjectIdle: [new CatalogueRefusal.ProjectIdle({ projectId: ProjectId.make(long) })],"
          )
        ],
        told: compiler(SAMPLES, /'ProjectIdle' is missing/)
      }
    ],
    [
      {
        what: "the code with its status",
        edits: [
          after(
            "adapters/contract/errors/ErrorCode.ts",
            "  project_not_found: correct(404)",
            "  project_idle: correct(409),"
          )
        ],
        told: compiler(WORDING, /code: "project_idle";.* is not assignable to type 'ErrorText'/)
      }
    ],
    [
      {
        what: "the documented codes",
        edits: [after(TABLE_TEST, '    "webhook_limit_reached",', '    "project_idle",')],
        told: test(TABLE_TEST, "has exactly the documented codes", /409 project_idle/)
      },
      {
        what: "what a reader of the reference does about it",
        edits: [before(ADVICE, "  project_not_found:", '  project_idle: "Choose another project.",')],
        told: compiler(ADVICE, /'project_idle' is missing/)
      },
      {
        what: "what an agent is told to do",
        edits: [
          before(
            "adapters/mcp/ToolWording.ts",
            "  project_not_found: () =>",
            '  project_idle: () => "Choose another project with list_ai_visibility_projects.",'
          )
        ],
        told: test(
          "test/adapters/mcp/ToolWording.test.ts",
          "ProjectIdle",
          /errors in terms of the tools of \/mcp > ProjectIdle/
        )
      }
    ]
  ]
}
