// Errors of the service are shown with message, code and suggestion, without a stack, and leave standard output empty.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { operatorService, TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"
import { refusal, runCommandIn } from "./RunCommand.ts"

/** One command for each code; the calls themselves are tested on the operator plane. */
const REFUSED: ReadonlyArray<readonly [line: string, code: string]> = [
  ["account show acc_none", "account_not_found"],
  ["account open --name Ada --email ada", "validation_failed"],
  ["key limit key_none --unlimited", "api_key_not_found"],
  ["assign lnk_none", "link_not_found"],
  ["publish lnk_none not-an-address", "validation_failed"],
  ["order show ord_none", "order_not_found"],
  ["quote show q_none", "quote_not_found"],
  ["site show 999999", "site_not_found"],
  ["project plan acc_none prj_none", "project_not_found"]
]

layer(operatorService(), { excludeTestServices: true })("a refusal", (it) => {
  it.effect.each(REFUSED)("of %s", ([line, code]) =>
    Effect.gen(function* () {
      const err = yield* refusal(...line.split(" "))
      const [message = "", ...more] = err.split("\n")
      expect(message).toMatch(new RegExp(`^[A-Za-z].+ \\(${code}\\)$`))
      expect(more.join("\n")).not.toBe("")
      expect(err).not.toMatch(/\n\s+at /)
    })
  )

  it.effect("of a wrong token does not repeat it", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const env = { OPERATOR_URL: url, OPERATOR_TOKEN: "not-the-token" }
      const { status, out, err } = yield* runCommandIn({ env }, ["account", "list", "--json"])
      expect({ status, out }).toStrictEqual({ status: 1, out: "" })
      expect(err).toMatch(/operator_token/)
      expect(err).not.toContain("not-the-token")
    })
  )

  it.effect("of another server's address says to check the address", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const env = { OPERATOR_URL: "http://127.0.0.1:9", OPERATOR_TOKEN: TOKEN }
      // The flag wins over the environment.
      const { status } = yield* runCommandIn({ env }, ["account", "list", "--url", url])
      expect(status).toBe(0)
    })
  )
})

layer(shop(), { excludeTestServices: true })("a service without an operator plane", (it) => {
  it.effect("is distinguished from an unreachable one", () =>
    Effect.gen(function* () {
      expect(yield* refusal("account", "list")).toMatch(/^[A-Z].+ \(\w+\)/)
    })
  )
})
