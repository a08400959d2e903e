// OPERATOR_TOKEN and OPERATOR_TOKENS: accepted values, and that a refused value is not repeated.
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { configErrors } from "#adapters/config/ConfigChecks.ts"
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

const ADA = "token-of-ada-0123456789"
const BEN = "token-of-ben-0123456789"

const readAll = (OPERATOR_TOKENS: string, more: Readonly<Record<string, string>> = {}) =>
  settings.parse(ConfigProvider.fromUnknown({ OPERATOR_TOKENS, ...more }))

describe("OPERATOR_TOKENS", () => {
  it("is a list of names, roles and redacted tokens, which may contain colons", () => {
    const { operatorTokens } = Effect.runSync(readAll(`ada:admin:${ADA}, ben:reader:x:${BEN}`))
    expect(operatorTokens.map(({ name, role, token }) => [name, role, Redacted.value(token)])).toEqual([
      ["ada", "admin", ADA],
      ["ben", "reader", `x:${BEN}`]
    ])
    expect(JSON.stringify(operatorTokens)).not.toContain(BEN)
  })

  it.each([
    [`ada:owner:${ADA}`, "must be a list such as"],
    [`ada:${ADA}`, "must be a list such as"],
    [`:admin:${ADA}`, "must be a list such as"],
    [`operator:admin:${ADA}`, "must be a list such as"],
    ["ada:admin:short", "must be a list such as"],
    [`ada:admin:${ADA},`, "must be a list such as"],
    [`ada:admin:sn_live_${ADA}`, "must be a list such as"],
    [`ada:admin:${ADA},Ada:reader:${BEN}`, "has two tokens with one name"],
    [`ada:admin:${ADA},ben:reader:${ADA}`, "has two equal tokens"]
  ])("refuses %s without repeating it", (text, sentence) => {
    const error = Effect.runSync(Effect.flip(readAll(text)))
    expect(error.message).toContain(sentence)
    expect(error.message).toContain("OPERATOR_TOKENS")
    expect(error.message).not.toContain(ADA)
  })

  it("may not contain OPERATOR_TOKEN", () => {
    const equal = Effect.runSync(readAll(`ada:admin:${ADA}`, { OPERATOR_TOKEN: ADA }))
    expect(configErrors(equal)).toHaveLength(1)
    expect(configErrors(equal)[0]).not.toContain(ADA)
    expect(configErrors(Effect.runSync(readAll(`ada:admin:${ADA}`, { OPERATOR_TOKEN: BEN })))).toEqual([])
  })
})
