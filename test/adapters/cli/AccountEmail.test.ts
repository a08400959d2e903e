// An address belongs to one account: what the operator reads when it is taken, and how an account gets another one.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { refusal, succeed } from "./RunCommand.ts"

const open = (email: string) => ["account", "open", "--name", "Ada", "--email", email] as const

layer(operatorService(), { excludeTestServices: true })("a member who lost a factor", (it) => {
  it.effect("gets a one-time code that is shown once and audited without it; no other address does", () =>
    Effect.gen(function* () {
      yield* succeed(...open("lost@brand.example"))
      const told = yield* succeed("member", "factor-reset", "--email", " Lost@brand.example ")
      const code = /[0-9A-F]{4}(-[0-9A-F]{4}){4}/.exec(told)?.[0] ?? ""
      expect(told).toContain("One-time code for lost@brand.example of acc_")
      expect(code).toHaveLength(24)
      const audit = yield* succeed("audit")
      expect(audit).toContain("factor.code_issued")
      expect(audit).not.toContain(code)
      expect(yield* refusal("member", "factor-reset", "--email", "none@brand.example")).toContain("no member")
    })
  )
})

layer(operatorService(), { excludeTestServices: true })("the address of an account", (it) => {
  it.effect("is refused to others, in any spelling, with the account that has it and what to do", () =>
    Effect.gen(function* () {
      const accountId = /acc_\w+/.exec(yield* succeed(...open("ada@brand.example")))?.[0] ?? ""
      const again = yield* refusal(...open(" Ada@Brand.example"))
      expect(again).toContain(`Ada@Brand.example is the e-mail address of the account ${accountId}; nothing was done.`)
      expect(again).toContain(
        `Issue a key for that account (operator key issue ${accountId}), or take another address.`
      )
    })
  )

  it.effect("can be changed, and is then free for another account", () =>
    Effect.gen(function* () {
      const accountId = /acc_\w+/.exec(yield* succeed(...open("eve@brand.example")))?.[0] ?? ""
      const change = (email: string) => ["account", "email", accountId, "--email", email] as const
      expect(yield* refusal(...change("nowhere"))).toContain("Must be an e-mail address.")
      expect(yield* succeed(...change("eve@other.example"))).toBe(`${accountId} has the address eve@other.example.`)
      expect(yield* succeed("account", "show", accountId)).toMatch(/e-mail +eve@other\.example/)
      yield* succeed(...open("EVE@brand.example"))
    })
  )
})
