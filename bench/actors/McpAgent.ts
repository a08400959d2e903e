// The same agent over MCP: an assistant's client of the service's tools. Results are read by the contract's schemas, errors as the
// error body that the tool's text is.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Effect, Redacted, Schema } from "effect"
import { Balance } from "#adapters/contract/Balance.ts"
import { CatalogPage } from "#adapters/contract/Catalog.ts"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { OrderDetail } from "#adapters/contract/Orders.ts"
import { QuoteResponse } from "#adapters/contract/QuoteResponse.ts"
import { QuoteStatus } from "#adapters/contract/Quotes.ts"
import { TestService } from "../service/TestService.ts"
import { Actors, refused, type StepResult } from "./Actors.ts"
import { type Agent, type Identity, words } from "./RestAgent.ts"

const INFO = { name: "bench", version: "1.0.0" }
const REVISION = "2026-07-28"

const Result = Schema.Struct({
  content: Schema.Tuple([Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })]),
  structuredContent: Schema.optionalKey(Schema.Unknown),
  isError: Schema.optionalKey(Schema.Boolean)
})

const readResult = Schema.decodeUnknownEffect(Result)
const readError = Schema.decodeUnknownEffect(Schema.fromJsonString(ErrorBody))

const connect = ({ apiKey }: Identity, url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client(INFO, { versionNegotiation: { mode: { pin: REVISION } } })
      const headers = { authorization: `Bearer ${Redacted.value(apiKey)}` }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

export const makeMcpAgent = Effect.fnUntraced(function* (identity: Identity) {
  const { run } = yield* Actors
  const { url } = yield* TestService
  const { actorId } = identity
  const client = yield* connect(identity, url)

  const call = <A>(tool: string, output: Schema.Codec<A, unknown>, args: Record<string, unknown>) =>
    Effect.gen(function* () {
      const result = yield* readResult(yield* Effect.tryPromise(() => client.callTool({ name: tool, arguments: args })))
      if (result.isError === true) {
        const { error } = yield* readError(result.content[0].text)
        return refused(error.code, error.message)
      }
      return { ok: true, body: yield* Schema.decodeUnknownEffect(output)(result.structuredContent) } as const
    }).pipe(Effect.catch((fault) => Effect.succeed(refused("not_understood", String(fault)))))

  const tool = <A>(action: string, asked: Effect.Effect<StepResult<A>>, say: (body: A) => string) =>
    run({ actorId, action, call: asked, say })

  const agent: Agent = {
    search: (query) =>
      tool(`calls search_sites for the ${query.shelf} shelf`, call("search_sites", CatalogPage, query), words.found),
    order: (request, key, action) =>
      tool(
        `${action} with create_order`,
        call("create_order", QuoteResponse, { ...request, idempotency_key: key }),
        words.ordered
      ),
    quote: (quoteId) =>
      tool("calls get_quote_status", call("get_quote_status", QuoteStatus, { quote_id: quoteId }), words.quoted),
    follow: (orderId) =>
      tool("calls get_order_status", call("get_order_status", OrderDetail, { order_id: orderId }), words.followed),
    balance: tool("calls check_balance", call("check_balance", Balance, {}), words.balance)
  }
  return agent
})
