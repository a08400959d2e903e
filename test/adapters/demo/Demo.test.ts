// A start with DEMO=off revokes the demo keys that the in-memory store has.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { demoKeys, revokeDemo } from "#adapters/demo/Demo.ts"
import * as TestService from "#test/scenarios/RunningService.ts"

layer(TestService.layer({ DEMO: "on" }), { excludeTestServices: true })("the demo keys", (it) => {
  it.effect("are refused once they are revoked, and each revocation is logged once", () =>
    Effect.gen(function* () {
      const { url } = yield* TestService.RunningService
      const { lines } = yield* TestService.LogLines
      const statuses = Effect.promise(() =>
        Promise.all(
          demoKeys.map(({ text }) =>
            fetch(`${url}/api/v1/agent/balance`, { headers: { authorization: `Bearer ${text}` } }).then(
              ({ status }) => status
            )
          )
        )
      )
      expect(yield* statuses).toEqual(demoKeys.map(() => 200))
      yield* revokeDemo
      yield* revokeDemo
      expect(yield* statuses).toEqual(demoKeys.map(() => 401))
      expect(lines.filter((line) => line.includes("Revoked key_"))).toHaveLength(demoKeys.length)
    })
  )
})
