// What access tokens are for: the resources of this service, each with its scopes and its metadata (RFC 9728).
import { SERVICE_NAME } from "#adapters/contract/shared/ServiceDescription.ts"
import type { Resource as ResourceKind } from "#core/domain/access/AccessToken.ts"
import { ALL_SCOPES, type Scope } from "#core/domain/access/ApiKey.ts"

export interface Resource {
  readonly kind: ResourceKind
  readonly path: `/${string}`
  readonly scopes: ReadonlyArray<Scope>
}

/** The first is meant where a client names none. */
export const RESOURCES: readonly [Resource, ...ReadonlyArray<Resource>] = [
  { kind: "service", path: "/mcp", scopes: ALL_SCOPES },
  { kind: "catalog", path: "/mcp/catalog", scopes: ["read"] }
]

export const resourceUrl = (publicUrl: string, { path }: Resource): string => `${publicUrl}${path}`

/** The resource of this URL, whose scheme and host may be in capital letters. */
export const resourceAt = (publicUrl: string, url: unknown): Resource | undefined => {
  const href = typeof url === "string" ? URL.parse(url)?.href : undefined
  return RESOURCES.find((resource) => URL.parse(resourceUrl(publicUrl, resource))?.href === href)
}

export const METADATA_PATH = "/.well-known/oauth-protected-resource"

/** The path of a resource's metadata has the path of the resource at its end. */
export const metadataPath = ({ path }: Resource): `/${string}` => `${METADATA_PATH}${path}`

/** The metadata for calls of this URL: of the MCP endpoint itself, else of the whole service, whose tokens are for REST too. */
export const metadataUrl = (publicUrl: string, url: string): string => {
  const path = url.replace(/[?#].*$/s, "")
  const resource = RESOURCES.find((one) => one.path === path) ?? RESOURCES[0]
  return `${publicUrl}${metadataPath(resource)}`
}

export const resourceMetadata = (publicUrl: string, resource: Resource) => ({
  resource: resourceUrl(publicUrl, resource),
  authorization_servers: [publicUrl],
  scopes_supported: resource.scopes,
  bearer_methods_supported: ["header"],
  resource_name: SERVICE_NAME,
  resource_documentation: `${publicUrl}/docs`
})
