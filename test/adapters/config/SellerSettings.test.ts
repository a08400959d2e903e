// The seller on invoices: what has to be named together, and what the settings mean.
import { ConfigProvider, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { configErrors, configWarnings } from "#adapters/config/ConfigChecks.ts"
import { configErrorMessage } from "#adapters/config/ConfigErrorMessage.ts"
import { sellerTerms } from "#adapters/config/SellerSettings.ts"
import { settings } from "#adapters/config/Settings.ts"

type Env = Readonly<Record<string, string>>

const complete = {
  SELLER_NAME: "Reef Media SARL",
  SELLER_ADDRESS: "1 quai du Port | 13002 Marseille",
  SELLER_COUNTRY: "FR",
  SELLER_VAT_ID: "FR 40 303265045"
}

const read = (env: Env) => settings.parse(ConfigProvider.fromUnknown(env))
const loaded = (env: Env) => Effect.runSync(read(env))

describe("the seller", () => {
  it("is read with its address in lines and its VAT id in one piece", () => {
    const { seller } = loaded({ ...complete, VAT_PERCENT: "5.5", SELLER_TIME_ZONE: "Europe/Paris" })
    expect(sellerTerms(seller)).toEqual({
      seller: {
        name: "Reef Media SARL",
        address: "1 quai du Port\n13002 Marseille",
        country: "FR",
        vatId: "FR40303265045"
      },
      vat: "standard",
      vatBasisPoints: 550,
      timeZone: "Europe/Paris"
    })
    expect(configErrors(loaded(complete))).toEqual([])
  })

  it("is none by default, which production is warned of", () => {
    expect(sellerTerms(loaded({}).seller)).toEqual({
      seller: null,
      vat: "standard",
      vatBasisPoints: 2_000,
      timeZone: "UTC"
    })
    expect(configWarnings(loaded({ NODE_ENV: "production" })).join()).toContain("invoices are pro forma")
    expect(configWarnings(loaded({ NODE_ENV: "production", ...complete })).join()).not.toContain("pro forma")
  })

  it.each([
    [{ ...complete, SELLER_COUNTRY: "France" }, "SELLER_COUNTRY must be two capital letters"],
    [{ ...complete, SELLER_TIME_ZONE: "Paris/Europe" }, "SELLER_TIME_ZONE must be a time zone"],
    [{ ...complete, SELLER_VAT_ID: "!" }, "SELLER_VAT_ID must be a VAT id"],
    [{ ...complete, VAT_PERCENT: "101" }, "VAT_PERCENT must be a percentage"]
  ])("does not start with %j", (env, message) => {
    expect(configErrorMessage(Effect.runSync(Effect.flip(read(env))))).toContain(message)
  })

  it.each([
    [{ SELLER_NAME: "Reef" }, "SELLER_NAME needs SELLER_ADDRESS"],
    [{ SELLER_COUNTRY: "FR" }, "have no effect without SELLER_NAME"],
    [{ ...complete, VAT_PERCENT: "0" }, "VAT_PERCENT=0 with SELLER_VAT=standard"],
    [{ ...complete, SELLER_VAT_ID: "12/345/67890" }, "must begin with its country"]
  ])("is refused as %j", (env, message) => {
    expect(configErrors(loaded(env)).join()).toContain(message)
  })

  it("without VAT may name a tax number", () => {
    expect(configErrors(loaded({ ...complete, SELLER_VAT: "franchise", SELLER_VAT_ID: "12/345/67890" }))).toEqual([])
  })
})
