// OPERATOR_TOKEN: accepted values, and that a refused value is not repeated.
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { settings } from "#adapters/config/Settings.ts"

const read = (token?: string) =>
  settings.parse(ConfigProvider.fromUnknown(token === undefined ? {} : { OPERATOR_TOKEN: token }))

describe("OPERATOR_TOKEN", () => {
  it("is optional and redacted", () => {
    expect(Effect.runSync(read()).operatorToken).toEqual(Option.none())
    const { operatorToken } = Effect.runSync(read("0123456789abcdef"))
    expect(Option.map(operatorToken, Redacted.value)).toEqual(Option.some("0123456789abcdef"))
    expect(JSON.stringify(operatorToken)).not.toContain("0123456789abcdef")
  })

  it.each([
    "fifteen-letters",
    "a token with spaces in it",
    "sn_live_DemoLiveKeyWithCreditForReadme01abcdef",
    "caf\u00e9-au-lait-every-morning"
  ])("refuses %s in a clear sentence that does not repeat it", (token) => {
    const error = Effect.runSync(Effect.flip(read(token)))
    expect(error.message).toContain("must be at least 16 visible ASCII characters")
    expect(error.message).toContain("OPERATOR_TOKEN")
    expect(error.message).not.toContain(token)
  })
})
