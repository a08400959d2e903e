// Serves the server cards and the entry for the MCP registry, to any page of any origin.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { catalog } from "./CatalogSurface.ts"
import { type CardOptions, registryEntry, serverCard } from "./ServerCard.ts"
import { full, ordering } from "./Surface.ts"

/** The path of the draft before, at the root of the site, and those that the current one reserves beside each endpoint. */
const cardPaths = [
  ["/.well-known/mcp/server-card.json", ordering, "application/json"],
  ["/mcp/server-card", ordering, "application/mcp-server-card+json"],
  ["/mcp/full/server-card", full, "application/mcp-server-card+json"],
  ["/mcp/catalog/server-card", catalog, "application/mcp-server-card+json"]
] as const

const ENTRY_PATH = "/server.json"

export const serverCardRoutes = [
  ...cardPaths.map(([path]) => ({ method: "GET", path }) as const),
  { method: "GET", path: ENTRY_PATH } as const
]

const headers = { "access-control-allow-origin": "*", "cache-control": "public, max-age=3600" }

const document = (value: object, contentType: string) =>
  HttpServerResponse.text(JSON.stringify(value), { contentType, headers })

export const layer = (options: CardOptions) =>
  Layer.effectDiscard(
    Effect.flatMap(HttpRouter.HttpRouter, (router) =>
      Effect.forEach(
        [
          ...cardPaths.map(([path, surface, type]) => [path, document(serverCard(surface, options), type)] as const),
          [ENTRY_PATH, document(registryEntry(options.publicUrl), "application/json")] as const
        ],
        ([path, response]) => router.add("GET", path, response),
        { discard: true }
      )
    )
  )
