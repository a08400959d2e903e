// What the authorization server issued, in memory.
import type { ArtifactKind, OAuthArtifact } from "#core/domain/access/OAuthArtifact.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { overBooks } from "../../books/OverBooks.ts"

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
    put(
      before === undefined
        ? artifact
        : { ...artifact, createdAtMs: before.createdAtMs, consumedAtMs: before.consumedAtMs, unused: before.unused }
    )
    const grant = extend("Grant", grantHash, expiresAtMs)
    extend("Client", clientHash ?? grant?.clientHash ?? null, expiresAtMs)
  }

  return {
    find: (kind, hash) => found(kind, hash) ?? null,
    upsert: (artifact) => upsert(artifact),
    upsertUnused: (artifact, bound) => {
      upsert(artifact)
      const ofKind = unused.get(artifact.kind) ?? new Set<string>()
      for (const hash of [...ofKind].slice(0, Math.max(0, ofKind.size - bound))) remove(hash)
    },
    consume: (kind, hash, atMs) => {
      const artifact = found(kind, hash)
      if (artifact === undefined || artifact.consumedAtMs !== null) return false
      put({ ...artifact, consumedAtMs: atMs })
      return true
    },
    destroy: (kind, hash) => {
      if (artifacts.get(hash)?.kind === kind) remove(hash)
    },
    revokeGrant: (grantHash) => {
      for (const hash of [...(ofGrant.get(grantHash) ?? [])]) remove(hash)
      remove(grantHash)
    },
    prune: (nowMs, limit) => {
      let pruned = 0
      for (const { hash, expiresAtMs } of artifacts.values()) {
        if (pruned === limit) break
        if (expiresAtMs > nowMs) continue
        remove(hash)
        pruned++
      }
      return pruned
    }
  }
})
