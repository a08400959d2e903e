// What one MCP endpoint offers: its tools, and the texts around them.
import { PURPOSE } from "#adapters/contract/shared/ServiceDescription.ts"
import type { Resource } from "#core/domain/access/AccessToken.ts"
import { ORDER_OF_CALLS, REFUSAL_RULE, UNTRUSTED_TEXT_RULE } from "./AboutTool.ts"
import type { Tool } from "./Tool.ts"
import { tools } from "./Tools.ts"
import { inTermsOfTools, type WordError } from "./ToolWording.ts"

export interface Surface {
  readonly path: "/mcp" | "/mcp/catalog"
  /** What an access token must have been issued for. */
  readonly resource: Resource
  /** Clients show them to the model at the start. */
  readonly instructions: string
  /** In the order in which they are listed. */
  readonly tools: ReadonlyArray<Tool>
  /** An error as a model is told it that has these tools. */
  readonly wordError: WordError
}

/** Everything that the service does for agents. */
export const ordering: Surface = {
  path: "/mcp",
  resource: "service",
  instructions: [
    PURPOSE,
    "How a purchase goes:",
    ...ORDER_OF_CALLS.map((step) => `- ${step}`),
    `When a tool is refused: ${REFUSAL_RULE}`,
    UNTRUSTED_TEXT_RULE
  ].join("\n"),
  tools,
  wordError: inTermsOfTools
}
