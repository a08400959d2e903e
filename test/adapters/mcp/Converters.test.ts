// The tools as libraries for models give them to a model, judged by the published limits of models, and called by a model that is made
// up: it answers with one call of a tool, and is then told the result.

import { createMCPClient } from "@ai-sdk/mcp"
import { layer } from "@effect/vitest"
import { convertToOpenAITool } from "@langchain/core/utils/function_calling"
import { MultiServerMCPClient } from "@langchain/mcp-adapters"
import { Agent, MCPServerStreamableHttp, type Model, type ModelRequest, Runner, Usage } from "@openai/agents-core"
import { generateText, isStepCount } from "ai"
import { MockLanguageModelV4 } from "ai/test"
import { Effect } from "effect"
import { expect } from "vitest"
import { fullTools, tools } from "#adapters/mcp/Tools.ts"
import { item } from "#test/scenarios/Buyers.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"
import { bearer } from "./Clients.ts"
import { type FunctionShape, faultsOf, type Limits, limits } from "./PublishedLimits.ts"
import { withoutWarnings } from "./StrictFunction.ts"
import { type CustomerWithOrder, customerWithOrder } from "./ToolCalls.ts"

type Arguments = Readonly<Record<string, unknown>>

/** What each tool requires. */
const required = ({ siteId, projectId, placed, linkId }: CustomerWithOrder): Readonly<Record<string, Arguments>> => ({
  get_site: { site_id: siteId },
  list_site_articles: { site_id: siteId },
  create_order: { items: [item(siteId)], dry_run: true },
  get_quote_status: { quote_id: placed.quote_id },
  get_order_status: { order_id: placed.order_id },
  get_ai_visibility_plan: { project_id: projectId },
  cancel_links: { order_id: placed.order_id, only: "cancellable" },
  change_link: { order_id: placed.order_id, link_id: linkId, anchor_text: "another page", dry_run: true },
  request_top_up: { amount_eur: 50 }
})

interface Library {
  readonly functions: ReadonlyArray<FunctionShape & { readonly strict?: boolean }>
  /** The model calls the tool; returns all that it is told of the result. */
  readonly call: (name: string, args: Arguments) => Promise<string>
  readonly close: () => Promise<void>
}

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}

const aiSdk = async (url: string, key: string): Promise<Library> => {
  const client = await createMCPClient({ transport: { type: "http", url, headers: bearer(key) } })
  const converted = await client.tools()
  const ask = async (toolName: string, args: Arguments) => {
    const common = { usage: USAGE, warnings: [] }
    const input = JSON.stringify(args)
    const model = new MockLanguageModelV4({
      doGenerate: [
        {
          ...common,
          content: [{ type: "tool-call", toolCallId: "1", toolName, input }],
          finishReason: { unified: "tool-calls", raw: undefined }
        },
        { ...common, content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop", raw: undefined } }
      ]
    })
    await generateText({ model, tools: converted, prompt: "Go.", stopWhen: isStepCount(2) })
    return model.doGenerateCalls
  }
  const [first] = await ask("about", {})
  return {
    functions: (first?.tools ?? []).flatMap((tool) =>
      tool.type === "function"
        ? [{ name: tool.name, description: tool.description ?? "", schema: tool.inputSchema }]
        : []
    ),
    call: async (name, args) =>
      JSON.stringify((await ask(name, args))[1]?.prompt.filter(({ role }) => role === "tool")),
    close: () => client.close()
  }
}

const agents = async (url: string, key: string): Promise<Library> => {
  const server = new MCPServerStreamableHttp({ url, cacheToolsList: true, requestInit: { headers: bearer(key) } })
  await server.connect()
  const ask = async (name: string, args: Arguments) => {
    const requests: Array<ModelRequest> = []
    const model: Model = {
      getResponse: (request) => {
        requests.push(request)
        const call = { type: "function_call", callId: "1", name, arguments: JSON.stringify(args) } as const
        const done = { type: "message", role: "assistant", status: "completed" } as const
        return Promise.resolve({
          usage: new Usage(),
          output: requests.length === 1 ? [call] : [{ ...done, content: [{ type: "output_text", text: "Done." }] }]
        })
      },
      getStreamedResponse: () => {
        throw new Error("This model does not stream.")
      }
    }
    const agent = new Agent({ name: "Buyer", model, mcpServers: [server], mcpConfig: { convertSchemasToStrict: true } })
    await withoutWarnings(() => new Runner({ tracingDisabled: true }).run(agent, "Go."))
    return requests
  }
  const [first] = await ask("about", {})
  return {
    functions: (first?.tools ?? []).flatMap((tool) =>
      tool.type === "function"
        ? [{ name: tool.name, description: tool.description, schema: tool.parameters, strict: tool.strict }]
        : []
    ),
    call: async (name, args) => JSON.stringify((await ask(name, args))[1]?.input),
    close: () => server.close()
  }
}

const langChain = async (url: string, key: string): Promise<Library> => {
  const client = new MultiServerMCPClient({ shop: { transport: "http", url, headers: bearer(key) } })
  const converted = await client.getTools()
  return {
    functions: converted.map((tool) => {
      const { function: shape } = convertToOpenAITool(tool)
      return { name: shape.name, description: shape.description ?? "", schema: shape.parameters }
    }),
    call: async (name, args) => {
      const tool = converted.find((one) => one.name === name)
      return JSON.stringify(await tool?.invoke({ type: "tool_call", id: "1", name, args }))
    },
    close: () => client.close()
  }
}

const openModels: ReadonlyArray<Limits> = [limits.OpenAI, limits.Anthropic]

/**
 * The library, the limits that what it makes is to keep, and whether its schemas make a model send `null` for what is optional. That
 * library leaves such nulls out of the call again; `ModelClients.test.ts` has those that do not.
 */
const libraries = {
  // It closes the root of each schema by `additionalProperties`, so that the rest is for its provider for Gemini, which is not tried.
  "AI SDK": { connect: aiSdk, models: openModels, sendsNull: false },
  "openai-agents, strict": { connect: agents, models: [limits["OpenAI, strict"]], sendsNull: true },
  LangChain: { connect: langChain, models: [...openModels, limits.Gemini], sendsNull: false }
} as const

/** The lists of tools, and those of each that are called. */
const surfaces = [
  ["/mcp", tools, tools],
  [
    "/mcp/full",
    fullTools,
    fullTools.filter(({ name }) => name === "create_order" || !tools.some((one) => one.name === name))
  ]
] as const

/** Every argument of the tool, `null` where it is not given. */
const spelledOut = (tool: string, given: Arguments): Arguments => {
  const shown = fullTools.find(({ name }) => name === tool)?.inputSchema.properties ?? {}
  return { ...Object.fromEntries(Object.keys(shown).map((name) => [name, null])), ...given }
}

layer(shop(), { excludeTestServices: true })("tools as libraries for models convert them", (it) => {
  for (const [library, { connect, models, sendsNull }] of Object.entries(libraries)) {
    it.effect.each(surfaces)(`${library}: %s`, ([path, listed, called]) =>
      Effect.gen(function* () {
        const { url } = yield* RunningService
        const who = yield* customerWithOrder()
        const { functions, call } = yield* Effect.acquireRelease(
          Effect.promise(() => connect(`${url}${path}`, who.key)),
          ({ close }) => Effect.promise(close)
        )
        expect(functions.map((shape) => shape.name)).toStrictEqual(listed.map((tool) => tool.name))
        for (const shape of functions)
          for (const published of shape.strict === false ? [limits.OpenAI] : models)
            expect(faultsOf(published, shape), shape.name).toStrictEqual([])
        for (const { name } of called) {
          const given = required(who)[name] ?? {}
          const told = yield* Effect.promise(() => call(name, sendsNull ? spelledOut(name, given) : given))
          expect(told, name).toMatch(/\\"ok\\+":true/)
        }
      })
    )
  }
})
