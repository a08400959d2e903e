// The tools as a client sees them before any call: names, texts, hints and schemas.
import { describe, it } from "@effect/vitest"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"
import { Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { expect } from "vitest"
import { About } from "#adapters/contract/operations/About.ts"
import { Api } from "#adapters/http/api/Api.ts"
import { full, ordering } from "#adapters/mcp/Surface.ts"
import { findTool, fullTools, tools } from "#adapters/mcp/Tools.ts"

const NAMES = [
  "about",
  "search_sites",
  "get_site",
  "list_site_articles",
  "check_balance",
  "create_order",
  "get_quote_status",
  "list_orders",
  "get_order_status",
  "list_ai_visibility_projects",
  "get_ai_visibility_plan"
]

const FURTHER_NAMES = ["cancel_links", "change_link", "list_links", "list_invoices", "request_top_up"]

/** All tools of both lists; `about` differs. */
const listed = [...tools, ...fullTools.filter((tool) => !tools.includes(tool))]

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }
const CHANGING = new Set(["cancel_links", "change_link"])
const BUYS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }

const routes: ReadonlySet<string> = (() => {
  const found = new Set<string>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => found.add(`${endpoint.method} ${endpoint.path.replace(/:\w+/g, "{}")}`)
  })
  return found
})()

const ajv = new AjvJsonSchemaValidator()

/** Judges the arguments like a client before its call, by the schema as it came over the wire. */
const accepts = (tool: string, args: object): boolean =>
  ajv.getValidator(JSON.parse(JSON.stringify(findTool(tool)?.inputSchema)))(args).valid

/** What a model cannot use: it has tools instead of routes, and no key. */
const REST_TERMS =
  /\b(GET|POST|PUT|PATCH|DELETE)\b|\/api\/|\bheaders?\b|Idempotency-Key|Authorization|Retry-After|same key/

/** The result of `about` for an empty account. */
const about = (() => {
  const orders_today = { used: 0, limit: 20, resets_at: "2026-11-21T00:00:00.000Z" }
  const credit = {
    currency: "EUR",
    available_cents: 0,
    available_eur: 0,
    owed_cents: 0,
    held_cents: 0,
    holds: [],
    open_quotes: []
  }
  const balance = { ok: true, ...credit, orders_today, sandbox: false }
  return Schema.decodeUnknownSync(About)(findTool("about")?.present?.(balance, "links@example.com"))
})()

describe("tools", () => {
  it("are the eleven of the contract, in this order", () => expect(tools.map(({ name }) => name)).toStrictEqual(NAMES))

  it("of /mcp/full are these and those for the days after a purchase", () =>
    expect(fullTools.map(({ name }) => name)).toStrictEqual([...NAMES, ...FURTHER_NAMES]))

  it("of /mcp are told of those of /mcp/full, and instructions name no other", () => {
    expect(ordering.instructions).toMatch(new RegExp(`\\(${FURTHER_NAMES.join(", ")}\\), are at /mcp/full`))
    for (const { instructions, tools: own } of [ordering, full])
      for (const [named] of instructions.matchAll(/\b(?:search|get|list|check|create|cancel|change|request)_[a-z_]+/g))
        expect([...own.map(({ name }) => name), ...FURTHER_NAMES]).toContain(named)
  })

  for (const { name, title, description, annotations, inputSchema, outputSchema, route } of listed) {
    it(`${name} is described for people, for a model and for a client`, () => {
      expect(title).toMatch(/^[A-Z][^.]{5,60}$/)
      expect(description.split(/\.\s/).length).toBeGreaterThan(2)
      expect(description).toMatch(/Use it|call it/)
      expect(description).toMatch(/Free|spends money/)
      expect(description).toMatch(/Tell the user|the user/)
      expect(annotations).toStrictEqual(name === "create_order" ? BUYS : CHANGING.has(name) ? CHANGES : READS)
      expect(inputSchema).toMatchObject({ type: "object" })
      expect(outputSchema).toMatchObject({ type: "object", properties: { ok: { enum: [true] } } })
      const shown = JSON.stringify([inputSchema, outputSchema])
      expect(shown, "not every client follows references").not.toMatch(/\$ref|\$defs|definitions/)
      expect(shown, "19.99 is no multiple of 0.01 to a machine").not.toContain("multipleOf")
      expect(shown, "URLs may be in any script").not.toMatch(/"format":"(?!date-time")/)
      expect(JSON.stringify(inputSchema), "a bound that no argument meets by accident").not.toContain(
        '"maximum":2147483647'
      )
      expect(shown, "Gemini refuses it, and answers may grow").not.toContain("additionalProperties")
      expect(JSON.stringify(inputSchema), "Gemini enumerates texts only").not.toMatch(/"enum":\[(?!")/)
    })

    it(`${name} calls an existing route`, () => {
      expect(route).toMatch(/^(GET|POST|PATCH) \/api\/v1\/agent\//)
      expect(route.startsWith("GET")).toBe(annotations.readOnlyHint)
      expect(routes).toContain(route.replace(/\{\w+\}/g, "{}"))
    })
  }

  it("get_site refers to the articles for the price of an insertion", () =>
    expect(JSON.stringify(findTool("get_site")?.outputSchema)).toMatch(/`insertion` needs [^"]+each has its own price/))

  it("about says who can undo a purchase, for which there is no tool", () => {
    const rules = about.money_rules.join("\n")
    expect(rules).toMatch(/given up by the human on its payment page/)
    expect(rules).toMatch(
      /paid for the user cancels in the member area while no work has begun, and the operator until/
    )
    expect(rules, "there is a tool for every other rule").not.toMatch(/(GET|POST) \//)
  })

  it("about says how a sandbox order is driven, for which there is no tool", () => {
    expect(tools.map(({ route }) => route).join()).not.toContain("/sandbox/")
    expect(about.sandbox_rules.join("\n")).toMatch(/No tool pays or publishes.*The developer of the agent/)
  })

  it("about names the operator's contact, and never a route or a header", () => {
    expect(about.support_contact).toBe("links@example.com")
    expect(JSON.stringify(about)).not.toMatch(REST_TERMS)
  })

  for (const { name, description, outputSchema } of listed) {
    if (!("count" in outputSchema.properties)) continue
    it(`${name} says what to do with an empty list`, () =>
      expect(description).toMatch(/If (there are none|`total` is 0), .*(search|propose|read|tell)/))
  }

  it("take numbers as numbers", () => {
    expect(accepts("search_sites", { limit: 50, max_price_eur: 19.99, min_tf: 0, sort: "-tf" })).toBe(true)
    expect(accepts("search_sites", { limit: "50" })).toBe(false)
    expect(accepts("search_sites", { limit: 51 })).toBe(false)
    expect(accepts("search_sites", { limit: 1.5 })).toBe(false)
    expect(accepts("get_site", {})).toBe(false)
  })

  it("explain the idempotency key and the dry run", () => {
    const order = findTool("create_order")
    expect(order?.inputSchema.properties).toMatchObject({
      idempotency_key: {
        description: "one key per purchase the user decided on; reuse it on every retry of that purchase"
      },
      dry_run: { type: "boolean", description: expect.stringMatching(/ false unless told\.$/) },
      items: {
        minItems: 1,
        maxItems: 20,
        items: {
          properties: {
            tier2_links: { type: "integer", minimum: 0, maximum: 5, description: expect.stringContaining("1, 3 or 5") }
          }
        }
      }
    })
    expect(order?.inputSchema).toMatchObject({ required: ["items"] })
    expect(order?.description, "a replay shows the state of then").toMatch(/read get_quote_status before you show/)
    expect(order?.description, "no field of the body that refusals list").toMatch(/`idempotency_key` is always allowed/)
    expect(order?.outputSchema.properties).toMatchObject({
      status: { description: expect.stringContaining("`dry_run`: nothing was ordered, and `outcome` is") }
    })
    expect(order?.outputSchema.properties).toHaveProperty("summary")
    expect(order?.outputSchema.properties).toHaveProperty("next_action")
  })
})
