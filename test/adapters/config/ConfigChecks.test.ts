// Checks across settings: simulated payments in production without being named, an incomplete or unsafe Stripe configuration, public
// demo keys, and payment links that only this machine could open.
import { fileURLToPath } from "node:url"
import { ConfigProvider, Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { configErrors, configWarnings } from "#adapters/config/ConfigChecks.ts"
import { settings } from "#adapters/config/Settings.ts"

type Env = Readonly<Record<string, string>>

const read = (env: Env) => Effect.runSync(settings.parse(ConfigProvider.fromUnknown(env)))

const configErrorsOf = (env: Env) => configErrors(read(env))

const SELLER = {
  SELLER_NAME: "Reef",
  SELLER_ADDRESS: "1 quai du Port",
  SELLER_COUNTRY: "FR",
  SELLER_VAT_ID: "FR40303265045"
}

/** Any text in UTF-8. */
const TEXT = fileURLToPath(import.meta.url)

const IMPRINT = { SUPPORT_CONTACT: "hello@reef.example", TERMS_FILE: TEXT, PRIVACY_FILE: TEXT }

const MAIL = { SMTP_URL: "smtp://mail.example", MAIL_FROM: "shop@mail.example" }

const production = {
  NODE_ENV: "production",
  DEMO: "off",
  PUBLIC_URL: "https://links.example.com",
  TRUSTED_PROXIES: "127.0.0.1",
  ...SELLER,
  ...IMPRINT,
  ...MAIL
}

const SECRET = "s3cretThatMustNotBeShown"

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
  it("are simulated by default, and in production only if set by name", () => {
    expect(configErrorsOf({})).toEqual([])
    expect(configErrorsOf(production)).toEqual([expect.stringContaining("PAYMENTS=simulated")])
    expect(configErrorsOf({ ...production, PAYMENTS: "simulated" })).toEqual([])
    expect(configErrorsOf({ ...production, ...STRIPE })).toEqual([])
  })

  const postgres = { DATABASE_URL: "postgres://db.internal/shop", ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") }

  it("are simulated on a real database only if set by name", () => {
    expect(configErrorsOf(postgres)).toEqual([expect.stringContaining("PAYMENTS=simulated")])
    expect(configErrorsOf({ ...postgres, PAYMENTS: "simulated" })).toEqual([])
    expect(configErrorsOf({ ...postgres, ...STRIPE })).toEqual([])
  })

  it("that are simulated are warned of in production and on a real database", () => {
    const simulated = [expect.stringContaining("PAYMENTS=simulated")]
    expect(configWarnings(read({ ...production, PAYMENTS: "simulated" }))).toEqual(simulated)
    expect(configWarnings(read({ ...postgres, PAYMENTS: "simulated" }))).toEqual(simulated)
    expect(configWarnings(read({ ...postgres, ...STRIPE }))).toEqual([])
    expect(configWarnings(read({ PAYMENTS: "simulated" }))).toEqual([])
  })

  it("wants people to know whom they pay: what the foot of pages lacks is named once, in production", () => {
    const { SUPPORT_CONTACT: _, PRIVACY_FILE: __, ...lacking } = { ...production, ...STRIPE }
    expect(configWarnings(read({ ...production, ...STRIPE }))).toEqual([])
    expect(configWarnings(read(lacking))).toEqual([expect.stringMatching(/^Not set: SUPPORT_CONTACT, PRIVACY_FILE\./)])
    expect(configWarnings(read({ ...lacking, MEMBERS: "off" }))).toEqual([])
    expect(configWarnings(read({}))).toEqual([])
  })

  it("by an unknown processor stop the start", () => {
    expect(() => read({ PAYMENTS: "paypal" })).toThrow(/PAYMENTS/)
  })
})

describe("the encryption key before the present one", () => {
  const key = (fill: number) => Buffer.alloc(32, fill).toString("base64")

  it.each([
    ["with a present one of its own", { ENCRYPTION_KEY: key(1), ENCRYPTION_KEY_PREVIOUS: key(2) }, []],
    ["alone", { ENCRYPTION_KEY_PREVIOUS: key(2) }, ["without ENCRYPTION_KEY"]],
    ["the same as the present one", { ENCRYPTION_KEY: key(1), ENCRYPTION_KEY_PREVIOUS: key(1) }, ["the same as"]]
  ])("%s", (_, env, reasons) => {
    expect(configErrorsOf(env)).toEqual(reasons.map((reason) => expect.stringContaining(reason)))
  })
})

describe("the bounds of a card payment", () => {
  it("must leave room for one", () => {
    const bounds = (least: string, most: string) => ({ CARD_MINIMUM_EUR: least, CARD_MAXIMUM_EUR: most })
    expect(configErrorsOf(bounds("2", "1.99"))).toEqual([expect.stringContaining("below CARD_MINIMUM_EUR")])
    expect(configErrorsOf(bounds("2", "2"))).toEqual([])
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
    ["its webhook secret", without("STRIPE_WEBHOOK_SECRET"), "needs STRIPE_WEBHOOK_SECRET"],
    ["quotes that end before its payment pages", { ...STRIPE, QUOTE_TTL: "25 hours" }, "QUOTE_TTL of 24 hours at most"],
    ["a card minimum that it accepts", { ...STRIPE, CARD_MINIMUM_EUR: "0.49" }, "CARD_MINIMUM_EUR of 0.50"],
    [
      "a card maximum that it accepts",
      { ...STRIPE, CARD_MAXIMUM_EUR: "1000000" },
      "CARD_MAXIMUM_EUR of 999999.99 at most"
    ],
    [
      "an encrypted connection to it",
      { ...STRIPE, ...production, STRIPE_API_URL: "http://proxy:80" },
      "STRIPE_API_URL over plain"
    ]
  ])("is refused without %s", (_what, env, reason) => {
    expect(configErrorsOf(env)).toEqual([expect.stringContaining(reason)])
    expect(configErrorsOf({ ...env, PAYMENTS: "simulated" })).toEqual([])
  })

  it("is accepted with a short QUOTE_TTL, the longest one, and another address", () => {
    for (const over of [
      { QUOTE_TTL: "1 minute" },
      { QUOTE_TTL: "24 hours" },
      { STRIPE_API_URL: "http://127.0.0.1:1" }
    ]) {
      expect(configErrorsOf({ ...STRIPE, ...over })).toEqual([])
    }
  })

  const errorOf = (env: Env) =>
    Effect.runSync(Effect.flip(settings.parse(ConfigProvider.fromUnknown({ ...STRIPE, ...env }))))

  it.each([
    ["STRIPE_SECRET_KEY", `pk_live_${SECRET}`, "begins with sk_ or rk_"],
    ["STRIPE_SECRET_KEY", `sk_live_${SECRET} ${SECRET}`, "begins with sk_ or rk_"],
    ["STRIPE_WEBHOOK_SECRET", SECRET, "begins with whsec_"]
  ])("stops the start when %s is invalid, without repeating it", (name, value, message) => {
    const error = errorOf({ [name]: value })
    expect(error.message).toContain(message)
    expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(SECRET)
  })

  it.each(["stripe.example", "ftp://stripe.example", "https://user@stripe.example", "https://stripe.example/v1"])(
    "stops the start when STRIPE_API_URL is %s",
    (url) => {
      expect(errorOf({ STRIPE_API_URL: url }).message).toContain("must be an origin")
    }
  )

  it("logs a warning for a test key in production", () => {
    const env = { ...STRIPE, ...production, STRIPE_SECRET_KEY: `rk_test_${SECRET}` }
    expect(configErrorsOf(env)).toEqual([])
    expect(configWarnings(read(env))).toEqual([expect.stringContaining("is a test key")])
    expect(configWarnings(read({ ...env, NODE_ENV: "" }))).toEqual([])
    expect(configWarnings(read({ ...STRIPE, ...production }))).toEqual([])
  })
})

it("demo data is refused in production where it would be loaded, naming DEMO=off", () => {
  const env = { ...production, PAYMENTS: "simulated", DEMO: "on" }
  const refused = [expect.stringContaining("Set DEMO=off")]
  expect(configErrorsOf(env)).toEqual(refused)
  const { DEMO: _, ...byDefault } = env
  expect(configErrorsOf(byDefault)).toEqual(refused)
  expect(configErrorsOf({ ...env, DEMO: "off" })).toEqual([])
  expect(configErrorsOf({ DEMO: "on" })).toEqual([])
})

describe("demo data that others reach", () => {
  it.each(["0.0.0.0", "::", "192.168.1.7", "shop.internal"])("on HOST=%s is warned of in three lines", (HOST) => {
    const lines = configWarnings(read({ HOST })).slice(0, 3)
    expect(lines).toEqual([
      expect.stringContaining(`HOST=${HOST}`),
      expect.stringContaining("DEMO=on:"),
      expect.stringContaining("Payments are simulated:")
    ])
    expect(configErrorsOf({ HOST })).toEqual([])
    expect(configErrorsOf({ HOST, PUBLIC_URL: "http://192.168.1.7:3000" })).toEqual([])
    const refused = [expect.stringContaining(`DEMO=on with HOST=${HOST} and an https PUBLIC_URL`)]
    expect(configErrorsOf({ HOST, PUBLIC_URL: "https://links.example.com" })).toEqual(refused)
  })

  it("on loopback behind a proxy is warned of, and not refused", () => {
    const env = { PUBLIC_URL: "https://links.example.com" }
    expect(configWarnings(read(env))[0]).toContain("HOST=127.0.0.1, PUBLIC_URL=https://links.example.com:")
    expect(configErrorsOf(env)).toEqual([])
    expect(configWarnings(read({ PUBLIC_URL: "http://localhost:3000" }))).toEqual([])
  })

  it.each([
    { HOST: "127.0.0.1" },
    { HOST: "localhost" },
    { HOST: "::1" },
    { HOST: "0.0.0.0", DEMO: "off" },
    { HOST: "0.0.0.0", ...STRIPE }
  ])("is not: %j", (env: Env) => {
    expect(configWarnings(read(env)).filter((line) => /HOST|DEMO|simulated/.test(line))).toEqual([])
    expect(configErrorsOf({ ...env, PUBLIC_URL: "https://links.example.com" })).toEqual([])
  })
})

it("warns of payment links in production that only this machine can open", () => {
  const { PUBLIC_URL: _, ...unnamed } = production
  expect(configWarnings(read(unnamed))).toEqual([expect.stringContaining("PUBLIC_URL is not set")])
  expect(configWarnings(read({ ...unnamed, NODE_ENV: "" }))).toEqual([])
})

it("warns of an https PUBLIC_URL without the proxy's address, and of nothing where it is named or nobody signs in", () => {
  const env = { ...production, ...STRIPE, PUBLIC_URL: "https://links.example.com" }
  const { TRUSTED_PROXIES: _, ...unnamed } = env
  expect(configWarnings(read(env))).toEqual([])
  expect(configWarnings(read(unnamed))).toEqual([expect.stringContaining("TRUSTED_PROXIES does not name it")])
  expect(configWarnings(read({ ...unnamed, MEMBERS: "off" }))).toEqual([])
})
