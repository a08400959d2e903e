// What a model is told on the surface that admits no purchase: descriptions, instructions, schemas and suggestions.
import { describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { expect } from "vitest"
import { PUBLIC_ERRORS } from "#adapters/contract/errors/ErrorCode.ts"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { About } from "#adapters/contract/operations/About.ts"
import { catalog } from "#adapters/mcp/CatalogSurface.ts"
import { ordering } from "#adapters/mcp/Surface.ts"
import { memberNamesOf } from "#adapters/mcp/ToolSchema.ts"
import { samples } from "#test/adapters/contract/errors/FailureSamples.ts"

/** Every text that the surface gives without an account's data. */
const texts = JSON.stringify([
  catalog.instructions,
  catalog.tools.map(({ name, title, description, inputSchema, outputSchema }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema
  }))
])

const BUYING = /create_order|payment_url|approval_url|next_action|dry_run|max_total_eur|promo_code`/

/** Members that hold addresses of the web, which are what the catalogue is about. */
const PUBLIC_ADDRESSES = new Set(["url", "target_url", "published_url"])

const balance = {
  ok: true,
  currency: "EUR",
  available_cents: 0,
  available_eur: 0,
  held_cents: 0,
  owed_cents: 0,
  holds: [],
  open_quotes: [],
  orders_today: { used: 0, limit: 20, resets_at: "2026-11-21T00:00:00.000Z" },
  sandbox: false
}

const find = (name: string) => catalog.tools.find((tool) => tool.name === name)

describe("the catalogue's texts", () => {
  it("are of the tools that read, in the order of the others", () => {
    const reading = ordering.tools.filter(({ annotations }) => annotations.readOnlyHint === true)
    expect(catalog.tools.map(({ name }) => name)).toStrictEqual(reading.map(({ name }) => name))
    expect(reading).toHaveLength(ordering.tools.length - 1)
  })

  it("name no tool that buys, and nothing of it", () => {
    expect(JSON.stringify([ordering.instructions, ordering.tools])).toMatch(BUYING)
    expect(texts).not.toMatch(BUYING)
  })

  it("declare no address but those of sites and links", () => {
    for (const { outputSchema } of catalog.tools) {
      const addresses = [...memberNamesOf(outputSchema)].filter((name) => /url|link$/.test(name))
      for (const name of addresses) expect(PUBLIC_ADDRESSES).toContain(name)
    }
    expect(find("get_quote_status")?.outputSchema).toMatchObject({
      required: expect.not.arrayContaining(["payment_url"])
    })
  })

  for (const { name, description, inputSchema } of catalog.tools) {
    it(`${name} still says what it does, when to use it and what to tell the user`, () => {
      const full = ordering.tools.find((tool) => tool.name === name)
      if (name !== "about") expect(description.split(". ")[0]).toBe(full?.description.split(". ")[0])
      expect(description).toMatch(/Use it/)
      expect(description).toMatch(/Free/)
      expect(description).toMatch(/the user/i)
      // What others of the account placed is not shown here.
      const shown = Object.keys(full?.inputSchema.properties ?? {}).filter((argument) => argument !== "scope")
      expect(Object.keys(inputSchema.properties)).toStrictEqual(shown)
      for (const member of Object.values(inputSchema.properties)) {
        expect(member).toMatchObject({ description: expect.stringMatching(/.{10,}/) })
      }
    })
  }

  it("of about explain the service without a purchase", () => {
    const about = Schema.decodeUnknownSync(About)(find("about")?.present?.(balance, null))
    expect(JSON.stringify(about)).not.toMatch(BUYING)
    expect(about.purpose).toMatch(/Nothing can be bought here/)
    expect(about.tools.map(({ tool }) => tool)).toStrictEqual(catalog.tools.slice(1).map(({ name }) => name))
    expect(about.order_of_calls.join()).toMatch(/search_sites.*check_balance.*get_order_status/s)
    expect(about.money_rules.length).toBeGreaterThan(3)
  })

  const failures: ReadonlyArray<Failure> = Object.values(samples).flat()
  for (const failure of failures) {
    const { body } = toErrorResponse(failure, "req_1")
    if (!(body.error.code in PUBLIC_ERRORS)) continue
    it(`of ${failure._tag} (${body.error.code}) name no tool that buys`, () => {
      const { error } = catalog.wordError(body)
      expect(JSON.stringify(error)).not.toMatch(/create_order|payment_url|approval_url/)
      expect(error.message).not.toBe("")
      const named = [...(error.suggestion ?? "").matchAll(/\b(?:search|get|list|check|create)_[a-z_]+/g)]
      for (const [name] of named) expect(find(name)?.name).toBe(name)
    })
  }

  for (const code of ["quote_not_found", "internal_error", "store_unavailable", "rate_limited", "order_not_found"]) {
    it(`of ${code} still say what to do`, () => {
      const failure = failures.find((one) => toErrorResponse(one, "req_1").body.error.code === code)
      const body = failure === undefined ? undefined : toErrorResponse(failure, "req_1").body
      expect(body && catalog.wordError(body).error.suggestion?.length).toBeGreaterThan(20)
    })
  }
})
