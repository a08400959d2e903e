// Billing identities as they are written: VAT ids of each country, addresses, and what is stored of them.
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { faultsOf, fieldErrors } from "#adapters/contract/decoding/SchemaIssues.ts"
import { BillingFields, billingDetails, vatIdFault } from "#adapters/contract/invoicing/BillingDetails.ts"

const decode = Schema.decodeUnknownResult(BillingFields, { errors: "all" })

const given = (over: Readonly<Record<string, unknown>> = {}) => ({
  name: "Garden Tools GmbH",
  address: "Gartenweg 7\n10115 Berlin",
  country: "DE",
  vatId: "DE136695976",
  ...over
})

/** The fields that are wrong. */
const faults = (over: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Result.match(decode(given(over)), {
    onSuccess: () => [],
    onFailure: ({ issue }) => fieldErrors(faultsOf(issue), "query").map(({ path }) => path)
  })

describe("billing identities", () => {
  it.each([
    ["DE136695976", "DE"],
    ["de 136.695.976", "DE"],
    ["FR40303265045", "FR"],
    ["FR40303265045", "MC"],
    ["ATU12345675", "AT"],
    ["EL094259216", "GR"],
    ["CHE-123.456.788", "CH"],
    ["GB980780684", "GB"],
    ["12/345/67890", "US"]
  ])("take %s of %s", (vatId, country) => expect(vatIdFault(vatId, country)).toBeUndefined())

  it.each([
    ["DE136695977", "DE", "check digits"],
    ["DE1366959", "DE", "form"],
    ["FR40303265045", "DE", "begin with the country DE"],
    ["136695976", "DE", "begin with the country DE"],
    ["GR094259216", "GR", "begin with the country EL"],
    ["EL094", "GR", "form"],
    ["DE136695976", "GR", "begin with the country EL"],
    ["=1+1", "US", "Must be a VAT id"],
    ["x", "US", "Must be a VAT id"]
  ])("refuse %s of %s", (vatId, country, why) => expect(vatIdFault(vatId, country)).toContain(why))

  it.each([
    [{ name: "" }, "name"],
    [{ name: " " }, "name"],
    [{ name: "x".repeat(201) }, "name"],
    [{ name: "a\nb" }, "name"],
    [{ address: "\u200B" }, "address"],
    [{ address: "a\tb" }, "address"],
    [{ address: "1\n2\n3\n4\n5\n6\n7" }, "address"],
    [{ country: "de" }, "country"],
    [{ country: "ZZ" }, "country"],
    [{ country: "EU" }, "country"],
    [{ vatId: "DE136695977" }, "vatId"],
    [{ reference: "x".repeat(101) }, "reference"]
  ])("name the field of %o", (over, field) => expect(faults(over)).toEqual([field]))

  it.each([
    ["EL", "Must be GR, not EL"],
    ["UK", "Must be GB, not UK"],
    ["fr", "two capital letters"]
  ])("say what is meant by the country %s", (country, why) => {
    const decoded = decode(given({ country }))
    expect(Result.isFailure(decoded) && String(decoded.failure)).toContain(why)
  })

  it("are stored without what only looks", () => {
    const decoded = decode(
      given({ name: " Ada ", vatId: "de 136 695 976", address: " Gartenweg 7 \r\n\r\n10115 Berlin" })
    )
    expect(Result.map(decoded, billingDetails)).toEqual(
      Result.succeed({
        name: "Ada",
        address: "Gartenweg 7\n10115 Berlin",
        country: "DE",
        vatId: "DE136695976",
        reference: null
      })
    )
  })

  it("take hostile names of 200 characters as they are", () => {
    const name = `</ram:Name>\u202E${"😀".repeat(188)}`
    expect(Result.map(decode(given({ name })), billingDetails)).toMatchObject({ success: { name } })
  })
})
