// The start page: where the documentation is; the demo's keys only with demo data, and a first command that works.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { demoKeys } from "#adapters/demo/Demo.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"

const page = Effect.flatMap(RunningService.RunningService, ({ url }) =>
  Effect.promise(() => fetch(url).then((response) => response.text()))
)

layer(RunningService.layer({ DEMO: "on" }))("with demo data", (it) => {
  it.effect("shows every key and a command that answers", () =>
    Effect.gen(function* () {
      const text = yield* page
      for (const { text: key, label } of demoKeys) {
        assert.include(text, key)
        assert.include(text, label)
      }
      const [, key = "", url = ""] =
        /<pre>curl -s -H &quot;Authorization: Bearer (\w+)&quot; &quot;([^&]+)&quot;<\/pre>/.exec(text) ?? []
      const answer = yield* Effect.promise(() =>
        fetch(url, { headers: { authorization: `Bearer ${key}` } }).then((response) => response.text())
      )
      assert.include(answer, '"count":3')
    })
  )

  it.effect("says first what a link costs and what protects the person who pays, and last what developers read", () =>
    Effect.gen(function* () {
      const text = yield* page
      const order = [
        "What a link costs",
        "What protects you",
        "How it works",
        "What you get for your money",
        "For developers and"
      ]
      const places = order.map((words) => text.indexOf(words))
      assert.notInclude(places, -1)
      assert.deepStrictEqual(
        places,
        places.toSorted((one, other) => one - other)
      )
      assert.include(text, "Plancton within 3 days, Corail within 7 days, Nautilus within 14 days")
      const [first = ""] = text.split("<details>")
      for (const words of ["MCP", "REST", "sn_live"]) assert.notInclude(first, words)
      assert.strictEqual(text.split('role="img" aria-label="').length - 1, 3)
    })
  )

  it.effect("links to documents that are there", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const links = [...(yield* page).matchAll(/ href="(\/[^"]*)"/g)].map(([, path = ""]) => path)
      assert.includeMembers(links, ["/docs", "/openapi.json", "/llms.txt"])
      for (const path of links) {
        const { status } = yield* Effect.promise(() => fetch(new URL(path, url)))
        assert.strictEqual(status, 200, path)
      }
    })
  )
})

layer(RunningService.layer())("without demo data", (it) => {
  it.effect("shows no key", () =>
    Effect.gen(function* () {
      const text = yield* page
      assert.include(text, "/mcp")
      assert.notMatch(text, /sn_(live|test)_|curl/)
    })
  )
})

layer(RunningService.layer({ OAUTH: "off" }))("without connections of assistants", (it) => {
  it.effect("promises none", () =>
    Effect.gen(function* () {
      const text = yield* page
      for (const words of ["Connect Claude", "Add one address", "/account/connections", "/mcp/catalog"])
        assert.notInclude(text, words)
      assert.include(text, "Give your agent a key, and choose what it may spend")
      assert.include(text, "stop it with one button")
    })
  )
})

layer(RunningService.layer({ MEMBERS: "off" }))("without people who sign in", (it) => {
  it.effect("promises no approval and no stop", () =>
    Effect.gen(function* () {
      const text = yield* page
      for (const words of ["stop it", "approve", "waits for you", "Connect Claude", "/account", "Add one address"])
        assert.notInclude(text, words)
      assert.include(text, "within the limits of its key")
    })
  )
})
