// A tool as the agents library of OpenAI gives it to a model in strict mode.
import { MCPServerStreamableHttp, mcpToFunctionTool } from "@openai/agents-core"
import type { FunctionShape } from "./PublishedLimits.ts"

/** Only names the server: converting calls nothing. */
const server = new MCPServerStreamableHttp({ url: "http://127.0.0.1:9/mcp" })

export const strictFunction = ({
  name,
  description,
  schema
}: FunctionShape): FunctionShape & { readonly strict: boolean } => {
  const inputSchema = JSON.parse(JSON.stringify(schema))
  const converted = mcpToFunctionTool({ name, description, inputSchema }, server, true)
  return {
    name: converted.name,
    description: converted.description,
    schema: converted.parameters,
    strict: converted.strict
  }
}
