// POST /mcp/catalog on both servers: reading tools alone, no link to pay or to approve in any result, and the checks of /mcp.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { catalog } from "#adapters/mcp/CatalogSurface.ts"
import { buyer, cart, freshKey, issueKey, item } from "#test/scenarios/Buyers.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { bearer, connectors } from "./Clients.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"
import { codeIn, post, type Revision, request, resultIn, toolCall } from "./Post.ts"
import { callRest, callsOfCustomer, customerWithOrder, refusedCalls, type ToolCall } from "./ToolCalls.ts"

const REVISIONS: ReadonlyArray<Revision> = ["2025", "2026-07-28"]
const NAMES = catalog.tools.map(({ name }) => name)

const isOnCatalog = ({ tool }: ToolCall): boolean => tool !== "create_order"

/** A customer with an order, a quote to pay and one to approve, and the addresses for both. */
const customerWithLinks = Effect.gen(function* () {
  const who = yield* customerWithOrder()
  const dear = [item(who.siteId, { tier2_links: 5 }), item(who.siteId, { tier2_links: 3 })]
  const poor = yield* buyer()
  const unpaid = placedBy(yield* postOrder(poor.key, cart(dear), freshKey()))
  const asking = yield* issueKey(who.accountId, { limits: { approveAboveCents: 0 } })
  const unapproved = placedBy(yield* postOrder(asking.key, cart(dear), freshKey()))
  expect([unpaid.status, unapproved.status]).toStrictEqual(["awaiting_payment", "awaiting_approval"])
  expect([unpaid.payment_url, unapproved.approval_url]).toStrictEqual([expect.any(String), expect.any(String)])
  return { who, poor, unpaid, asking, unapproved }
})

const quoteCall = (quote_id: string | null): ToolCall => ({
  tool: "get_quote_status",
  args: { quote_id },
  rest: { path: `/api/v1/agent/quotes/${quote_id}` }
})

const balanceCall: ToolCall = { tool: "check_balance", rest: { path: "/api/v1/agent/balance" } }

const withoutLinks = (body: Readonly<Record<string, unknown>>) => {
  const { payment_url, approval_url, ...rest } = body
  return rest
}

layer(mcpServers(), { excludeTestServices: true })("/mcp/catalog", (it) => {
  for (const server of serverNames) {
    const catalogUrl = Effect.map(McpServers, ({ [server]: url }) => `${url}/catalog`)

    for (const revision of REVISIONS) {
      it.effect(`${server}, ${revision}: lists the reading tools without a credential`, () =>
        Effect.gen(function* () {
          const answer = yield* post(yield* catalogUrl, request(revision, "tools/list"))
          expect(answer.status).toBe(200)
          const { result } = JSON.parse(answer.text)
          expect(result.tools.map(({ name }: { readonly name: string }) => name)).toStrictEqual(NAMES)
          expect(answer.text).not.toMatch(/create_order|payment_url|approval_url/)
        })
      )

      it.effect(`${server}, ${revision}: a tool that buys is unknown, and is not named`, () =>
        Effect.gen(function* () {
          const { key } = yield* buyer()
          for (const name of ["create_order", "no_such_tool"]) {
            const { text } = yield* post(
              yield* catalogUrl,
              toolCall(revision, name, { ...cart([item(1)]) }),
              bearer(key)
            )
            expect(JSON.parse(text).error).toMatchObject({ code: -32_602, data: { error: { param: "name" } } })
            expect(text).not.toContain("create_order")
            for (const listed of NAMES) expect(text).toContain(listed)
          }
        })
      )
    }

    it.effect(`${server}: has the checks of /mcp`, () =>
      Effect.gen(function* () {
        const url = yield* catalogUrl
        const who = yield* customerWithOrder()
        const about = toolCall("2025", "about")
        const foreign = yield* post(url, about, { ...bearer(who.key), origin: "https://evil.example" })
        expect([foreign.status, codeIn(foreign)]).toStrictEqual([403, "origin_not_allowed"])
        const keyless = yield* post(url, about)
        expect([keyless.status, codeIn(keyless)]).toStrictEqual([401, "missing_api_key"])
        expect(keyless.headers.get("www-authenticate")).toMatch(/^Bearer /)
        const wrong = yield* post(url, request("2025", "tools/list"), bearer("nonsense"))
        expect([wrong.status, codeIn(wrong)]).toStrictEqual([401, "invalid_api_key"])
        const broken = yield* post(url, { ...about, body: "{" }, bearer(who.key))
        expect(broken.status).toBe(400)
        const twice = yield* post(`${url}?key=${who.key}`, about, bearer((yield* buyer()).key))
        expect([twice.status, codeIn(twice)]).toStrictEqual([400, "conflicting_credentials"])
        expect((yield* Effect.promise(() => fetch(url))).status).toBe(405)
        const reader = yield* issueKey(who.accountId, { scopes: ["read"] })
        expect(resultIn(yield* post(url, about, bearer(reader.key)))).toMatchObject({ isError: false })
        const orderer = yield* issueKey(who.accountId, { scopes: ["order"] })
        expect(resultIn(yield* post(url, about, bearer(orderer.key)))).toMatchObject({
          isError: true,
          body: { error: { code: "insufficient_scope" } }
        })
      })
    )

    for (const [revision, connect] of Object.entries(connectors)) {
      it.effect(`${server}, ${revision}: no result holds a link to pay or to approve; all else equals REST`, () =>
        Effect.gen(function* () {
          const { who, poor, unpaid, asking, unapproved } = yield* customerWithLinks
          const url = yield* catalogUrl
          const walks = [
            [who, callsOfCustomer(who).filter(isOnCatalog)],
            [poor, [balanceCall, quoteCall(unpaid.quote_id)]],
            [asking, [balanceCall, quoteCall(unapproved.quote_id)]]
          ] as const
          expect(new Set(walks.flatMap(([, calls]) => calls.map(({ tool }) => tool)))).toStrictEqual(new Set(NAMES))
          for (const [{ key }, calls] of walks) {
            const client = yield* connect({ url, headers: bearer(key) })
            for (const toolCall of calls) {
              const result = yield* client.call(toolCall.tool, toolCall.args)
              const [{ text }] = result.content
              expect(result.isError, text).toBeUndefined()
              expect(text).not.toMatch(/create_order|payment_url|approval_url|\/pay\/|\/approvals\//)
              expect(result.structuredContent).toStrictEqual(JSON.parse(text))
              if (toolCall.tool === "about") continue
              const rest = yield* callRest(toolCall, key)
              expect(JSON.parse(text)).toStrictEqual(withoutLinks(JSON.parse(rest.text)))
            }
          }
        })
      )
    }

    it.effect(`${server}: lists no more than what the caller placed, whatever it asks for`, () =>
      Effect.gen(function* () {
        const who = yield* customerWithOrder()
        const { key } = yield* issueKey(who.accountId)
        const list = Effect.fnUntraced(function* (url: string, args: Readonly<Record<string, unknown>>) {
          return resultIn(yield* post(url, toolCall("2025", "list_orders", args), bearer(key)))
        })
        const url = yield* catalogUrl
        const refused = yield* list(url, { scope: "account" })
        expect(refused).toMatchObject({ isError: true, body: { error: { code: "validation_failed", param: "scope" } } })
        const own = yield* list(url, {})
        expect(own).toMatchObject({ isError: false, body: { total: 0 } })
        expect(JSON.stringify(own)).not.toMatch(/other_credentials|scope=account/)
        const ordering = url.replace(/\/catalog$/, "")
        expect(yield* list(ordering, {})).toMatchObject({ body: { total: 0, other_credentials: { orders: 1 } } })
        expect(yield* list(ordering, { scope: "account" })).toMatchObject({ isError: false, body: { total: 1 } })
      })
    )

    it.effect(`${server}: refusals name no tool that buys`, () =>
      Effect.gen(function* () {
        const who = yield* customerWithOrder()
        for (const { tool, args = {} } of refusedCalls(who.siteId).filter(isOnCatalog)) {
          const answer = yield* post(yield* catalogUrl, toolCall("2025", tool, args), bearer(who.key))
          expect(resultIn(answer).isError).toBe(true)
          expect(answer.text).not.toMatch(/create_order|payment_url|approval_url/)
        }
      })
    )
  }
})
