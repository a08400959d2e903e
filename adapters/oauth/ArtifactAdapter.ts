// Stores what the library keeps by the port `Grants`: ids as their SHA-256, payloads without them. Grants are referred to by their hash,
// because their ids are stored nowhere.
import { Clock, Effect } from "effect"
import { type Adapter, type AdapterPayload, errors } from "oidc-provider"
import {
  type ArtifactKind,
  MAX_UNUSED,
  type OAuthArtifact,
  ROTATION_GRACE_MS,
  type TokenAccess,
  UNUSED_REGISTRATION_MS
} from "#core/domain/access/OAuthArtifact.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import type { Grants } from "#core/ports/access/Grants.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { grantHashOf, grantReference, hashOf } from "./Hashes.ts"
import { currentRequester } from "./InProcess.ts"
import { GRANT_TTL_MS } from "./Lifetimes.ts"
import { resourceAt } from "./Resources.ts"

/** Runs an effect for the library, which takes promises. */
export type Run = <A>(effect: Effect.Effect<A, StoreUnavailable>) => Promise<A>

const KINDS: ReadonlyArray<ArtifactKind> = [
  "Client",
  "Interaction",
  "Grant",
  "AuthorizationCode",
  "AccessToken",
  "RefreshToken"
]

const isKept = (name: string): name is ArtifactKind => KINDS.some((kind) => kind === name)

/** Stands for the id in a payload. JSON escapes this character, so that no value has it. */
const ID = "\u0001"

const hashIn = (kind: ArtifactKind, id: string): string => (kind === "Grant" ? grantHashOf(id) : hashOf(id))

const inJson = (id: string): string => JSON.stringify(id).slice(1, -1)

const textOf = (id: string, { consumed: _consumed, ...payload }: AdapterPayload): string => {
  const { grantId } = payload
  const referring = grantId === undefined ? payload : { ...payload, grantId: grantReference(grantId) }
  return JSON.stringify(referring).replaceAll(inJson(id), ID)
}

/** A token for nothing known is kept as one that holds no scope. */
const accessOf = ({ accountId = "", scope = "", aud }: AdapterPayload, publicUrl: string): TokenAccess => {
  const held = scope.split(" ")
  const { kind, scopes } = resourceAt(publicUrl, aud) ?? { kind: "service", scopes: [] }
  return { connectionId: KeyId.make(accountId), scopes: scopes.filter((one) => held.includes(one)), resource: kind }
}

const lifeOf = (kind: ArtifactKind, expiresIn: number | undefined): number => {
  if (kind === "Client") return UNUSED_REGISTRATION_MS
  // A grant lives on with its refresh tokens.
  return kind === "Grant" ? GRANT_TTL_MS : (expiresIn ?? 0) * 1_000
}

/** Strangers make them, as many as they like. */
const isBounded = (kind: ArtifactKind): boolean => kind === "Client" || kind === "Interaction"

/** The client of a request that waits for consent. Its registration counts for the member who is asked, not for where it came from. */
const clientIn = ({ params }: AdapterPayload): string | null => {
  const id = params?.["client_id"]
  return typeof id === "string" ? id : null
}

const toArtifact = (
  kind: ArtifactKind,
  id: string,
  payload: AdapterPayload,
  { publicUrl, ...kept }: Pick<OAuthArtifact, "createdAtMs" | "expiresAtMs" | "requester"> & { publicUrl: string }
): OAuthArtifact => {
  const { grantId, clientId } = payload
  return {
    kind,
    hash: hashIn(kind, id),
    grantHash: grantId === undefined || kind === "Interaction" ? null : grantHashOf(grantId),
    clientHash: kind === "Grant" && clientId !== undefined ? hashOf(clientId) : null,
    payload: textOf(id, payload),
    ...kept,
    consumedAtMs: null,
    successor: null,
    unused: isBounded(kind),
    access: kind === "AccessToken" ? accessOf(payload, publicUrl) : null
  }
}

/** A refresh token that was just rotated is shown as if it were not. */
const showsConsumed = ({ kind, consumedAtMs }: OAuthArtifact, nowMs: number): boolean =>
  consumedAtMs !== null && (kind !== "RefreshToken" || nowMs >= consumedAtMs + ROTATION_GRACE_MS)

const toPayload = (id: string, artifact: OAuthArtifact, nowMs: number): AdapterPayload => ({
  // Written by `textOf`.
  ...(JSON.parse(artifact.payload.replaceAll(ID, inJson(id))) as AdapterPayload),
  ...(showsConsumed(artifact, nowMs) ? { consumed: Math.floor((artifact.consumedAtMs ?? 0) / 1_000) } : {})
})

/** Sessions of the library's own end with the request that began them; what is left has no use here. */
const forgetful: Adapter = {
  upsert: () => Promise.resolve(),
  find: () => Promise.resolve(undefined),
  findByUserCode: () => Promise.resolve(undefined),
  findByUid: () => Promise.resolve(undefined),
  consume: () => Promise.resolve(),
  destroy: () => Promise.resolve(),
  revokeByGrantId: () => Promise.resolve()
}

export interface AdapterOptions {
  readonly publicUrl: string
  readonly grants: Grants["Service"]
  readonly run: Run
  /** The most unused registrations, and the most requests that wait. */
  readonly maxUnused?: number
}

const adapterOf = (
  { grants, run, publicUrl, maxUnused = MAX_UNUSED }: AdapterOptions,
  kind: ArtifactKind
): Adapter => ({
  ...forgetful,
  upsert: (id, payload, expiresIn) => {
    const from = currentRequester()
    const keep = Effect.flatMap(Clock.currentTimeMillis, (createdAtMs) => {
      const expiresAtMs = createdAtMs + lifeOf(kind, expiresIn)
      const requester = isBounded(kind) ? (from?.name ?? null) : null
      const artifact = toArtifact(kind, id, payload, { createdAtMs, expiresAtMs, requester, publicUrl })
      return artifact.unused ? grants.upsertUnused(artifact, maxUnused) : grants.upsert(artifact)
    })
    const claimed = from?.network === null && kind === "Interaction" ? clientIn(payload) : null
    return run(claimed === null ? keep : Effect.andThen(keep, grants.claim(hashOf(claimed), from?.name ?? "")))
  },
  find: (id) =>
    run(
      Effect.map(Effect.all([grants.find(kind, hashIn(kind, id)), Clock.currentTimeMillis]), ([artifact, nowMs]) =>
        artifact === null || artifact.expiresAtMs <= nowMs ? undefined : toPayload(id, artifact, nowMs)
      )
    ),
  consume: async (id) => {
    const isFirst = await run(
      Effect.flatMap(Clock.currentTimeMillis, (nowMs) => grants.consume(kind, hashOf(id), nowMs))
    )
    if (isFirst || kind !== "AuthorizationCode") return
    // The library has read the code before, and both of two twins may have found it unused.
    const code = await run(grants.find(kind, hashOf(id)))
    if (code !== null && code.grantHash !== null) await run(grants.revokeGrant(code.grantHash))
    throw new errors.InvalidGrant("authorization code already consumed")
  },
  destroy: (id) =>
    kind === "Grant" ? run(grants.revokeGrant(grantHashOf(id))) : run(grants.destroy(kind, hashIn(kind, id))),
  revokeByGrantId: (grantId) => run(grants.revokeGrant(grantHashOf(grantId)))
})

export const makeAdapter =
  (options: AdapterOptions) =>
  (name: string): Adapter =>
    isKept(name) ? adapterOf(options, name) : forgetful
