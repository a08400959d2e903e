// The authorization server's library with this service's rules: who may ask for what, how long tokens are good for, and where a person
// is asked. Every function that the library would fill in with a notice on the console is given.
import { EventEmitter } from "node:events"
import { Result } from "effect"
import { type Configuration, errors, interactionPolicy, Provider } from "oidc-provider"
import { CONSENT_COOKIE, consentPath } from "#adapters/contract/access/Consent.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import type { ClientDocument } from "#core/ports/access/ClientDocuments.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type AdapterOptions, makeAdapter } from "./ArtifactAdapter.ts"
import { clientMetadata } from "./ClientMetadata.ts"
import type { DerivedKeys } from "./DerivedKeys.ts"
import { errorPage, type OfService } from "./ErrorPage.ts"
import * as Lifetimes from "./Lifetimes.ts"
import { RESUME_COOKIE, ROUTES, SESSION_COOKIE } from "./Paths.ts"
import { rotateOnce } from "./RefreshTokens.ts"
import { registrationToken, registrationTokenAdapter } from "./RegistrationTokens.ts"
import { RESOURCES, resourceAt, resourceUrl } from "./Resources.ts"

export interface ProviderOptions extends AdapterOptions {
  readonly registration: boolean
  readonly keys: DerivedKeys
  /** Rejects what the address policy refuses. */
  readonly fetchDocument: (url: string) => Promise<ClientDocument>
  /** Whether tokens may be issued for this connection now. */
  readonly isLive: (connectionId: KeyId) => Promise<boolean>
  readonly onError: (error: Error) => void
  readonly service: OfService
}

const { Check, Prompt } = interactionPolicy

/** Every request is put to a person: the answer makes the connection. */
const policy = [
  new Prompt(
    { name: "consent", requestable: true },
    new Check("consent_missing", "a person must consent", "consent_required", ({ oidc }) => oidc.result === undefined)
  ),
  ...["login", "select_account"].map((name) => new Prompt({ name, requestable: true }))
]

/** A document says what a registration would, and is taken in the same way. */
const documentFor = (clientId: string, { text, cacheControl }: ClientDocument): Response => {
  const given: unknown = JSON.parse(text)
  const metadata = Result.getOrThrowWith(
    clientMetadata(given),
    ({ error, error_description }) => new Error(`${error}: ${error_description}`)
  )
  // The library compares it with the address. A document without one has none here, either.
  const named = given !== null && typeof given === "object" && "client_id" in given ? given.client_id : undefined
  const shared = given !== null && typeof given === "object" && "client_secret" in given
  if (named !== clientId || shared) throw new Error("the document is not one of this client")
  const headers = cacheControl === null ? {} : { "cache-control": cacheControl }
  return Response.json({ ...metadata, client_id: clientId }, { headers })
}

const features = (options: ProviderOptions): NonNullable<Configuration["features"]> => {
  const { publicUrl, registration } = options
  const [first] = RESOURCES
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    registration: { enabled: registration, initialAccessToken: false, issueRegistrationAccessToken: true },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    clientIdMetadataDocument: { enabled: true, ack: "draft-02", cacheDuration: { min: 60, max: 3_600 } },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? resourceUrl(publicUrl, first),
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, indicator) => {
        const resource = resourceAt(publicUrl, indicator)
        if (resource === undefined) throw new errors.InvalidTarget()
        return {
          scope: resource.scopes.join(" "),
          audience: indicator,
          accessTokenFormat: "opaque",
          accessTokenTTL: Lifetimes.ACCESS_TOKEN_TTL
        }
      }
    }
  }
}

/** The connection of a token; a code is only good for the address that its client still names. */
const accountFinder =
  ({ isLive }: ProviderOptions): NonNullable<Configuration["findAccount"]> =>
  async (ctx, connectionId, token) => {
    const redirectUri = token !== undefined && "redirectUri" in token ? token.redirectUri : undefined
    if (typeof redirectUri === "string" && ctx.oidc.client?.redirectUriAllowed(redirectUri) === false) return undefined
    if (!(await isLive(KeyId.make(connectionId)))) return undefined
    return { accountId: connectionId, claims: () => ({ sub: connectionId }) }
  }

const configuration = (options: ProviderOptions): Configuration => {
  const { keys, fetchDocument } = options
  const adapter = makeAdapter(options)
  return {
    adapter: (name) =>
      name === "RegistrationAccessToken" ? registrationTokenAdapter(keys.registrations, adapter(name)) : adapter(name),
    jwks: { keys: keys.signing },
    features: features(options),
    routes: ROUTES,
    scopes: [],
    claims: {},
    responseTypes: ["code"],
    pkce: { required: () => true },
    clientAuthMethods: ["none"],
    clientDefaults: { id_token_signed_response_alg: "EdDSA", token_endpoint_auth_method: "none" },
    enabledJWA: { idTokenSigningAlgValues: ["EdDSA"] },
    clientBasedCORS: () => true,
    cookies: {
      keys: keys.cookies,
      names: { session: SESSION_COOKIE, interaction: CONSENT_COOKIE, resume: RESUME_COOKIE },
      short: { signed: true, httpOnly: true, sameSite: "lax" },
      long: { signed: true, httpOnly: true, sameSite: "lax" }
    },
    interactions: { policy, url: (_ctx, { uid }) => consentPath(uid) },
    findAccount: accountFinder(options),
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: () => false,
    ttl: {
      AccessToken: Lifetimes.ACCESS_TOKEN_TTL,
      AuthorizationCode: Lifetimes.CODE_TTL,
      Grant: Lifetimes.GRANT_TTL,
      IdToken: Lifetimes.ACCESS_TOKEN_TTL,
      Interaction: Lifetimes.INTERACTION_TTL,
      RefreshToken: Lifetimes.REFRESH_TOKEN_TTL,
      Session: Lifetimes.SESSION_TTL
    },
    fetch: async (url) => documentFor(String(url), await fetchDocument(String(url))),
    renderError: (ctx, { error, error_description }) => {
      ctx.type = "html"
      ctx.body = errorPage(error, error_description, options.service)
    }
  }
}

export const makeProvider = (options: ProviderOptions): Provider => {
  const provider = new Provider(options.publicUrl, configuration(options))
  const [registrationKey] = options.keys.registrations
  const { RegistrationAccessToken } = provider
  Object.defineProperty(RegistrationAccessToken.prototype, "generateTokenId", {
    value(this: { readonly clientId: string }) {
      return registrationToken(registrationKey ?? Buffer.alloc(0), this.clientId)
    }
  })
  rotateOnce(provider, options)
  provider.on("server_error", (ctx, error) => {
    options.onError(error)
    if (!(error instanceof StoreUnavailable)) return
    ctx.status = 503
    ctx.set("retry-after", String(error.retryAfterSeconds))
  })
  // The framework prints what it fails on unless something listens.
  EventEmitter.prototype.on.call(provider, "error", options.onError)
  return provider
}
