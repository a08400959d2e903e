// What one MCP endpoint offers: its tools, and the texts around them.
import { PURPOSE } from "#adapters/contract/shared/ServiceDescription.ts"
import type { Resource } from "#core/domain/access/AccessToken.ts"
import { FULL_TEXTS, ORDER_OF_CALLS, REFUSAL_RULE, UNTRUSTED_TEXT_RULE } from "./AboutTool.ts"
import { furtherTools } from "./FullTools.ts"
import type { Tool } from "./Tool.ts"
import { fullTools, tools } from "./Tools.ts"
import { inTermsOfAllTools, inTermsOfTools, type WordError } from "./ToolWording.ts"

export interface Surface {
  readonly path: "/mcp" | "/mcp/full" | "/mcp/catalog"
  /** What an access token must have been issued for. */
  readonly resource: Resource
  /** Clients show them to the model at the start. */
  readonly instructions: string
  /** In the order in which they are listed. */
  readonly tools: ReadonlyArray<Tool>
  /** An error as a model is told it that has these tools. */
  readonly wordError: WordError
}

interface BuyingTexts {
  readonly orderOfCalls: ReadonlyArray<string>
  readonly refusalRule: string
  /** Further sentences. */
  readonly more?: ReadonlyArray<string>
}

const instructionsWith = ({ orderOfCalls, refusalRule, more = [] }: BuyingTexts): string =>
  [
    PURPOSE,
    "How a purchase goes:",
    ...orderOfCalls.map((step) => `- ${step}`),
    `When a tool is refused: ${refusalRule}`,
    ...more,
    UNTRUSTED_TEXT_RULE
  ].join("\n")

const FULL_PATH = "/mcp/full"

/** A purchase, from the search to the published links. */
export const ordering: Surface = {
  path: "/mcp",
  resource: "service",
  instructions: instructionsWith({
    orderOfCalls: ORDER_OF_CALLS,
    refusalRule: REFUSAL_RULE,
    more: [
      `More tools, for the days after a purchase (${furtherTools.map(({ name }) => name).join(", ")}), are at ${FULL_PATH} of the same host, for the same key or connection: tell the user if one is wanted.`
    ]
  }),
  tools,
  wordError: inTermsOfTools
}

/** Everything that the service does for agents. */
export const full: Surface = {
  path: FULL_PATH,
  resource: "service",
  instructions: instructionsWith(FULL_TEXTS),
  tools: fullTools,
  wordError: inTermsOfAllTools
}
