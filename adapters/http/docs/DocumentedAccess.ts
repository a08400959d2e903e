// Keys and tokens as the OpenAPI document says them: where a connected assistant gets its token, and what each operation takes.
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import type { JsonObject } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import type { Scope } from "#core/domain/access/ApiKey.ts"
import { RequiredScope } from "../api/Access.ts"
import { Api } from "../api/Api.ts"

/** Where connected assistants ask a human and get their tokens. */
export interface OAuthAddresses {
  readonly authorizationUrl: string
  readonly tokenUrl: string
}

const SCOPES: Readonly<Record<Scope, string>> = {
  read: "See the catalogue, orders, credit and invoices.",
  order: "Order, change and cancel links within the limits that the account's owner sets."
}

const scopes = new Map<string, Scope>()
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }) => {
    scopes.set(endpoint.identifier, Context.getUnsafe(endpoint.annotations, RequiredScope))
  }
})

/** The scope that the operation of this name needs. */
export const scopeOf = (operationId: string): Scope | undefined => scopes.get(operationId)

/** The security of an operation: a key, or a token with the scope that the operation needs. */
export const keyOrToken = (operationId: string): ReadonlyArray<JsonObject> => {
  const scope = scopeOf(operationId)
  return [{ apiKey: [] }, { oauth: scope === undefined ? [] : [scope] }]
}

export const oauthScheme = ({ authorizationUrl, tokenUrl }: OAuthAddresses): JsonObject => ({
  type: "oauth2",
  description: "An access token of an assistant that an owner of the account connected, in the same header.",
  flows: { authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes: { ...SCOPES } } }
})
