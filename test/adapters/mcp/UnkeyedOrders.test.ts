// A repeat of create_order without an idempotency key, on both servers: the relaying one tells the API that it is one.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { buyer, cart, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { bearer, connectors } from "./Clients.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"

layer(mcpServers(), { excludeTestServices: true })("an order without an idempotency key", (it) => {
  it.effect("is one order, whichever server it is repeated on, and the answer says how to buy again", () =>
    Effect.gen(function* () {
      const servers = yield* McpServers
      const { key } = yield* buyer({ creditCents: 10_000 })
      const { siteId } = yield* listSite()
      const order = cart([item(siteId)])
      const answers = []
      for (const server of serverNames) {
        for (const connect of Object.values(connectors)) {
          const client = yield* connect({ url: servers[server], headers: bearer(key) })
          answers.push(JSON.parse((yield* client.call("create_order", { ...order })).content[0].text))
        }
      }
      const [first, ...repeats] = answers
      expect(first.warnings).toEqual([])
      for (const { warnings, ...rest } of repeats) {
        expect({ ...rest, warnings: [] }).toStrictEqual(first)
        expect(warnings).toMatchObject([{ code: "replayed_without_key" }])
        expect(warnings[0].message).toMatch(new RegExp(`${first.quote_id} .* new idempotency_key, which buys again`))
      }
    })
  )
})
