// An order that waits for approval, ordered by clients of either generation: one that opens URLs for its user is asked in place, on both
// servers; any other gets the plain answer.
import { layer } from "@effect/vitest"
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport as LegacyTransport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { expect } from "vitest"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { quotesOf } from "#test/core/BookReads.ts"
import { operator } from "#test/scenarios/ApprovalSteps.ts"
import { buyer, cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { bearer } from "./Clients.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"
import { post, request } from "./Post.ts"

const INFO = { name: "test", version: "1.0.0" }
const URLS = { elicitation: { url: {} } }

interface Asked {
  readonly mode?: unknown
  readonly url?: unknown
  readonly message?: unknown
}

type Human = (asked: Asked) => Promise<{ readonly action: "accept" | "decline" | "cancel" }>

/** A call of the tool `create_order`. */
type Order = (args: Readonly<Record<string, unknown>>) => Effect.Effect<Record<string, unknown>>

interface Sdk {
  readonly callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
  readonly close: () => Promise<void>
}

const ordering = Effect.fnUntraced(function* (connect: () => Promise<Sdk>) {
  const client = yield* Effect.acquireRelease(Effect.promise(connect), (client) => Effect.promise(() => client.close()))
  return ((args) =>
    Effect.promise(async () => {
      const result = await client.callTool({ name: "create_order", arguments: { ...args } })
      expect(result).toHaveProperty("structuredContent")
      // Checked just before.
      return (result as { structuredContent: Record<string, unknown> }).structuredContent
    })) satisfies Order
})

/** The SDK of 2026-07-28, whose user does what `human` says. */
const modern = (url: string, key: string, capabilities: object, human: Human) =>
  ordering(async () => {
    const client = new ModernClient(INFO, { capabilities, versionNegotiation: { mode: { pin: "2026-07-28" } } })
    if ("elicitation" in capabilities) client.setRequestHandler("elicitation/create", ({ params }) => human(params))
    await client.connect(new ModernHttp(new URL(url), { requestInit: { headers: bearer(key) } }))
    return client
  })

/** The SDK of the 2025 revisions, which declares that it opens URLs when it connects. */
const legacy = (url: string, key: string, human: Human) =>
  ordering(async () => {
    const client = new LegacyClient(INFO, { capabilities: URLS })
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => human(params))
    // The transport's optional `sessionId` is spelled differently from the interface's, which exactOptionalPropertyTypes minds.
    await client.connect(new LegacyHttp(new URL(url), { requestInit: { headers: bearer(key) } }) as LegacyTransport)
    return client
  })

const never: Human = () => Promise.reject(new Error("The user was asked."))

layer(mcpServers(), { excludeTestServices: true })("an order that waits, over MCP", (it) => {
  const setUp = Effect.gen(function* () {
    const { siteId } = yield* listSite()
    const who = yield* buyer({ creditCents: 5_000, limits: { approveAboveCents: 0 } })
    const run = Effect.runPromiseWith(yield* Effect.context<DecideApproval | MovableClock>())
    const approvals = yield* DecideApproval
    const { books } = yield* RunningService
    const quotes = Effect.map(books, (current) => quotesOf(current, who))
    const asked: Array<Asked> = []
    /** Whether the user approves or declines what the page is about, after a while. */
    const decides =
      (decision: "approve" | "decline"): Human =>
      async (params) => {
        asked.push(params)
        const quoteId = String(params.url).split("/").at(-1) ?? QuoteId.make("")
        await run(
          decision === "approve"
            ? approvals.approve(QuoteId.make(quoteId), operator)
            : approvals.decline(QuoteId.make(quoteId), operator, "No.")
        )
        return { action: "accept" }
      }
    const ignores: Human = async (params) => {
      asked.push(params)
      return { action: "cancel" }
    }
    return { who, args: cart([item(siteId)]), quotes, asked, decides, ignores, run }
  })

  for (const server of serverNames) {
    it.effect(`${server}: is approved in place, and the same call returns the order, with a key and without`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const { who, args, quotes, asked, decides } = yield* setUp
        const create = yield* modern(url, who.key, URLS, decides("approve"))
        for (const more of [{ idempotency_key: freshKey() }, {}]) {
          const placed = yield* create({ ...args, ...more })
          expect(placed).toMatchObject({ status: "paid", order_id: expect.any(String) })
        }
        const made = yield* quotes
        expect(made.map(({ status }) => status)).toEqual(["paid", "paid"])
        expect(asked).toHaveLength(2)
        for (const { mode, url, message } of asked) {
          expect(mode).toBe("url")
          expect(made.some(({ quoteId }) => String(url).endsWith(`/account/approvals/${quoteId}`))).toBe(true)
          expect(message).toMatch(/1 link for 5\.00 EUR.* waits for your approval/)
        }
      })
    )

    it.effect(`${server}: declined in place, the same call tells that nothing was bought`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const { who, args, quotes, decides } = yield* setUp
        const create = yield* modern(url, who.key, URLS, decides("decline"))
        expect(yield* create({ ...args })).toMatchObject({ status: "abandoned", declined_reason: "No." })
        expect(yield* quotes).toHaveLength(1)
      })
    )

    it.effect(`${server}: a user who does not open the page is asked once a call, and the order waits`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const { who, args, quotes, asked, ignores } = yield* setUp
        const create = yield* modern(url, who.key, URLS, ignores)
        const idempotency_key = freshKey()
        for (const times of [1, 2]) {
          const left = yield* create({ ...args, idempotency_key })
          expect(left).toMatchObject({ status: "awaiting_approval", next_action: { type: "open_approval_url" } })
          expect(asked).toHaveLength(times)
        }
        expect(yield* quotes).toHaveLength(1)
      })
    )

    it.effect(`${server}: a user who takes an hour buys once, also without a key`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const { who, args, quotes, decides, run } = yield* setUp
        const { advance } = yield* MovableClock
        const create = yield* modern(url, who.key, URLS, async (params) => {
          await run(advance("1 hour"))
          return decides("approve")(params)
        })
        expect(yield* create({ ...args })).toMatchObject({ status: "paid" })
        expect(yield* quotes).toHaveLength(1)
      })
    )

    it.effect(`${server}: clients that do not open URLs, and those of 2025, get the plain answer`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const { who, args } = yield* setUp
        const clients = [
          yield* modern(url, who.key, {}, never),
          yield* modern(url, who.key, { elicitation: {} }, never),
          yield* modern(url, who.key, { elicitation: { form: {} } }, never),
          yield* legacy(url, who.key, never)
        ]
        for (const create of clients) {
          expect(yield* create({ ...args, idempotency_key: freshKey() })).toMatchObject({
            status: "awaiting_approval",
            payment_url: null,
            approval_url: expect.stringContaining("/account/approvals/q_"),
            next_action: { type: "open_approval_url" }
          })
        }
      })
    )
  }

  it.effect("a dry run, an order that need not wait and a refusal ask nothing", () =>
    Effect.gen(function* () {
      const { "in process": url } = yield* McpServers
      const { who, args } = yield* setUp
      const create = yield* modern(url, who.key, URLS, never)
      expect(yield* create({ ...args, dry_run: true })).toMatchObject({
        status: "dry_run",
        outcome: "awaiting_approval"
      })
      const free = yield* buyer({ creditCents: 5_000 })
      const buys = yield* modern(url, free.key, URLS, never)
      expect(yield* buys({ ...args })).toMatchObject({ status: "paid" })
    })
  )

  it.effect("the state of another key's question, or of another order's, grants nothing", () =>
    Effect.gen(function* () {
      const { "in process": url } = yield* McpServers
      const first = yield* setUp
      const waiting = yield* modern(url, first.who.key, URLS, first.ignores)
      const { quote_id: requestState } = yield* waiting({ ...first.args })
      const other = yield* setUp
      const repeat = (key: string, args: object, state: unknown) =>
        Effect.map(
          post(
            url,
            request("2026-07-28", "tools/call", { name: "create_order", arguments: args, requestState: state }),
            bearer(key)
          ),
          ({ text }) => JSON.parse(text).result.structuredContent
        )
      const another = yield* repeat(other.who.key, first.args, requestState)
      expect(another.quote_id).not.toBe(requestState)
      const changed = yield* repeat(first.who.key, other.args, requestState)
      expect(changed.quote_id).not.toBe(requestState)
      for (const state of ["q_", "true", "../q_1", "q_1\r\nx: y"]) {
        expect((yield* repeat(other.who.key, first.args, state)).quote_id).toBe(another.quote_id)
      }
    })
  )
})
