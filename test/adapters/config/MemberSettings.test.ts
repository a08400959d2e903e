// Settings of the member area: defaults, refused values, and mail that production needs.
import { ConfigProvider, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { configErrors } from "#adapters/config/ConfigChecks.ts"
import { isLoopback, peopleUrl } from "#adapters/config/MemberSettings.ts"
import { settings } from "#adapters/config/Settings.ts"

type Env = Readonly<Record<string, string>>

const read = (env: Env) => Effect.runSyncExit(settings.parse(ConfigProvider.fromUnknown(env)))

const loaded = (env: Env) => {
  const exit = read(env)
  if (Exit.isFailure(exit)) throw new Error(String(exit.cause))
  return exit.value
}

const smtp = { SMTP_URL: "smtps://user:secret@mail.example:465", MAIL_FROM: "Shop <shop@mail.example>" }

describe("settings of the member area", () => {
  it("are on and open by default", () => {
    expect(loaded({}).members).toMatchObject({ on: true, signUp: "open", trustedProxies: [] })
    expect(loaded({ MEMBERS: "off", SIGNUP: "closed" }).members).toMatchObject({ on: false, signUp: "closed" })
  })

  it("take addresses and networks of proxies", () => {
    expect(loaded({ TRUSTED_PROXIES: "10.0.0.0/8, 2001:db8::7" }).members.trustedProxies).toEqual([
      { address: "10.0.0.0", prefix: 8, family: "ipv4" },
      { address: "2001:db8::7", prefix: 128, family: "ipv6" }
    ])
  })

  it.each([
    { TRUSTED_PROXIES: "10.0.0.0/33" },
    { TRUSTED_PROXIES: "10.0.0.0/8/8" },
    { TRUSTED_PROXIES: "proxy.example" },
    { SMTP_URL: "https://mail.example" },
    { MAIL_FROM: "nobody" },
    { SIGNUP: "maybe" }
  ])("refuse %o", (env) => {
    expect(Exit.isFailure(read(env))).toBe(true)
  })
})

describe("mail", () => {
  const production = { NODE_ENV: "production", DEMO: "off", PAYMENTS: "simulated" }
  const errorsOf = (env: Env) => configErrors(loaded({ ...production, ...env }))

  it("is needed in production, unless the service is reached from its own machine only, or has no members", () => {
    const refused = [expect.stringContaining("SMTP_URL is not set")]
    expect(errorsOf({ PUBLIC_URL: "https://shop.example" })).toEqual(refused)
    expect(errorsOf({ HOST: "0.0.0.0" })).toEqual(refused)
    expect(errorsOf({ HOST: "::" })).toEqual(refused)
    expect(errorsOf({ PUBLIC_URL: "http://127.0.0.1.example" })).toEqual(refused)
    for (const url of ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"]) {
      expect(errorsOf({ PUBLIC_URL: url })).toEqual([])
    }
    expect(errorsOf({})).toEqual([])
    expect(errorsOf({ PUBLIC_URL: "https://shop.example", MEMBERS: "off" })).toEqual([])
    expect(errorsOf({ PUBLIC_URL: "https://shop.example", ...smtp })).toEqual([])
  })

  it("needs a sender beside its server", () => {
    expect(configErrors(loaded({ SMTP_URL: smtp.SMTP_URL }))).toEqual([expect.stringContaining("needs MAIL_FROM")])
  })
})

describe("links for people", () => {
  it("say localhost where the service is on this machine", () => {
    expect(peopleUrl("http://127.0.0.1:3000")).toBe("http://localhost:3000")
    expect(peopleUrl("http://[::1]:3000")).toBe("http://localhost:3000")
    expect(peopleUrl("https://127.example")).toBe("https://127.example")
    expect(isLoopback("https://localhost.example")).toBe(false)
  })
})
