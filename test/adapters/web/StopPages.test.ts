// Stopping all agents: one press in the header of every page of an owner; once they are stopped, every page says so and leads to where they
// are let order again.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { webRoutes } from "#adapters/web/WebPages.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const STOP = "/account/stop"
const BUTTON = `action="${STOP}"><button`
const STATE = '<span class="pill bad">Agents are stopped</span>'
const RESUMES = `action="${STOP}/resume"><button`

/** The pages of the navigation and below, for all who are signed in. */
const paths = webRoutes.flatMap(({ method, path, may }) =>
  method === "GET" && may === "viewer" && !/[:.]/.test(path) ? [path] : []
)

layer(RunningService.layer())("stopping all agents", (it) => {
  it.effect("is one press away on every page of an owner, and on no other page", () =>
    Effect.gen(function* () {
      const { owner, viewer } = yield* openAccount
      assert.isAbove(paths.length, 10)
      for (const path of paths) {
        const text = (yield* visit({ path, token: owner })).text
        // The page of it has the button once as well.
        assert.strictEqual(text.split(path === STOP ? `action="${STOP}"` : BUTTON).length, 2, path)
        assert.notInclude(text, STATE, path)
        assert.notInclude((yield* visit({ path, token: viewer })).text, `action="${STOP}"`, path)
      }
      const { status, location } = yield* visit({ method: "POST", path: STOP, token: owner })
      assert.deepStrictEqual([status, location], [303, STOP])
      for (const path of paths)
        for (const token of [owner, viewer]) {
          const { text } = yield* visit({ path, token })
          assert.include(text, "All agents are stopped", path)
          assert.include(text, STATE, path)
          // The notice has it; the page of it has its own.
          assert.strictEqual(text.split(RESUMES).length - 1, token === viewer ? 0 : 1, path)
          assert.notInclude(text, BUTTON, path)
          assert.notInclude(text, "Connect your assistant", path)
        }
      const resumed = yield* visit({ method: "POST", path: `${STOP}/resume`, token: owner })
      assert.deepStrictEqual([resumed.status, resumed.location], [303, STOP])
      assert.notInclude((yield* visit({ path: STOP, token: owner })).text, STATE)
    })
  )
})
