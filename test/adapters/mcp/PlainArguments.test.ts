// Arguments that a client serialised, or filled in with `null`: a tool takes them as the plain call that they stand for, with the same fingerprint,
// and never guesses what guards a purchase.
import { describe, it, layer } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { expect } from "vitest"
import { strictDecoder } from "#adapters/contract/decoding/StrictDecoding.ts"
import { canonicalOrder, OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { omitNulls } from "#adapters/contract/schema/OptionalMembers.ts"
import type { OperationRequest } from "#adapters/http/operations/OperationRequest.ts"
import { plainMessage } from "#adapters/mcp/PlainArguments.ts"
import type { Tool } from "#adapters/mcp/Tool.ts"
import { findTool, fullTools } from "#adapters/mcp/Tools.ts"
import { property } from "#test/Property.ts"
import { cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { bearer } from "./Clients.ts"
import { type Args, FREE_TEXTS, GUARDS, inAnyDress, wholeOf } from "./DressedArguments.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"
import { post, resultIn, toolCall } from "./Post.ts"
import { customerWithOrder } from "./ToolCalls.ts"

const requestOf = (tool: Tool, args: Args) => Result.flatMap(tool.plain(args), (plain) => tool.request(plain))

const decodeOrder = strictDecoder(OrderRequest, "body")
const omitOrderNulls = omitNulls(OrderRequest)

/** The request, with the canonical form of the order's body, to which its idempotency key is bound. */
const meaningOf = (request: OperationRequest): unknown =>
  request.operation === "createOrder"
    ? { ...request, payload: canonicalOrder(Result.getOrThrow(decodeOrder(omitOrderNulls(request.payload)))) }
    : {
        ...request,
        payload: Object.fromEntries(Object.entries(request.payload ?? {}).filter(([, one]) => one !== null))
      }

/** The tools of both lists. */
const withArguments = fullTools.filter(({ inputSchema }) => Object.keys(inputSchema.properties).length > 0)

const toolOf = (name: string): Tool => {
  const tool = findTool(name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return tool
}

describe("arguments in another dress", () => {
  for (const tool of withArguments) {
    property(
      `${tool.name}: mean the same as the plain call`,
      [inAnyDress(tool.inputSchema, wholeOf(tool))],
      ([plain, dressed]) => {
        const [one, other] = [plain, dressed].map((args) => meaningOf(Result.getOrThrow(requestOf(tool, args))))
        expect(other).toStrictEqual(one)
      }
    )
  }

  it("are all of them one text, or none", () => {
    const messageWith = (value: unknown) => ({ id: 1, params: { name: "get_site", arguments: value } })
    const plain = messageWith({ site_id: "7" })
    expect(plainMessage(messageWith('{ "site_id": "7" }'))).toStrictEqual(plain)
    expect(plainMessage([messageWith('{"site_id":"7"}')])).toStrictEqual([plain])
    for (const none of [null, "", "null", "undefined"])
      expect(plainMessage(messageWith(none))).toStrictEqual({ id: 1, params: { name: "get_site" } })
    for (const kept of [plain, messageWith("[]"), messageWith('{"a":1,"a":2}'), messageWith(7), { params: 7 }, 7])
      expect(plainMessage(kept)).toBe(kept)
  })
})

/** The faults that a tool finds in these arguments. */
const faultsOf = (name: string, args: Args): ReadonlyArray<readonly [path: string, message: string]> => {
  const read = toolOf(name).plain(args)
  if (Result.isSuccess(read)) return []
  return read.failure.errors.map(({ path, message }) => [path, message] as const)
}

const OF_YOUR_OWN = "Says nothing: leave it out, or send one of your own."
const LEAVE_OUT = "The text `null` says nothing: leave it out."

/** The optional arguments and members of items, as `[tool, name, the arguments with this value]`. */
const optionals = withArguments.flatMap((tool) => {
  const { name, inputSchema } = tool
  const { properties, required = [] } = inputSchema
  const whole = wholeOf(tool)
  const given = Object.fromEntries(
    Object.entries(whole).filter(([one]) => JSON.stringify(required).includes(`"${one}"`))
  )
  const own = Object.keys(properties).filter((one) => !(one in given))
  const [first] = cart([item(7)]).items
  const ofItems =
    name === "create_order" ? ["format", "article_id", "tier2_links", "project_id", "opportunity_id", "brief"] : []
  return [
    ...own.map((one) => [name, one, (value: unknown) => ({ ...given, [one]: value })] as const),
    ...ofItems.map((one) => [name, one, (value: unknown) => ({ items: [{ ...first, [one]: value }] })] as const)
  ]
})

describe("an optional argument that says nothing", () => {
  for (const [name, member, argsWith] of optionals) {
    const isGuard = GUARDS.has(member)
    it(`${name}: ${member} is ${isGuard ? "refused" : "left out"}`, () => {
      const refused = (text: string) => faultsOf(name, argsWith(text)).map(([, message]) => message)
      for (const text of ["", "null", "undefined"]) {
        const isKept = FREE_TEXTS.has(member) && (text === "undefined" || (text === "" && member === "brief"))
        if (isGuard) expect(refused(text), text).toContain(OF_YOUR_OWN)
        else if (FREE_TEXTS.has(member) && text === "null") expect(refused(text)).toStrictEqual([LEAVE_OUT])
        else {
          const plain = Result.getOrThrow(toolOf(name).plain(argsWith(text)))
          expect(JSON.stringify(plain).includes(`"${member}":`), text).toBe(isKept)
        }
      }
      if (isGuard) expect(refused(" \t"), "a blank text").toContain(OF_YOUR_OWN)
    })
  }

  it("is told with all that else is wrong, one fault for each", () => {
    const [first] = cart([item(7)]).items
    const items = [
      { ...first, brief: "null", tier2_links: 2 },
      { ...first, brief: "null", site_id: "none", format: "x" }
    ]
    const args = {
      items: JSON.stringify(items),
      idempotency_key: " ",
      max_total_eur: "null",
      dry_run: "",
      promo: "TEN"
    }
    const faults = faultsOf("create_order", args)
    expect(faults.filter(([, message]) => message === LEAVE_OUT || message === OF_YOUR_OWN)).toStrictEqual([
      ["items[0].brief", LEAVE_OUT],
      ["items[1].brief", LEAVE_OUT],
      ["max_total_eur", OF_YOUR_OWN],
      ["dry_run", OF_YOUR_OWN],
      ["idempotency_key", OF_YOUR_OWN]
    ])
    const paths = faults.map(([path]) => path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths).toEqual(
      expect.arrayContaining(["items[0].tier2_links", "items[1].site_id", "items[1].format", "promo"])
    )
    const many = Array.from({ length: 20 }, () => ({ ...first, brief: "null" }))
    expect(faultsOf("create_order", { items: many, dry_run: "" })).toHaveLength(20)
  })

  it("is told once for each member that the API refuses, too", () => {
    const wrong = { site_id: -1.5, target_url: "", anchor_text: "\u200b\n", anchor_type: "q", brief: "null" }
    const paths = faultsOf("create_order", { items: [wrong], promo_code: "", max_total_eur: "", limit: 1 }).map(
      ([path]) => path
    )
    const members = ["brief", "site_id", "target_url", "anchor_text", "anchor_type"].map((name) => `items[0].${name}`)
    expect([...paths].sort()).toStrictEqual([...members, "max_total_eur", "limit"].sort())
  })

  it("is no argument that is required, and no text that means something", () => {
    expect(Result.getOrThrow(toolOf("get_site").plain({ site_id: "null" }))).toStrictEqual({ site_id: "null" })
    const kept = { items: [{ ...item(7), target_url: "null", anchor_text: "undefined", brief: "none, null" }] }
    expect(Result.getOrThrow(toolOf("create_order").plain(kept))).toBe(kept)
    for (const items of ["[1", '{"0":1}', "7", '[{"a":1,"a":2}]', "null"])
      expect(Result.getOrThrow(toolOf("create_order").plain({ items }))).toStrictEqual({ items })
  })
})

const isError = Schema.is(Schema.Struct({ error: Schema.Struct({ code: Schema.Literal("validation_failed") }) }))

layer(mcpServers(), { excludeTestServices: true })("a client that serialises arguments", (it) => {
  for (const server of serverNames) {
    it.effect(`${server}: buys once with the plain call, and is told what never is guessed`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const { key, siteId } = yield* customerWithOrder()
        const ask = (args: Args) => Effect.map(post(url, toolCall("2025", "create_order", args), bearer(key)), resultIn)
        const plain = { ...cart([item(siteId)]), max_total_eur: 60, idempotency_key: freshKey() }
        const first = yield* ask(plain)
        expect(first.isError).toBe(false)
        const items = JSON.stringify([{ ...item(siteId), tier2_links: "0", article_id: "", project_id: "null" }])
        const dressed = { ...plain, items, max_total_eur: "60", dry_run: "false", promo_code: "undefined" }
        expect(yield* ask(dressed)).toStrictEqual(first)
        const { body } = yield* ask({ ...plain, idempotency_key: "" })
        expect(isError(body)).toBe(true)
        expect(body).toMatchObject({ error: { param: "idempotency_key", errors: [{ message: OF_YOUR_OWN }] } })
        const whole = { ...toolCall("2025", "get_site"), body: "" }
        const text = JSON.stringify({ site_id: String(siteId) })
        const sent = {
          ...whole,
          body: toolCall("2025", "get_site").body.replace('"arguments":{}', `"arguments":${JSON.stringify(text)}`)
        }
        expect(resultIn(yield* post(url, sent, bearer(key)))).toMatchObject({ isError: false, body: { ok: true } })
      })
    )
  }
})
