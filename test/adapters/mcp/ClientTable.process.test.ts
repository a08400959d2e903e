// MCP clients as npm has them against the service: each lists the tools, searches, reads an error, and buys from credit, where the
// answer is lost and the call is repeated. The table in adapters/mcp/clients.md is the outcome.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { fullTools, tools } from "#adapters/mcp/Tools.ts"
import { buyer, freshKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"
import { losingProxy } from "./LosingProxy.ts"
import { type Connected, publishedClients, versionOf } from "./PublishedClients.ts"

const PAGE = fileURLToPath(new URL("../../../adapters/mcp/clients.md", import.meta.url))

const HEAD = [
  "| client | version | over | list | call | error | purchase, its answer lost, repeated |",
  "|---|---|---|---|---|---|---|"
]

/** What the model is shown of a refusal, by the result or by what the client throws. */
const shownOf = (call: () => Promise<string>): Promise<{ readonly shown: string; readonly thrown: boolean }> =>
  call().then(
    (shown) => ({ shown, thrown: false }),
    (error: unknown) => ({ shown: String(error), thrown: true })
  )

const using = (connect: () => Promise<Connected>) =>
  Effect.acquireRelease(Effect.promise(connect), (connected) => Effect.promise(() => connected.close()))

/** The list, a call, a refusal and a purchase. */
const playFull = Effect.fnUntraced(function* (connect: () => Promise<Connected>, siteId: number) {
  const { names, call } = yield* using(connect)
  expect(names).toStrictEqual(fullTools.map((tool) => tool.name))
  const invoices = yield* Effect.promise(() => call("list_invoices", { limit: 5 }))
  expect(JSON.parse(invoices)).toMatchObject({ ok: true, invoices: expect.any(Array) })
  const { shown } = yield* Effect.promise(() => shownOf(() => call("list_invoices", { cursor: "nonsense" })))
  expect(shown).toMatch(/"code":"validation_failed".*"param":"cursor"/)
  const order = { items: [item(siteId, { anchor_text: "another" })], idempotency_key: freshKey() }
  const placed = yield* Effect.promise(() => call("create_order", order))
  expect(JSON.parse(placed)).toMatchObject({ ok: true, status: "paid" })
})

layer(shop(), { excludeTestServices: true })("MCP clients of npm", (it) => {
  const rows: Array<string> = []

  for (const { name, over, connect, isSlow = false } of publishedClients) {
    it.effect(`${name} over ${over} lists, searches, is refused, and buys once though the answer is lost`, () =>
      Effect.gen(function* () {
        const { url } = yield* RunningService
        const proxy = yield* losingProxy(url)
        const niche = `Niche of ${name} over ${over}`
        const { siteId } = yield* listSite({ nicheLabel: niche })
        const { key, api } = yield* buyer({ creditCents: 10_000 })
        const client = yield* using(() => connect(proxy.url, key, "/mcp"))
        expect(client.names).toStrictEqual(tools.map((tool) => tool.name))

        const found = JSON.parse(yield* Effect.promise(() => client.call("search_sites", { niche: [niche], limit: 1 })))
        expect(found).toMatchObject({ ok: true, total: 1, sites: [{ id: siteId }] })

        const unknown = () => client.call("get_site", { site_id: 999_999_999 })
        const { shown, thrown } = yield* Effect.promise(() => shownOf(unknown))
        expect(shown).toContain('"code":"site_not_found"')
        expect(shown).toContain('"suggestion":"Find sites with search_sites')

        proxy.loseNext(/create_order|"items"/)
        const order = { items: [item(siteId)] }
        const first = yield* Effect.promise(() => shownOf(() => client.call("create_order", order)))
        expect(proxy.lost()).toBe(1)
        expect((yield* api.orders.listOrders({ query: {} })).count, "written, though no client was told").toBe(1)
        // A client that repeats by itself has its answer already.
        const unasked = first.shown.includes('"status":"paid"')
        const told = unasked ? first.shown : yield* Effect.promise(() => client.call("create_order", order))
        const { order_id, warnings } = JSON.parse(told)
        const { orders } = yield* api.orders.listOrders({ query: {} })
        expect(orders.map((one) => one.order_id)).toStrictEqual([order_id])
        expect(warnings).toMatchObject([{ code: "replayed_without_key" }])

        if (!isSlow) yield* playFull(() => connect(url, key, "/mcp/full"), siteId)
        expect((yield* api.orders.listOrders({ query: {} })).count).toBe(isSlow ? 1 : 2)

        rows.push(
          `| \`${name}\` | ${versionOf(name)} | ${over} | yes | yes | ${thrown ? "thrown, with code and suggestion" : "code and suggestion"} | ${unasked ? "repeated by the client: " : ""}one order |`
        )
      })
    )
  }

  it("are what the page says", () => {
    const table = [...HEAD, ...rows]
    console.log(table.join("\n"))
    const lines = readFileSync(PAGE, "utf8").split("\n")
    const from = lines.findIndex((line) => line.startsWith("| client |"))
    expect(lines.slice(from, lines.indexOf("", from))).toStrictEqual(table)
  })
})
