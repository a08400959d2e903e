// The authorization server: the library over this service's stores, made at its first request, because loading it takes as long as the
// rest of a start. Answers HTTP requests, and the use case that asks a person.
import { Context, Effect, Layer, type Redacted } from "effect"
import type { Interaction, Provider } from "oidc-provider"
import { carryClock, runCarried } from "#adapters/concurrency/AnswerInTime.ts"
import { ServiceName } from "#adapters/contract/shared/ServiceDescription.ts"
import { Imprint } from "#adapters/html/Imprint.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { type AuthorizationRequest, AuthorizationRequests } from "#core/ports/access/AuthorizationRequests.ts"
import { ClientDocuments } from "#core/ports/access/ClientDocuments.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { derivedKeys } from "./DerivedKeys.ts"
import { grantReference } from "./Hashes.ts"
import { currentRequester, handleInProcess, type InProcessRequest, type InProcessResponse } from "./InProcess.ts"
import { type KnownDocuments, makeKnownDocuments } from "./KnownDocuments.ts"
import { hostOfRedirect, isLoopbackRedirect } from "./RedirectUris.ts"
import { RESOURCES, resourceAt } from "./Resources.ts"

export interface AuthorizationServerOptions {
  readonly publicUrl: string
  /** Where browsers reach the service: loopback may have another spelling there. */
  readonly peopleUrl: string
  readonly registration: boolean
  readonly encryptionKey: Redacted.Redacted<string>
  readonly previousKey?: Redacted.Redacted<string>
  /** The most unused registrations, and the most requests that wait. */
  readonly maxUnused?: number
}

export class AuthorizationServer extends Context.Service<
  AuthorizationServer,
  {
    /** `by` is who sends the request: its URLs are those of this origin. */
    readonly handle: (request: InProcessRequest, by: "client" | "browser") => Effect.Effect<InProcessResponse>
  }
>()("backlinks/oauth/AuthorizationServer") {}

/** Errors are pages only for people. */
const asJson = (request: InProcessRequest): InProcessRequest => ({
  ...request,
  headers: { ...request.headers, accept: "application/json" }
})

const textIn = (params: Readonly<Record<string, unknown>>, name: string): string => {
  const value = params[name]
  return typeof value === "string" ? value : ""
}

/** What is asked for, with the scopes that the resource has: a client of the catalogue may read, whatever it asks for. */
const askedIn = (
  publicUrl: string,
  params: Readonly<Record<string, unknown>>
): Pick<AuthorizationRequest, "resource" | "scopes"> => {
  const { kind, scopes } = resourceAt(publicUrl, params["resource"]) ?? RESOURCES[0]
  const asked = textIn(params, "scope").split(" ")
  return { resource: kind, scopes: scopes.filter((scope) => asked.includes(scope)) }
}

const isWaiting = (interaction: Interaction | undefined): interaction is Interaction =>
  interaction !== undefined && interaction.result === undefined

/** Whether an error of the library is no fault of this server. */
const isRefusal = (error: unknown): boolean => error instanceof Error && "expose" in error && error.expose === true

/** None whose document has since changed to one that is not taken, or cannot be fetched now. */
const clientNamed = (provider: Provider, clientId: string) =>
  provider.Client.find(clientId).catch((error: unknown) => {
    if (isRefusal(error)) return undefined
    throw error
  })

const clientOf = async (provider: Provider, publicUrl: string, params: Readonly<Record<string, unknown>>) => {
  const clientId = textIn(params, "client_id")
  const client = await clientNamed(provider, clientId)
  if (client === undefined) return null
  const redirectUri = textIn(params, "redirect_uri")
  const document = URL.canParse(clientId) ? new URL(clientId).host : hostOfRedirect(redirectUri)
  const described: AuthorizationRequest = {
    client: { clientId, name: client.clientName ?? document, host: document },
    redirect: { host: hostOfRedirect(redirectUri), isLoopback: isLoopbackRedirect(redirectUri) },
    ...askedIn(publicUrl, params)
  }
  return described
}

/** Keeps what is left of the request's life. */
const answer = (interaction: Interaction, result: NonNullable<Interaction["result"]>) => {
  interaction.result = result
  return interaction.save(Math.max(1, interaction.exp - Math.floor(Date.now() / 1_000)))
}

const makeRequests = (
  provider: Effect.Effect<Provider>,
  publicUrl: string,
  documents: KnownDocuments
): AuthorizationRequests["Service"] => {
  /** From now on the client is connected, so that its document may stand in. */
  const keepDocument = Effect.fnUntraced(function* (requestId: string) {
    const client = yield* withInteraction(requestId, undefined, (server, { params }) =>
      clientNamed(server, textIn(params, "client_id"))
    )
    if (client !== undefined && URL.canParse(client.clientId))
      yield* documents.keep(client.clientId, JSON.stringify(client.metadata()))
  })

  /** Only the store fails: anything else is a mistake in this folder. */
  const withInteraction = <A>(
    requestId: string,
    none: A,
    use: (provider: Provider, found: Interaction) => Promise<A>
  ) =>
    Effect.flatMap(Effect.all([provider, carryClock]), ([server, carry]) =>
      Effect.tryPromise({
        try: () =>
          carry(async () => {
            const interaction = await server.Interaction.find(requestId)
            return isWaiting(interaction) ? use(server, interaction) : none
          }),
        catch: (error) => error
      })
    ).pipe(Effect.catch((error) => (error instanceof StoreUnavailable ? Effect.fail(error) : Effect.die(error))))

  return {
    find: (requestId) =>
      withInteraction<AuthorizationRequest | null>(requestId, null, (server, { params }) =>
        clientOf(server, publicUrl, params)
      ),
    grant: Effect.fnUntraced(function* (requestId, { connectionId, scopes }) {
      yield* keepDocument(requestId)
      return yield* withInteraction(requestId, false, async (server, interaction) => {
        const clientId = textIn(interaction.params, "client_id")
        const grant = new server.Grant({ accountId: connectionId, clientId })
        const asked = interaction.params["resource"]
        for (const resource of Array.isArray(asked) ? asked : [asked]) {
          if (typeof resource === "string" && resourceAt(publicUrl, resource) !== undefined)
            grant.addResourceScope(resource, scopes.join(" "))
        }
        const grantId = grantReference(await grant.save())
        const login = { accountId: connectionId, remember: false }
        await answer(interaction, { login, consent: { grantId }, select_account: {} })
        return true
      })
    }),
    refuse: (requestId) =>
      withInteraction(requestId, false, async (_server, interaction) => {
        await answer(interaction, { error: "access_denied", error_description: "The owner of the account refused" })
        return true
      })
  }
}

/** Requires the stores, and the service that fetches documents. */
export const layer = (options: AuthorizationServerOptions) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { publicUrl, peopleUrl, registration, encryptionKey, previousKey } = options
      const grants = yield* Grants
      const keys = yield* ApiKeys
      const service = { serviceName: yield* ServiceName, imprint: yield* Imprint }
      const documents = makeKnownDocuments({ documents: yield* ClientDocuments, grants })
      const context = yield* Effect.context<never>()
      const run = runCarried(context)
      const log = Effect.runForkWith(context)

      const provider = yield* Effect.cached(
        Effect.promise(async () => {
          const { makeProvider } = await import("./Provider.ts")
          return makeProvider({
            ...{ publicUrl, registration, grants, run, service },
            ...(options.maxUnused === undefined ? {} : { maxUnused: options.maxUnused }),
            keys: derivedKeys(encryptionKey, previousKey),
            fetchDocument: (url) => run(documents.fetch(url, currentRequester())),
            // The hash of a connection is its id.
            isLive: (id) => run(Effect.map(keys.byHash(id), (key) => key !== null && key.revokedAtMs === null)),
            onError: (error) => void log(Effect.logError("The authorization server failed on our side", error))
          })
        })
      )
      const origins = { client: publicUrl, browser: peopleUrl }

      return Context.make(AuthorizationServer, {
        handle: (request, by) =>
          Effect.flatMap(Effect.all([provider, carryClock]), ([server, carry]) =>
            Effect.promise(() =>
              carry(() =>
                handleInProcess(server.callback(), new URL(origins[by]), by === "client" ? asJson(request) : request)
              )
            )
          )
      }).pipe(Context.add(AuthorizationRequests, makeRequests(provider, publicUrl, documents)))
    })
  )
