// The approval page while agents are stopped, and while the account owes something.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { owing } from "#test/scenarios/OwingAccount.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"
import { agentOf, pageOf } from "./WaitingOrder.ts"

/** An order of 5.00 EUR that waits. */
const waiting = Effect.fnUntraced(function* (creditCents = 5_000) {
  const people = yield* openAccount
  const agent = yield* agentOf(people, creditCents)
  const { quoteId, path, form } = pageOf(yield* agent.order())
  const seen = () => agent.ask(`/quotes/${quoteId}`)
  const post = (what: "approve" | "decline", token: string, fields: Readonly<Record<string, string>>) =>
    visit({ method: "POST", path: `${path}/${what}`, token, form: fields })
  return { ...people, path, form, seen, post }
})

layer(RunningService.layer())("the approval page", (it) => {
  it.effect("says beside the button that agents are stopped, and approving still orders", () =>
    Effect.gen(function* () {
      const { owner, path, form, seen, post } = yield* waiting()
      assert.notInclude((yield* visit({ path, token: owner })).text, "approving it still orders")
      yield* visit({ method: "POST", path: "/account/stop", token: owner })
      const { text } = yield* visit({ path, token: owner })
      assert.match(text, /All agents are stopped\..*approving it still orders\.[\s\S]*<form[^>]*approve"/)
      yield* post("approve", owner, form)
      assert.strictEqual((yield* seen()).status, "paid")
    })
  )

  it.effect("says what is owed in place of the button, and refuses a form that was sent nevertheless", () =>
    Effect.gen(function* () {
      const { owner, account, path, form, seen, post } = yield* waiting(500)
      yield* owing(account.accountId, 800)
      const { text } = yield* visit({ path, token: owner })
      assert.include(text, "It cannot be approved now: you owe 8.00 EUR")
      assert.notInclude(text, `action="${path}/approve"`)
      const refused = yield* post("approve", owner, form)
      assert.deepStrictEqual([refused.status, (yield* seen()).status], [409, "awaiting_approval"])
      assert.include(refused.text, "It cannot be approved now: you owe 8.00 EUR")
      // Declining it sets its credit free, which pays a part of the debt.
      yield* post("decline", owner, { reason: "" })
      assert.include((yield* visit({ path: "/account", token: owner })).text, "You owe 3.00 EUR")
    })
  )
})
