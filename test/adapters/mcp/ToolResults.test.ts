// Every tool on both servers, with real clients of both generations: the result is the REST body of the same call, as structure
// and as text, and matches the tool's output schema; a refusal is the REST error body.
import { layer } from "@effect/vitest"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { fullTools, tools } from "#adapters/mcp/Tools.ts"
import { inTermsOfAllTools, inTermsOfTools } from "#adapters/mcp/ToolWording.ts"
import { type Buyer, freshKey, item } from "#test/scenarios/Buyers.ts"
import { postOrder, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { bearer, connectors, type McpClient, type Result } from "./Clients.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"
import {
  callRest,
  callsOfCustomer,
  commonCalls,
  customerWithOrder,
  furtherCalls,
  newCustomer,
  refusedCalls,
  refusedFurtherCalls,
  type ToolCall
} from "./ToolCalls.ts"

const ajv = new AjvJsonSchemaValidator()

type Validator = ReturnType<AjvJsonSchemaValidator["getValidator"]>

/** Schemas take longer to compile than all calls take, and are the same on both servers. */
const validators = new Map<string, Validator>()

const validatorOf = (schema: object): Validator => {
  const text = JSON.stringify(schema)
  const validator = validators.get(text) ?? ajv.getValidator(schema)
  validators.set(text, validator)
  return validator
}

const expectFits = (client: McpClient, tool: string, value: unknown) => {
  const outputSchema = client.tools.find(({ name }) => name === tool)?.outputSchema
  expect(outputSchema).toBeTypeOf("object")
  expect(validatorOf(outputSchema as object)(value), tool).toMatchObject({ valid: true }) // an object, as just seen
}

const textOf = ({ content: [{ text }] }: Result): string => text

const expectSame = Effect.fnUntraced(function* (client: McpClient, { key }: Pick<Buyer, "key">, toolCall: ToolCall) {
  const rest = yield* callRest(toolCall, key)
  const result = yield* client.call(toolCall.tool, toolCall.args)
  expect(rest.status, rest.text).toBeLessThan(300)
  expect(result.isError, textOf(result)).toBeUndefined()
  expectFits(client, toolCall.tool, result.structuredContent)
  expect(result.structuredContent).toStrictEqual(JSON.parse(textOf(result)))
  if (toolCall.tool === "about") {
    const { orders_today, sandbox } = JSON.parse(rest.text)
    expect(result.structuredContent).toMatchObject({ ok: true, limits: { orders_today }, sandbox })
    return
  }
  expect(textOf(result)).toBe(rest.text)
})

const withoutId = ({ request_id, ...body }: Readonly<Record<string, unknown>>) => body

const expectRefused = Effect.fnUntraced(function* (
  client: McpClient,
  { key }: Pick<Buyer, "key">,
  toolCall: ToolCall,
  inTerms = inTermsOfTools
) {
  const rest = yield* callRest(toolCall, key)
  refusalIn(rest)
  const result = yield* client.call(toolCall.tool, toolCall.args)
  expect(result.isError).toBe(true)
  expect(result).not.toHaveProperty("structuredContent")
  const body = JSON.parse(textOf(result))
  expect(body.request_id).toMatch(/^req_[0-9a-f]{32}$/)
  const told = Schema.decodeUnknownSync(ErrorBody)(JSON.parse(rest.text))
  expect(withoutId(body)).toStrictEqual(withoutId({ ...inTerms(told) }))
})

layer(mcpServers(), { excludeTestServices: true })("tools", (it) => {
  for (const server of serverNames) {
    for (const [revision, connect] of Object.entries(connectors)) {
      const client = Effect.fnUntraced(function* (key: string, surface = "") {
        const { [server]: url } = yield* McpServers
        return yield* connect({ url: `${url}${surface}`, headers: bearer(key) })
      })
      const name = `${server}, ${revision}`

      it.effect(`${name}: lists the eleven tools`, () =>
        Effect.gen(function* () {
          const { key } = yield* newCustomer()
          const listed = (yield* client(key)).tools
          expect(listed.map(({ name }) => name)).toStrictEqual(tools.map(({ name }) => name))
          for (const { annotations } of listed) {
            const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
            for (const hint of hints) expect(annotations[hint]).toBeTypeOf("boolean")
          }
        })
      )

      for (const mode of ["live", "sandbox"] as const) {
        it.effect(`${name}: results equal REST, ${mode}`, () =>
          Effect.gen(function* () {
            const who = yield* customerWithOrder(mode)
            const connected = yield* client(who.key)
            const calls = callsOfCustomer(who)
            expect(new Set(calls.map(({ tool }) => tool)).size).toBe(tools.length)
            for (const toolCall of calls) yield* expectSame(connected, who, toolCall)
          })
        )

        it.effect(`${name}: results of further tools at /mcp/full equal REST, ${mode}`, () =>
          Effect.gen(function* () {
            const who = yield* customerWithOrder(mode)
            const connected = yield* client(who.key, "/full")
            expect(connected.tools.map((tool) => tool.name)).toStrictEqual(fullTools.map((tool) => tool.name))
            expect(new Set(furtherCalls(who).map(({ tool }) => tool)).size).toBe(fullTools.length - tools.length)
            for (const toolCall of furtherCalls(who)) yield* expectSame(connected, who, toolCall)
            for (const toolCall of refusedFurtherCalls(who))
              yield* expectRefused(connected, who, toolCall, inTermsOfAllTools)
          })
        )

        it.effect(`${name}: results of an empty account equal REST, ${mode}`, () =>
          Effect.gen(function* () {
            const who = yield* newCustomer(mode)
            const connected = yield* client(who.key)
            for (const toolCall of commonCalls) yield* expectSame(connected, who, toolCall)
          })
        )

        it.effect(`${name}: refusals equal REST, ${mode}`, () =>
          Effect.gen(function* () {
            const who = yield* customerWithOrder(mode)
            const connected = yield* client(who.key)
            for (const toolCall of refusedCalls(who.siteId)) yield* expectRefused(connected, who, toolCall)
          })
        )
      }

      it.effect(`${name}: an order is placed once, and REST replays it`, () =>
        Effect.gen(function* () {
          const who = yield* customerWithOrder()
          const connected = yield* client(who.key)
          const items = [item(who.siteId, { anchor_text: "élégance “naïve” 🌿" })]
          const idempotencyKey = freshKey()
          const first = yield* connected.call("create_order", { items, idempotency_key: idempotencyKey })
          const again = yield* connected.call("create_order", { items, idempotency_key: idempotencyKey })
          const rest = yield* postOrder(who.key, { items }, idempotencyKey)
          expect(rest.headers.get("idempotent-replayed")).toBe("true")
          expect(textOf(first)).toBe(rest.text)
          expect(again).toStrictEqual(first)
          expectFits(connected, "create_order", first.structuredContent)
          expect((yield* who.api.orders.listOrders({ query: {} })).total).toBe(2)
        })
      )
    }
  }
})
