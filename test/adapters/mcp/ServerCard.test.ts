// What directories and the registry read before they connect: valid by their schemas, and true of the endpoints.
import { layer } from "@effect/vitest"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { VERSION } from "#adapters/contract/shared/ServiceDescription.ts"
import { catalog } from "#adapters/mcp/CatalogSurface.ts"
import { registryEntry, serverCard } from "#adapters/mcp/ServerCard.ts"
import { full, ordering } from "#adapters/mcp/Surface.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { connectors } from "./Clients.ts"
import { post, request } from "./Post.ts"

/** The members that both schemas require or bound, as published for cards (v1) and the registry (2025-12-11). */
const IDENTITY = {
  type: "object",
  required: ["$schema", "name", "description", "version", "remotes"],
  properties: {
    name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    version: { type: "string", maxLength: 255 },
    websiteUrl: { type: "string", pattern: "^https?://" },
    remotes: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["type", "url"],
        properties: {
          type: { enum: ["streamable-http", "sse"] },
          url: { type: "string", pattern: "^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$" },
          supportedProtocolVersions: { type: "array", items: { type: "string" } },
          headers: {
            type: "array",
            items: {
              type: "object",
              required: ["name"],
              properties: {
                description: { type: "string" },
                isRequired: { type: "boolean" },
                isSecret: { type: "boolean" }
              }
            }
          }
        }
      }
    }
  }
} as const

const isIdentity = new AjvJsonSchemaValidator().getValidator(IDENTITY)

const options = { publicUrl: "https://links.example.com", oauth: false, legal: [] }

describe("server cards", () => {
  it("name the service by its host, from the end", () => {
    expect(serverCard(ordering, options).name).toBe("com.example.links/backlink-ordering-service")
    expect(serverCard(full, options).name).toBe("com.example.links/backlink-ordering-service-full")
    expect(serverCard(catalog, options).name).toBe("com.example.links/backlink-ordering-service-catalog")
    for (const publicUrl of ["http://127.0.0.1:3000", "http://[::1]:3000", "http://localhost:3000"]) {
      expect(isIdentity(registryEntry(publicUrl))).toMatchObject({ valid: true })
    }
  })

  it("have the members of their schemas", () => {
    for (const document of [
      serverCard(ordering, options),
      serverCard(full, options),
      serverCard(catalog, options),
      registryEntry(options.publicUrl)
    ])
      expect(isIdentity(document)).toMatchObject({ valid: true })
    expect(registryEntry(options.publicUrl)).toMatchObject({
      $schema: expect.stringMatching(/\/2025-12-11\/server\.schema\.json$/),
      version: VERSION,
      remotes: [{ type: "streamable-http", url: "https://links.example.com/mcp" }]
    })
  })

  it("name OAuth where there is an authorization server", () => {
    expect(serverCard(ordering, options).authentication.schemes).toStrictEqual(["bearer"])
    expect(serverCard(ordering, { ...options, oauth: true }).authentication.schemes).toStrictEqual(["bearer", "oauth2"])
  })

  it("link to the operator's texts where there are any", () => {
    expect(JSON.stringify(serverCard(ordering, options))).not.toMatch(/privacy|terms/i)
    expect(serverCard(ordering, { ...options, legal: [{ path: "/privacy" }, { path: "/terms" }] })).toMatchObject({
      privacyPolicyUrl: "https://links.example.com/privacy",
      termsOfServiceUrl: "https://links.example.com/terms"
    })
  })

  it("of the catalogue name no tool that buys", () =>
    expect(JSON.stringify(serverCard(catalog, options))).not.toMatch(/create_order|payment_url|approval_url/))
})

const fetched = (path: string) =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    return yield* Effect.promise(async (signal) => {
      const response = await fetch(`${url}${path}`, { signal })
      return { headers: response.headers, status: response.status, body: await response.json() }
    })
  })

layer(RunningService.layer(), { excludeTestServices: true })("served cards", (it) => {
  for (const [path, mcp, type] of [
    ["/.well-known/mcp/server-card.json", "/mcp", "application/json"],
    ["/mcp/server-card", "/mcp", "application/mcp-server-card+json"],
    ["/mcp/full/server-card", "/mcp/full", "application/mcp-server-card+json"],
    ["/mcp/catalog/server-card", "/mcp/catalog", "application/mcp-server-card+json"]
  ] as const) {
    it.effect(`${path} says what ${mcp} says`, () =>
      Effect.gen(function* () {
        const { url } = yield* RunningService.RunningService
        const { headers, status, body } = yield* fetched(path)
        expect([status, headers.get("content-type"), headers.get("access-control-allow-origin")]).toStrictEqual([
          200,
          type,
          "*"
        ])
        expect(headers.get("cache-control")).toBe("public, max-age=3600")
        expect(body.remotes).toMatchObject([{ url: `${url}${mcp}` }])
        const listed = JSON.parse((yield* post(`${url}${mcp}`, request("2025", "tools/list"))).text).result
        expect(body.tools).toStrictEqual(listed.tools)
        for (const version of body.remotes[0].supportedProtocolVersions.filter((one: string) => one !== "2026-07-28")) {
          const hello = { protocolVersion: version, capabilities: {}, clientInfo: { name: "test", version: "1" } }
          const { result } = JSON.parse((yield* post(`${url}${mcp}`, request("2025", "initialize", hello))).text)
          expect(result).toMatchObject({ protocolVersion: version, serverInfo: body.serverInfo })
        }
        expect(body.remotes[0].supportedProtocolVersions).toContain("2026-07-28")
      })
    )
  }

  it.effect("/server.json is the registry's entry, and its address connects", () =>
    Effect.gen(function* () {
      const { body } = yield* fetched("/server.json")
      const [remote] = body.remotes
      for (const connect of Object.values(connectors)) {
        expect((yield* connect({ url: remote.url })).tools).toHaveLength(ordering.tools.length)
      }
    })
  )
})
