// What access tokens are for: the resources of this service, each with its scopes and its metadata (RFC 9728). Those of one kind take each
// other's tokens.
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
  { kind: "service", path: "/mcp/full", scopes: ALL_SCOPES },
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

/**
 * What a call of this URL needs: at an MCP endpoint all scopes of that resource, because some clients never ask for more than at first, and
 * the person decides; elsewhere `read`, with the metadata of the whole service, whose tokens are good at REST too.
 */
export const authorizationAt = (publicUrl: string, url: string) => {
  const path = url.replace(/[?#].*$/s, "")
  const called = RESOURCES.find((one) => one.path === path)
  return {
    metadata: `${publicUrl}${metadataPath(called ?? RESOURCES[0])}`,
    scope: (called?.scopes ?? ["read"]).join(" ")
  }
}

export const resourceMetadata = (publicUrl: string, resource: Resource) => ({
  resource: resourceUrl(publicUrl, resource),
  authorization_servers: [publicUrl],
  scopes_supported: resource.scopes,
  bearer_methods_supported: ["header"],
  resource_name: SERVICE_NAME,
  resource_documentation: `${publicUrl}/docs`
})
