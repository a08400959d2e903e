// Stopping all agents: reached from the overview and the pages of keys and connections, pressed there, and undone.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const STOP = "/account/stop"

layer(RunningService.layer())("stopping all agents", (it) => {
  it.effect("is one link away from where agents are seen", () =>
    Effect.gen(function* () {
      const { owner, viewer } = yield* openAccount
      for (const path of ["/account", "/account/keys", "/account/connections"])
        for (const token of [owner, viewer])
          assert.include((yield* visit({ path, token })).text, `<a href="${STOP}">Stop all agents</a>`, path)
      const { status, location } = yield* visit({ method: "POST", path: STOP, token: owner })
      assert.deepStrictEqual([status, location], [303, STOP])
      const { text } = yield* visit({ path: "/account", token: viewer })
      assert.include(text, "All agents are stopped.")
      assert.notInclude(text, "Something is wrong?")
    })
  )
})
