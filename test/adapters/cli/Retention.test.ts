// `retention`: what was freed of finished records.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { FreeFinished } from "#core/usecases/operations/FreeFinished.ts"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { buyer, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { succeed } from "./RunCommand.ts"

layer(operatorService(), { excludeTestServices: true })("retention", (it) => {
  it.effect("shows what was freed, table by table", () =>
    Effect.gen(function* () {
      const { pass } = yield* FreeFinished
      expect(yield* succeed("retention")).toContain("Nothing was freed so far.")
      const { key } = yield* buyer({ creditCents: 10_000 })
      const { siteId } = yield* listSite({ shelf: "Nautilus" })
      const { order_id: orderId = "" } = placedBy(yield* postOrder(key, { items: [item(siteId)] }, "kept"))
      yield* succeed("cancel", orderId, "--reason", "test")
      // Until the clock has passed the cancellation by a millisecond.
      const answers = pass({ deliveries: 0, sandbox: 0, answers: 1 })
      yield* Effect.repeat(answers, { until: (freed) => freed.answers === 1 })
      expect(yield* succeed("retention")).toMatch(/FREED +ROWS +LAST\nanswers +1 +\d{4}-/)
    })
  )
})
