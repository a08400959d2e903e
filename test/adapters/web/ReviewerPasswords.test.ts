// A reviewer's sign-in takes the same work whatever the name: one password is derived at the same costs, whether there is a reviewer of
// that name, one that has ended, or none.
import { layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import { Passwords } from "#core/ports/members/Passwords.ts"
import { ManageReviewers } from "#core/usecases/members/ManageReviewers.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openReview, visit } from "./Visitors.ts"

interface Derivation {
  readonly password: string
  /** Name of the function and its costs, as they stand in the hash. */
  readonly costs: string
}

const costsOf = (hash: string): string => hash.split("$").slice(0, 4).join("$")

/** What was derived for sign-ins. */
const derived: Array<Derivation> = []

const recording = Layer.effect(
  Passwords,
  Effect.map(Passwords, ({ hash, verify }) => ({
    hash,
    verify: (password: string, kept: string) => {
      derived.push({ password, costs: costsOf(kept) })
      return verify(password, kept)
    }
  }))
)

const service = Effect.map(RunningService.settingsFrom({}), (config) =>
  Service.layerWithPorts(config, (url) =>
    recording.pipe(Layer.provideMerge(portsWithStore(config, url, MemoryStore.layer)))
  )
)

const testbed = RunningService.layerInMemoryBooks.pipe(
  Layer.provideMerge(Layer.unwrap(service)),
  Layer.provideMerge(RunningService.sharedServices)
)

layer(testbed, { excludeTestServices: true })("the sign-in of a reviewer", (it) => {
  it.effect("derives one password at the same costs for each name", () =>
    Effect.gen(function* () {
      const [one, ended] = [yield* openReview, yield* openReview]
      yield* (yield* ManageReviewers).end(ended.reviewer.name, "test")
      const attempts = {
        right: { name: one.reviewer.name, password: one.password },
        wrong: { name: one.reviewer.name, password: "a guess" },
        ended: { name: ended.reviewer.name, password: ended.password },
        unknown: { name: "no reviewer", password: one.password },
        none: { name: "", password: "" }
      }
      const costs = costsOf(one.reviewer.passwordHash)
      expect(costs).toMatch(/^scrypt\$\d+\$\d+\$\d+$/)
      for (const [kind, form] of Object.entries(attempts)) {
        derived.length = 0
        const { status } = yield* visit({ method: "POST", path: "/account/sign-in/reviewer", form })
        expect([kind, status === 303]).toEqual([kind, kind === "right"])
        expect([kind, derived]).toEqual([kind, [{ password: form.password, costs }]])
      }
    })
  )
})
