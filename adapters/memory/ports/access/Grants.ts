// What the authorization server issued, in memory.
import { Clock, Effect } from "effect"
import { type ArtifactKind, mayRotate, type OAuthArtifact } from "#core/domain/access/OAuthArtifact.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { overBooks } from "../../books/OverBooks.ts"

/** What a later call does not change of a kept artifact. */
const lasting = ({ createdAtMs, consumedAtMs, successor, requester, unused }: OAuthArtifact) => ({
  ...{ createdAtMs, consumedAtMs, successor, requester, unused }
})

/** The newest of each requester come first, so that those beyond a bound are the oldest of who has most. */
const bySharesOf = (artifacts: ReadonlyArray<OAuthArtifact>): ReadonlyArray<OAuthArtifact> => {
  const counts = new Map<string | null, number>()
  const ranked = artifacts.toReversed().map((artifact) => {
    const rank = (counts.get(artifact.requester) ?? 0) + 1
    counts.set(artifact.requester, rank)
    return { artifact, rank }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ artifact }) => artifact)
}

export const layer = overBooks(Grants, () => {
  const artifacts = new Map<string, OAuthArtifact>()
  /** Hashes by kind, oldest first. */
  const unused = new Map<ArtifactKind, Set<string>>()
  const ofGrant = new Map<string, Set<string>>()

  const found = (kind: ArtifactKind, hash: string): OAuthArtifact | undefined => {
    const artifact = artifacts.get(hash)
    if (artifact?.kind !== kind) return undefined
    return artifact.grantHash === null || artifacts.has(artifact.grantHash) ? artifact : undefined
  }

  const remove = (hash: string): void => {
    const artifact = artifacts.get(hash)
    if (artifact === undefined) return
    artifacts.delete(hash)
    unused.get(artifact.kind)?.delete(hash)
    const siblings = ofGrant.get(artifact.grantHash ?? "")
    siblings?.delete(hash)
    if (siblings?.size === 0) ofGrant.delete(artifact.grantHash ?? "")
  }

  const put = (artifact: OAuthArtifact): void => {
    const { kind, hash, grantHash } = artifact
    artifacts.set(hash, artifact)
    if (artifact.unused) unused.set(kind, (unused.get(kind) ?? new Set()).add(hash))
    else unused.get(kind)?.delete(hash)
    if (grantHash !== null) ofGrant.set(grantHash, (ofGrant.get(grantHash) ?? new Set()).add(hash))
  }

  const extend = (kind: ArtifactKind, hash: string | null, expiresAtMs: number): OAuthArtifact | undefined => {
    const artifact = hash === null ? undefined : found(kind, hash)
    if (artifact === undefined) return undefined
    const extended = { ...artifact, unused: false, expiresAtMs: Math.max(artifact.expiresAtMs, expiresAtMs) }
    put(extended)
    return extended
  }

  const upsert = (artifact: OAuthArtifact): void => {
    const { hash, grantHash, clientHash, expiresAtMs } = artifact
    const before = artifacts.get(hash)
    put(before === undefined ? artifact : { ...artifact, ...lasting(before) })
    const grant = extend("Grant", grantHash, expiresAtMs)
    extend("Client", clientHash ?? grant?.clientHash ?? null, expiresAtMs)
  }

  return {
    find: (kind, hash) => found(kind, hash) ?? null,
    upsert: (artifact) => upsert(artifact),
    upsertUnused: (artifact, bound) => {
      upsert(artifact)
      const hashes = [...(unused.get(artifact.kind) ?? [])]
      if (hashes.length <= bound) return
      const ofKind = hashes.flatMap((hash) => found(artifact.kind, hash) ?? [])
      for (const { hash } of bySharesOf(ofKind).slice(bound)) remove(hash)
    },
    claim: (clientHash, requester) => {
      const client = found("Client", clientHash)
      if (client?.unused === true) put({ ...client, requester })
    },
    isGranted: (clientHash) =>
      [...artifacts.values()].some((one) => one.kind === "Grant" && one.clientHash === clientHash),
    consume: (kind, hash, atMs) => {
      const artifact = found(kind, hash)
      if (artifact === undefined || artifact.consumedAtMs !== null) return false
      put({ ...artifact, consumedAtMs: atMs })
      return true
    },
    rotate: (hash, sealed, atMs) => {
      const token = found("RefreshToken", hash)
      if (token === undefined || !mayRotate(token, atMs)) return null
      const rotated = { ...token, consumedAtMs: token.consumedAtMs ?? atMs, successor: token.successor ?? sealed }
      put(rotated)
      return rotated.successor
    },
    forgetSuccessors: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      for (const token of artifacts.values())
        if (token.successor !== null && !mayRotate(token, nowMs)) put({ ...token, successor: null })
    }),
    destroy: (kind, hash) => {
      if (artifacts.get(hash)?.kind === kind) remove(hash)
    },
    revokeGrant: (grantHash) => {
      for (const hash of [...(ofGrant.get(grantHash) ?? [])]) remove(hash)
      remove(grantHash)
    },
    prune: (limit) =>
      Effect.map(Clock.currentTimeMillis, (nowMs) => {
        let pruned = 0
        for (const { hash, expiresAtMs } of artifacts.values()) {
          if (pruned === limit) break
          if (expiresAtMs > nowMs) continue
          remove(hash)
          pruned++
        }
        return pruned
      })
  }
})
