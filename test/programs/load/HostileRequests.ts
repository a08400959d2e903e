// Requests that cost their sender little: long, deep, repeated and malformed ones, with a key of the demo.
import { demoKeys } from "#adapters/demo/Demo.ts"

const key = demoKeys.find(({ label }) => label === "demo live key")?.text ?? ""

/** The body as bytes, where not every text is UTF-8. */
const requestOf = (line: string, body: string | Uint8Array = "", headers: ReadonlyArray<string> = []): Buffer => {
  const bytes = Buffer.from(body)
  const head = [
    `${line} HTTP/1.1`,
    "host: 127.0.0.1",
    `authorization: Bearer ${key}`,
    ...(bytes.length === 0 ? [] : ["content-type: application/json", `content-length: ${bytes.length}`]),
    ...headers,
    "connection: close"
  ]
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), bytes])
}

const order = (body: unknown): Buffer =>
  requestOf("POST /api/v1/agent/orders", typeof body === "string" ? body : JSON.stringify(body))

const item = { site_id: 1, target_url: "https://shop.example/a", anchor_text: "a", anchor_type: "partial" }
const items = (count: number, over: object = {}) => ({
  dry_run: true,
  items: Array.from({ length: count }, () => ({ ...item, ...over }))
})
const target = (target_url: string) => items(20, { target_url })

/** Unknown fields, as many as the length checks let through, in each of as many items. */
const manyFaults = {
  items: Array.from({ length: 20 }, () => Object.fromEntries(Array.from({ length: 32 }, (_, nth) => [`f${nth}`, nth])))
}

const tool = (name: string, args: unknown): Buffer =>
  requestOf(
    "POST /mcp",
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
    ["accept: application/json, text/event-stream"]
  )

/** Each within the limits of sizes, or just above one. */
export const hostileRequests: Readonly<Record<string, Buffer>> = {
  "20,000 empty items": order(`{"items":[${"{},".repeat(19_999)}{}]}`),
  "20 items of 32 unknown fields": order(manyFaults),
  "20 items of 32 unknown fields, by a tool": tool("create_order", manyFaults),
  "20,000 items, by a tool": tool("create_order", { items: Array.from({ length: 20_000 }, () => 0) }),
  "deep lists": order(`{"items":${"[".repeat(30_000)}${"]".repeat(30_000)}}`),
  "deep objects": order(`${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`),
  "5,000 fields": order(Object.fromEntries(Array.from({ length: 5_000 }, (_, nth) => [`f${nth}`, nth]))),
  "a number of 60,000 digits": order(`{"items":${"9".repeat(60_000)}}`),
  "10,000 escapes": order(`{"items":"${"\\u0061".repeat(10_000)}"}`),
  "long anchors": order(items(20, { anchor_text: "x".repeat(2_900) })),
  "long briefs of combining marks": order(items(20, { brief: "a\u0301".repeat(1_000) })),
  "targets of many dots": order(target(`https://${"a.".repeat(1_000)}com`)),
  "targets that end in dots": order(target(`https://a${".".repeat(2_000)}`)),
  "targets of many ideographic dots": order(target(`https://${"a\u3002".repeat(700)}com`)),
  "targets of fullwidth letters": order(target(`https://${"\uff41".repeat(900)}.com`)),
  "targets of many at signs": order(target(`https://example.com/${"@".repeat(2_000)}`)),
  "targets with ligatures": order(target(`https://${"\ufdfa".repeat(700)}.com`)),
  "targets of many slashes": order(target(`https:${"/".repeat(2_000)}`)),
  "invalid UTF-8": requestOf("POST /api/v1/agent/orders", Buffer.alloc(60_000, 0xff)),
  "a body of 65 KB": order(JSON.stringify({ items: "x".repeat(66_000) })),
  "a body of 4 MB": order(JSON.stringify({ items: "x".repeat(4_000_000) })),
  "1,000 query parameters": requestOf(`GET /api/v1/agent/catalog?${"a=1&".repeat(1_000)}`),
  "a query of percent signs": requestOf(`GET /api/v1/agent/catalog?query=${"%25".repeat(3_000)}`),
  "a search text of wildcards": requestOf(`GET /api/v1/agent/catalog?query=${"%25_".repeat(500)}`),
  "headers of 15 KB": requestOf("GET /api/v1/agent/balance", "", [`x-long: ${"x".repeat(15_000)}`]),
  "headers of 60 KB": requestOf("GET /api/v1/agent/balance", "", [`x-long: ${"x".repeat(60_000)}`]),
  "a path of 15 KB": requestOf(`GET /${"a/".repeat(7_500)}`),
  "a cursor of 10 KB": requestOf(`GET /api/v1/agent/orders?cursor=${"W10".repeat(3_300)}`),
  "/docs, not compressed": requestOf("GET /docs"),
  "/docs, compressed": requestOf("GET /docs", "", ["accept-encoding: gzip"]),
  "/openapi.json": requestOf("GET /openapi.json"),
  "/llms.txt": requestOf("GET /llms.txt")
}
