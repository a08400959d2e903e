// A tool as the agents library of OpenAI gives it to a model in strict mode.
import { MCPServerStreamableHttp, mcpToFunctionTool } from "@openai/agents-core"
import { vi } from "vitest"
import type { FunctionShape } from "./PublishedLimits.ts"

/** The library warns of each tool that it cannot give to the model in strict mode, whenever it converts it. */
export const withoutWarnings = async <A>(run: () => Promise<A>): Promise<A> => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {})
  return run().finally(() => warn.mockRestore())
}

/** Only names the server: converting calls nothing. */
const server = new MCPServerStreamableHttp({ url: "http://127.0.0.1:9/mcp" })

export const strictFunction = async ({
  name,
  description,
  schema
}: FunctionShape): Promise<FunctionShape & { readonly strict: boolean }> => {
  const inputSchema = JSON.parse(JSON.stringify(schema))
  const converted = await withoutWarnings(async () =>
    mcpToFunctionTool({ name, description, inputSchema }, server, true)
  )
  return {
    name: converted.name,
    description: converted.description,
    schema: converted.parameters,
    strict: converted.strict
  }
}
