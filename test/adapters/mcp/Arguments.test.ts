// Tool arguments as the URL of a REST call.
import { describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import type { OperationRequest } from "#adapters/http/operations/OperationRequest.ts"
import { toHttpRequest } from "#adapters/mcp/ApiOverHttp.ts"
import { findTool, tools } from "#adapters/mcp/Tools.ts"
import { property } from "#test/Property.ts"

const API = "http://api.example/api/v1/agent"

/** The request as it goes to a remote API. */
const sent = (request: OperationRequest) => toHttpRequest("http://api.example", Redacted.make("key"), request)

const pathOf = (tool: string, args: Readonly<Record<string, unknown>>): string | undefined => {
  const request = findTool(tool)?.request(args)
  return request !== undefined && Result.isSuccess(request) ? sent(request.success).url.replace(API, "") : undefined
}

describe("arguments", () => {
  it("fill the path, and otherwise become the query", () => {
    expect(pathOf("get_site", { site_id: 7 })).toBe("/catalog/7")
    expect(pathOf("list_site_articles", { limit: 5, site_id: 7, cursor: "a=b&c" })).toBe(
      "/catalog/7/articles?limit=5&cursor=a%3Db%26c"
    )
    expect(pathOf("get_order_status", { order_id: "a/../b?c#d" })).toBe("/orders/a%2F..%2Fb%3Fc%23d")
    expect(pathOf("get_quote_status", { idempotency_key: "k" })).toBe("/quotes?idempotency_key=k")
    expect(pathOf("get_quote_status", { quote_id: "q_1" })).toBe("/quotes/q_1")
    expect(pathOf("check_balance", {})).toBe("/balance")
  })

  it("are the query given once more for each value of a list, of which none is no argument", () => {
    expect(pathOf("search_sites", { niche: ["a, b", "c"], shelf: ["Corail"], language: "fr" })).toBe(
      "/catalog?niche=a%2C+b&niche=c&shelf=Corail&language=fr"
    )
    expect(pathOf("search_sites", { niche: [], language: [] })).toBe("/catalog")
    for (const wrong of [{ niche: [7] }, { niche: [["a"]] }, { niche: ["\ud800"] }, { niche: {} }]) {
      expect(pathOf("search_sites", wrong)).toBeUndefined()
    }
  })

  it("may be numbers written as text", () => {
    expect(pathOf("get_site", { site_id: "7" })).toBe("/catalog/7")
    expect(pathOf("get_site", { site_id: "7 " })).toBeUndefined()
    expect(pathOf("get_site", { site_id: "0x7" })).toBeUndefined()
  })

  it("are refused where they would change the path", () => {
    for (const order_id of [".", "..", "", "\ud800"]) expect(pathOf("get_order_status", { order_id })).toBeUndefined()
  })

  const names = [...new Set(tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties))), "__proto__", "x"]
  const anything = fc.dictionary(
    fc.constantFrom(...names),
    fc.anything({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value ?? null))),
    {
      maxKeys: 4
    }
  )

  for (const tool of tools) {
    property(`arguments of any kind call no route but that of ${tool.name}`, [anything], (args) => {
      const request = tool.request(args)
      if (Result.isFailure(request)) return
      const [method = "", template = ""] = tool.route.split(" ")
      const { method: sentMethod, url } = sent(request.success)
      expect(sentMethod).toBe(method)
      const { pathname } = new URL(url)
      const own = template.replace(/\{\w+\}/g, "[^/]+")
      const lookUp = tool.name === "get_quote_status" ? "|/api/v1/agent/quotes" : ""
      expect(pathname).toMatch(new RegExp(`^(?:${own}${lookUp})$`))
    })
  }
})
