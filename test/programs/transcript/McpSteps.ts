// The steps of the transcript over MCP: both protocol revisions, every tool with good and bad arguments, credentials, malformed bodies.
import type { Recorder } from "./Recorder.ts"
import { item, type Placed } from "./RestSteps.ts"

const ACCEPT = { accept: "application/json, text/event-stream" }
const INITIALIZE = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "transcript", version: "1" } }
const MODERN = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "transcript", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {}
  }
}

type Arguments = object | null

const toolCalls = ({
  quoteId,
  orderId,
  projectId,
  articleSite,
  cursor
}: Placed): ReadonlyArray<readonly [string, Arguments]> => [
  ["about", {}],
  ["about", { x: 1 }],
  ["search_sites", { shelf: "Corail", limit: 2 }],
  ["search_sites", { limit: 0 }],
  ["search_sites", { nothing: 1 }],
  ["search_sites", { cursor, shelf: "Corail", limit: 2 }],
  ["get_site", { site_id: 1 }],
  ["get_site", { site_id: 999_999 }],
  ["get_site", {}],
  ["get_site", { site_id: "1" }],
  ["list_site_articles", { site_id: articleSite, limit: 1 }],
  ["check_balance", {}],
  ["check_balance", { limit: 1 }],
  ["check_balance", null],
  ["check_balance", []],
  ["create_order", {}],
  ["create_order", { items: [] }],
  ["create_order", { items: [item(1)], dry_run: true }],
  ["create_order", { items: [item(1)], idempotency_key: "mcp" }],
  ["create_order", { items: [item(1)], idempotency_key: "mcp" }],
  ["create_order", { items: [item(2)], idempotency_key: "mcp" }],
  ["create_order", { items: [item(2)], idempotency_key: "" }],
  ["create_order", { items: [item(999_999)] }],
  ["create_order", { items: [item(1)], promo_code: "NOPE" }],
  ["get_quote_status", { quote_id: quoteId }],
  ["get_quote_status", { idempotency_key: "one" }],
  ["get_quote_status", { quote_id: "q_x" }],
  ["get_quote_status", {}],
  ["list_orders", { limit: 1 }],
  ["list_orders", {}],
  ["list_orders", { status: "x" }],
  ["get_order_status", { order_id: orderId }],
  ["get_order_status", { order_id: "x" }],
  ["list_ai_visibility_projects", {}],
  ["get_ai_visibility_plan", { project_id: projectId }],
  ["get_ai_visibility_plan", {}],
  ["unknown_tool", {}]
]

const MALFORMED = [
  ...["", "{", "[]", "[1]", '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}', "x".repeat(70_000)],
  ...['{"jsonrpc":"2.0","method":"notifications/initialized"}', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
  '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'
]

export const mcp = async (it: Recorder, placed: Placed): Promise<void> => {
  let id = 0
  const call = (method: string, params: object, key: string | null = it.keys.live, headers = {}) => {
    id++
    return it.call("POST", "/mcp", {
      key,
      body: { jsonrpc: "2.0", id, method, params },
      headers: { ...ACCEPT, ...headers }
    })
  }
  const tool = (name: string, args: Arguments, key: string | null = it.keys.live, headers = {}) =>
    call("tools/call", { name, arguments: args }, key, headers)
  const modern = (method: string, params: object = {}, name = {}) => {
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...name }
    return call(method, { ...MODERN, ...params }, it.keys.live, headers)
  }
  for (const key of [it.keys.live, null]) {
    await call("initialize", INITIALIZE, key)
    await call("tools/list", {}, key)
  }
  for (const method of ["ping", "resources/list", "nothing"]) await call(method, {})
  for (const method of ["server/discover", "tools/list"]) await modern(method)
  await modern("tools/call", { name: "check_balance", arguments: {} }, { "mcp-name": "check_balance" })
  const dryRun = { items: [item(1)], dry_run: true }
  await modern("tools/call", { name: "create_order", arguments: dryRun }, { "mcp-name": "create_order" })
  for (const [name, args] of toolCalls(placed)) await tool(name, args)
  for (const key of [null, "sn_live_x"]) await tool("check_balance", {}, key)
  for (const key of [it.keys.readOnly, it.keys.test]) await tool("create_order", { items: [item(1)] }, key)
  await tool("check_balance", {}, it.keys.live, { origin: "https://evil.example" })
  const balance = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "check_balance", arguments: {} } }
  const query = { headers: ACCEPT, body: balance }
  await it.call("POST", `/mcp?key=${it.keys.live}`, { ...query, key: null })
  await it.call("POST", `/mcp?key=${it.keys.test}`, query)
  for (const body of MALFORMED) await it.call("POST", "/mcp", { body, headers: ACCEPT })
  for (const method of ["GET", "DELETE"]) await it.call(method, "/mcp")
  await it.call("POST", "/mcp", { body: "{}", headers: { ...ACCEPT, "content-type": "text/plain" } })
}
