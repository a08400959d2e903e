// An agent that buys over MCP, with an assistant's client. Results are decoded with the contract's schemas.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Effect, Redacted, Schema } from "effect"
import { CatalogPage } from "#adapters/contract/catalogue/Catalog.ts"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { OrderDetail } from "#adapters/contract/ordering/Orders.ts"
import { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import { QuoteStatus } from "#adapters/contract/ordering/Quotes.ts"
import { Balance } from "#adapters/contract/wallet/Balance.ts"
import { TestService } from "../service/TestService.ts"
import { Actors, Refused } from "./Actors.ts"
import { type Agent, describe, type Identity } from "./RestAgent.ts"

const CLIENT = { name: "bench", version: "1.0.0" }
const PROTOCOL_VERSION = "2026-07-28"

const ToolResult = Schema.Struct({
  content: Schema.Tuple([Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })]),
  structuredContent: Schema.optionalKey(Schema.Unknown),
  isError: Schema.optionalKey(Schema.Boolean)
})

const decodeResult = Schema.decodeUnknownEffect(ToolResult)
const decodeError = Schema.decodeUnknownEffect(Schema.fromJsonString(ErrorBody))

const connect = ({ apiKey }: Identity, url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: PROTOCOL_VERSION } } })
      const headers = { authorization: `Bearer ${Redacted.value(apiKey)}` }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

export const makeMcpAgent = Effect.fnUntraced(function* (identity: Identity) {
  const run = (yield* Actors).runAs(identity.actorId)
  const { url } = yield* TestService
  const client = yield* connect(identity, url)

  const call = Effect.fnUntraced(function* <A>(
    name: string,
    output: Schema.Codec<A, unknown>,
    args: Record<string, unknown>
  ) {
    const result = yield* decodeResult(yield* Effect.tryPromise(() => client.callTool({ name, arguments: args })))
    if (result.isError === true) return yield* new Refused((yield* decodeError(result.content[0].text)).error)
    return yield* Schema.decodeUnknownEffect(output)(result.structuredContent)
  })

  const agent: Agent = {
    search: (query) =>
      run(
        `calls search_sites for the ${query.shelf} shelf`,
        call("search_sites", CatalogPage, { ...query, shelf: [query.shelf] }),
        describe.catalog
      ),
    order: (request, key, action) =>
      run(
        `${action} with create_order`,
        call("create_order", QuoteResponse, { ...request, idempotency_key: key }),
        describe.placed
      ),
    quote: (quoteId) =>
      run("calls get_quote_status", call("get_quote_status", QuoteStatus, { quote_id: quoteId }), describe.quote),
    readOrder: (orderId) =>
      run("calls get_order_status", call("get_order_status", OrderDetail, { order_id: orderId }), describe.order),
    balance: run("calls check_balance", call("check_balance", Balance, {}), describe.balance)
  }
  return agent
})
