// Documents by which directories and clients learn of the MCP endpoints before they connect: the server card of each, and the entry for
// the MCP registry. A card has the members of the current draft and those of the one before, which scanners still read.
import { isIP } from "node:net"
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server"
import { VERSION } from "#adapters/contract/shared/ServiceDescription.ts"
import { ordering, type Surface } from "./Surface.ts"
import { SERVER_INFO, toListedTool } from "./ToolServer.ts"

export interface CardOptions {
  /** Ends without a slash. */
  readonly publicUrl: string
  /** Whether there is an authorization server for the endpoints. */
  readonly oauth: boolean
  /** Paths of the operator's texts, where there are any. */
  readonly legal: ReadonlyArray<{ readonly path: "/privacy" | "/terms" }>
}

const CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
const REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

/** Both documents allow 100 characters. */
const DESCRIPTIONS: Readonly<Record<Surface["path"], string>> = {
  "/mcp": "Find sites that publish backlinks, order within a human's limits, and follow each link.",
  "/mcp/full": "Find sites that publish backlinks, order within a human's limits, and manage what was ordered.",
  "/mcp/catalog": "Find sites that publish backlinks, and follow the links of an account. Nothing is bought here."
}

/** The host from its end, as `com.example.links`; an address stays as it is. */
const namespaceOf = (publicUrl: string): string => {
  const host = new URL(publicUrl).hostname
  if (host.startsWith("[")) return "localhost"
  return isIP(host) === 0 ? host.split(".").reverse().join(".") : host
}

const nameOf = ({ path }: Surface, publicUrl: string): string =>
  `${namespaceOf(publicUrl)}/${[SERVER_INFO.name, ...path.split("/").slice(2)].join("-")}`

const identityOf = (surface: Surface, publicUrl: string) => ({
  name: nameOf(surface, publicUrl),
  title: SERVER_INFO.title,
  description: DESCRIPTIONS[surface.path],
  version: VERSION,
  websiteUrl: publicUrl
})

const AUTHORIZATION = {
  name: "Authorization",
  description:
    "`Bearer` and an API key of the account, made in its member area, or an access token. The list of tools needs none.",
  isRequired: false,
  isSecret: true
}

const remoteOf = ({ path }: Surface, publicUrl: string) => ({
  type: "streamable-http",
  url: `${publicUrl}${path}`,
  headers: [AUTHORIZATION]
})

const LEGAL_MEMBERS = { "/privacy": "privacyPolicyUrl", "/terms": "termsOfServiceUrl" } as const

const PROTOCOL_VERSIONS = ["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version >= "2025")]

export const serverCard = (surface: Surface, { publicUrl, oauth, legal }: CardOptions) => ({
  $schema: CARD_SCHEMA,
  ...identityOf(surface, publicUrl),
  remotes: [{ ...remoteOf(surface, publicUrl), supportedProtocolVersions: PROTOCOL_VERSIONS }],
  serverInfo: SERVER_INFO,
  transport: { type: "streamable-http", endpoint: surface.path },
  capabilities: { tools: {} },
  authentication: { required: true, schemes: oauth ? ["bearer", "oauth2"] : ["bearer"] },
  tools: surface.tools.map(toListedTool),
  ...Object.fromEntries(legal.map(({ path }) => [LEGAL_MEMBERS[path], `${publicUrl}${path}`]))
})

/** `server.json`, to be sent to the registry by the operator, who proves there to own the name's domain. */
export const registryEntry = (publicUrl: string) => ({
  $schema: REGISTRY_SCHEMA,
  ...identityOf(ordering, publicUrl),
  remotes: [remoteOf(ordering, publicUrl)]
})
