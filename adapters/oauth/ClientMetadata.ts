// What clients say about themselves, in a registration or in their own document, as the authorization server takes it. Clients ask for
// more than this server has, so that what is unknown is left out instead of refused.
import { Predicate, Result } from "effect"
import { redirectFault } from "./RedirectUris.ts"

const MAX_REDIRECT_URIS = 20
const MAX_URI_LENGTH = 2_048
const MAX_NAME_LENGTH = 100

const GRANT_TYPES: ReadonlyArray<string> = ["authorization_code", "refresh_token"]

/** The error of RFC 7591, section 3.2.2. */
export interface MetadataFault {
  readonly error: "invalid_redirect_uri" | "invalid_client_metadata"
  readonly error_description: string
}

export interface ClientMetadata {
  readonly client_name?: string
  readonly client_uri?: string
  readonly redirect_uris: ReadonlyArray<string>
  readonly grant_types: ReadonlyArray<string>
  readonly response_types: ReadonlyArray<string>
  readonly token_endpoint_auth_method: "none"
  readonly application_type: "native"
}

const strings = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []

const redirectUrisOf = (value: unknown): Result.Result<ReadonlyArray<string>, MetadataFault> => {
  const refuse = (description: string) =>
    Result.fail({ error: "invalid_redirect_uri", error_description: `redirect_uris ${description}` } as const)
  const uris = [...new Set(strings(value))]
  if (!Array.isArray(value) || strings(value).length !== value.length || uris.length === 0) {
    return refuse("must be a list of URIs")
  }
  if (uris.length > MAX_REDIRECT_URIS) return refuse(`must be at most ${MAX_REDIRECT_URIS}`)
  if (uris.some((uri) => uri.length > MAX_URI_LENGTH)) return refuse(`must have at most ${MAX_URI_LENGTH} characters`)
  const fault = uris.map(redirectFault).find(Predicate.isNotUndefined)
  return fault === undefined ? Result.succeed(uris) : refuse(fault)
}

/** A refresh token is for every client that does not rule it out. */
const grantTypesOf = (value: unknown): ReadonlyArray<string> => {
  if (value === undefined || value === null) return GRANT_TYPES
  const asked = strings(value)
  return GRANT_TYPES.filter((type) => type === "authorization_code" || asked.includes(type))
}

/** Characters that a page would not show, or show in another place, are no part of a name. */
const nameOf = (value: unknown): string =>
  typeof value === "string"
    ? value
        .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, "")
        .trim()
        .slice(0, MAX_NAME_LENGTH)
    : ""

const isHttps = (value: unknown): value is string =>
  typeof value === "string" && value.length <= MAX_URI_LENGTH && URL.parse(value)?.protocol === "https:"

/**
 * Every client is taken as a public, native one: that allows https, loopback with any port and private-use schemes beside each other. A
 * `scope` is not taken: it would be the most that the client can ever ask for.
 */
export const clientMetadata = (body: unknown): Result.Result<ClientMetadata, MetadataFault> => {
  if (!Predicate.isObject(body) || Array.isArray(body)) {
    return Result.fail({ error: "invalid_client_metadata", error_description: "the body must be a JSON object" })
  }
  // Any member may be there, of any type.
  const given = body as Readonly<Record<string, unknown>>
  return Result.map(redirectUrisOf(given["redirect_uris"]), (redirect_uris) => {
    const name = nameOf(given["client_name"])
    const uri = given["client_uri"]
    return {
      ...(name === "" ? {} : { client_name: name }),
      ...(isHttps(uri) ? { client_uri: uri } : {}),
      redirect_uris,
      grant_types: grantTypesOf(given["grant_types"]),
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native"
    }
  })
}
