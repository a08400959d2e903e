// What a start refuses and warns of: pretended payments in production that nobody asked for by name, a Stripe that lacks
// something, could not work or would give its key away, and links that nobody could open.
import { ConfigProvider, Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { configErrors, configWarnings } from "#adapters/config/ConfigChecks.ts"
import { settings } from "#adapters/config/Settings.ts"

type Env = Readonly<Record<string, string>>

const read = (env: Env) => Effect.runSync(settings.parse(ConfigProvider.fromUnknown(env)))

const configErrorsOf = (env: Env) => configErrors(read(env))

const production = { NODE_ENV: "production", PUBLIC_URL: "https://links.example.com" }

const SECRET = "s3cretThatNobodyShouldSee"

const STRIPE = {
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: `sk_live_${SECRET}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${SECRET}`
}

const without = (name: keyof typeof STRIPE): Env => {
  const { [name]: _, ...rest } = STRIPE
  return rest
}

describe("payments", () => {
  it("are simulated unless something else is said, and in production only by name", () => {
    expect(configErrorsOf({})).toEqual([])
    expect(configErrorsOf(production)).toEqual([expect.stringContaining("PAYMENTS=simulated")])
    expect(configErrorsOf({ ...production, PAYMENTS: "simulated" })).toEqual([])
    expect(configErrorsOf({ ...production, ...STRIPE })).toEqual([])
  })

  it("by a processor nobody knows stop the start", () => {
    expect(() => read({ PAYMENTS: "paypal" })).toThrow(/PAYMENTS/)
  })
})

describe("Stripe", () => {
  it("is called with secrets that print nothing", () => {
    const { stripe } = read(STRIPE)
    expect(JSON.stringify(stripe)).not.toContain(SECRET)
    expect(stripe.secretKey).toMatchObject({ value: Redacted.make(STRIPE.STRIPE_SECRET_KEY) })
  })

  it.each([
    ["its secret key", without("STRIPE_SECRET_KEY"), "needs STRIPE_SECRET_KEY"],
    ["the secret of its notices", without("STRIPE_WEBHOOK_SECRET"), "needs STRIPE_WEBHOOK_SECRET"],
    ["quotes that end while its pages live", { ...STRIPE, QUOTE_TTL: "25 hours" }, "QUOTE_TTL of 24 hours at most"],
    ["amounts that it charges", { ...STRIPE, CARD_MINIMUM_EUR: "0.49" }, "CARD_MINIMUM_EUR of 0.50"],
    [
      "a private way to it",
      { ...STRIPE, ...production, STRIPE_API_URL: "http://proxy:80" },
      "STRIPE_API_URL over plain"
    ]
  ])("is refused without %s", (_what, env, reason) => {
    expect(configErrorsOf(env)).toEqual([expect.stringContaining(reason)])
    expect(configErrorsOf({ ...env, PAYMENTS: "simulated" })).toEqual([])
  })

  it("may have the shortest quotes, exactly the longest, and another address", () => {
    for (const over of [
      { QUOTE_TTL: "1 minute" },
      { QUOTE_TTL: "24 hours" },
      { STRIPE_API_URL: "http://127.0.0.1:1" }
    ]) {
      expect(configErrorsOf({ ...STRIPE, ...over })).toEqual([])
    }
  })

  const faultOf = (env: Env) =>
    Effect.runSync(Effect.flip(settings.parse(ConfigProvider.fromUnknown({ ...STRIPE, ...env }))))

  it.each([
    ["STRIPE_SECRET_KEY", `pk_live_${SECRET}`, "begins with sk_ or rk_"],
    ["STRIPE_SECRET_KEY", `sk_live_${SECRET} ${SECRET}`, "begins with sk_ or rk_"],
    ["STRIPE_WEBHOOK_SECRET", SECRET, "begins with whsec_"]
  ])("stops the start where %s makes no sense, and does not repeat it", (name, value, message) => {
    const fault = faultOf({ [name]: value })
    expect(fault.message).toContain(message)
    expect(`${fault.message} ${JSON.stringify(fault)}`).not.toContain(SECRET)
  })

  it.each(["stripe.example", "ftp://stripe.example", "https://user@stripe.example", "https://stripe.example/v1"])(
    "stops the start where STRIPE_API_URL is %s",
    (url) => {
      expect(faultOf({ STRIPE_API_URL: url }).message).toContain("must be an origin")
    }
  )

  it("with a test key in production is allowed, and warned of", () => {
    const env = { ...STRIPE, ...production, DEMO: "off", STRIPE_SECRET_KEY: `rk_test_${SECRET}` }
    expect(configErrorsOf(env)).toEqual([])
    expect(configWarnings(read(env))).toEqual([expect.stringContaining("is a test key")])
    expect(configWarnings(read({ ...env, NODE_ENV: "" }))).toEqual([])
    expect(configWarnings(read({ ...STRIPE, ...production, DEMO: "off" }))).toEqual([])
  })
})

it("warns of the demo's public keys in production, wherever they would be loaded", () => {
  const demo = [expect.stringContaining("DEMO=off")]
  expect(configWarnings(read(production))).toEqual(demo)
  expect(configWarnings(read({ ...production, DEMO: "off" }))).toEqual([])
  expect(configWarnings(read({ ...production, DATABASE_URL: "postgres://db.internal/shop" }))).toEqual([])
  expect(configWarnings(read({}))).toEqual([])
})

it("warns of payment links in production that only this machine can open", () => {
  const { PUBLIC_URL: _, ...unnamed } = { ...production, DEMO: "off" }
  expect(configWarnings(read(unnamed))).toEqual([expect.stringContaining("PUBLIC_URL is not set")])
  expect(configWarnings(read({ ...unnamed, NODE_ENV: "" }))).toEqual([])
})
