// Sign-ins for reviewers by the command line: the password is shown once, and an end closes the account.
import { layer } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { expect } from "vitest"
import { Reviewer } from "#adapters/operator/calls/ReviewerCalls.ts"
import { SignInByPassword } from "#core/usecases/members/SignInByPassword.ts"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { refusal, runJson, succeed } from "./RunCommand.ts"

const Created = Schema.Struct({ reviewer: Reviewer, password: Schema.String })
const DAY_MS = 86_400_000

layer(operatorService(), { excludeTestServices: true })("reviewers", (it) => {
  it.effect("are made with a password that is shown once and signs in", () =>
    Effect.gen(function* () {
      const text = yield* succeed("reviewer", "create", "chatgpt")
      const password = /^Password: (\S{24})$/m.exec(text)?.[1] ?? ""
      expect(text).toMatch(/\/account\/sign-in\/reviewer until 20\d\d-/)
      const client = { network: "192.0.2.0/24", userAgent: "a test", devices: "", who: null }
      const session = yield* (yield* SignInByPassword).use({ name: "ChatGPT", password }, client)
      expect(session.signedIn.member.role).toBe("reviewer")
      expect(Redacted.value(session.token)).toMatch(/^[\w-]{43}$/)
      const listed = yield* succeed("reviewer", "list")
      expect(listed).toContain("chatgpt")
      expect(yield* succeed("--json", "reviewer", "list"), "the hash stays with the service").not.toMatch(
        /scrypt|hash/i
      )
      expect(listed).not.toContain(password)
      expect(yield* succeed("audit")).toMatch(/reviewer\.create/)
      expect(yield* succeed("audit")).not.toContain(password)
    })
  )

  it.effect("are good for as many days as asked for, and under a name of their own", () =>
    Effect.gen(function* () {
      const { reviewer } = yield* runJson(Created, "reviewer", "create", "Claude.ai", "--days", "2")
      expect(reviewer.expiresAtMs - reviewer.createdAtMs).toBe(2 * DAY_MS)
      expect(yield* refusal("reviewer", "create", "claude.AI")).toContain("Another reviewer signs in")
      for (const name of ["ab", "a b", "-ab", "é".repeat(4), "x".repeat(41)])
        expect(yield* refusal("reviewer", "create", "--", name)).toContain("letters, digits, dots and dashes")
      for (const days of ["0", "367"])
        expect(yield* refusal("reviewer", "create", "other", "--days", days)).toContain("days")
    })
  )

  it.effect("are ended, which closes their account and frees the name", () =>
    Effect.gen(function* () {
      const { reviewer } = yield* runJson(Created, "reviewer", "create", "ending")
      expect(yield* succeed("reviewer", "end", "Ending")).toContain(`${reviewer.accountId} is closed`)
      expect(yield* succeed("account", "show", reviewer.accountId)).toMatch(/closed/i)
      expect(yield* refusal("reviewer", "end", "ending")).toContain("No reviewer signs in as ending")
      yield* succeed("reviewer", "create", "ending")
      const all = yield* runJson(Schema.Array(Reviewer), "reviewer", "list")
      expect(all.filter(({ name }) => name === "ending").map(({ endedAtMs }) => endedAtMs === null)).toEqual([
        true,
        false
      ])
    })
  )
})
