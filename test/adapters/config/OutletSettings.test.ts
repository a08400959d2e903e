// Where documents are handed over: what each outlet needs.
import { ConfigProvider, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { configErrors } from "#adapters/config/ConfigChecks.ts"
import { configErrorMessage } from "#adapters/config/ConfigErrorMessage.ts"
import { settings } from "#adapters/config/Settings.ts"

type Env = Readonly<Record<string, string>>

const read = (env: Env) => settings.parse(ConfigProvider.fromUnknown(env))
const errors = (env: Env) => configErrors(Effect.runSync(read(env)))

const directory = { INVOICE_OUTLET: "directory", INVOICE_OUTLET_DIRECTORY: "/srv/invoices" }
const webhook = {
  INVOICE_OUTLET: "webhook",
  INVOICE_OUTLET_URL: "https://invoices.example/in",
  INVOICE_OUTLET_SECRET: "0123456789abcdef"
}

describe("the outlet", () => {
  it.each([[{}], [directory], [webhook]])("is taken as %o", (env) => expect(errors(env)).toEqual([]))

  it.each([
    [{ INVOICE_OUTLET: "directory" }, "needs INVOICE_OUTLET_DIRECTORY"],
    [{ ...webhook, INVOICE_OUTLET_SECRET: "" }, "needs INVOICE_OUTLET_URL and INVOICE_OUTLET_SECRET"],
    [{ ...webhook, INVOICE_OUTLET_URL: "" }, "needs INVOICE_OUTLET_URL and INVOICE_OUTLET_SECRET"],
    [{ ...webhook, INVOICE_OUTLET_URL: "http://invoices.example/in" }, "must be https"],
    [{ INVOICE_OUTLET_DIRECTORY: "/srv/invoices" }, "have no effect without INVOICE_OUTLET"]
  ])("is refused as %o", (env, message) => {
    const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""))
    expect(errors(given).join("\n")).toContain(message)
  })

  it("may be plain http in development", () => {
    const env = { ...webhook, INVOICE_OUTLET_URL: "http://127.0.0.1:9/in", WEBHOOK_INSECURE_TARGETS: "true" }
    expect(errors(env)).toEqual([])
  })

  it.each([
    [{ ...webhook, INVOICE_OUTLET_URL: "invoices.example" }, "INVOICE_OUTLET_URL must be a URL"],
    [{ ...webhook, INVOICE_OUTLET_URL: "https://u:p@invoices.example/" }, "INVOICE_OUTLET_URL must be a URL"],
    [{ ...webhook, INVOICE_OUTLET_SECRET: "short" }, "INVOICE_OUTLET_SECRET must be 16 visible ASCII"]
  ])("is named as mistyped in %o", (env, message) => {
    expect(configErrorMessage(Effect.runSync(Effect.flip(read(env))))).toContain(message)
  })
})
