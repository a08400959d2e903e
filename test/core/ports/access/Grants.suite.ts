// What every store promises of what the authorization server issued: found by hash, consumed once, ended with its grant, and bounded.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { accessTokenOf, type OAuthArtifact, ROTATION_GRACE_MS } from "#core/domain/access/OAuthArtifact.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

const newArtifact = Effect.fnUntraced(function* (changes: Partial<OAuthArtifact> = {}) {
  const hash = `hash${yield* (yield* UniqueNumbers).next}`
  const artifact: OAuthArtifact = {
    kind: "Grant",
    hash,
    grantHash: null,
    clientHash: null,
    payload: `{"of":"${hash}"}`,
    createdAtMs: 1_000,
    expiresAtMs: 10_000,
    consumedAtMs: null,
    successor: null,
    requester: null,
    unused: false,
    access: null
  }
  return { ...artifact, ...changes }
})

/** A registration, a grant of it, and a refresh token of the grant. */
const granted = Effect.fnUntraced(function* () {
  const grants = yield* Grants
  const client = yield* newArtifact({ kind: "Client", unused: true })
  yield* grants.upsertUnused(client, 1_000)
  const grant = yield* newArtifact({ clientHash: client.hash, expiresAtMs: 20_000 })
  yield* grants.upsert(grant)
  const refresh = yield* newArtifact({ kind: "RefreshToken", grantHash: grant.hash, expiresAtMs: 30_000 })
  yield* grants.upsert(refresh)
  return { client, grant, refresh }
})

export const grantsSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Grants of ${name}`, store, (it) => {
    it.effect("are found by kind and hash, with all that was kept of them, until they are destroyed", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const access = {
          connectionId: KeyId.make("con_1"),
          scopes: ["read", "order"],
          resource: "service"
        } as const
        const token = yield* newArtifact({ kind: "AccessToken", access, payload: "\u0001 opaque" })
        yield* grants.upsert(token)
        expect(yield* grants.find("AccessToken", token.hash)).toEqual(token)
        expect(yield* grants.find("RefreshToken", token.hash)).toBe(null)
        yield* grants.destroy("RefreshToken", token.hash)
        expect(yield* grants.find("AccessToken", token.hash)).toEqual(token)
        yield* grants.destroy("AccessToken", token.hash)
        yield* grants.destroy("AccessToken", token.hash)
        expect(yield* grants.find("AccessToken", token.hash)).toBe(null)
      })
    )

    it.effect("are consumed by one of 20 concurrent calls, and stay so when they are kept again", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const code = yield* newArtifact({ kind: "AuthorizationCode" })
        yield* grants.upsert(code)
        const consumed = yield* concurrently(
          times(20, (n) => grants.consume("AuthorizationCode", code.hash, 2_000 + n))
        )
        expect(consumed.filter((isFirst) => isFirst)).toHaveLength(1)
        yield* grants.upsert({ ...code, payload: "changed", createdAtMs: 9_000 })
        const { consumedAtMs, ...kept } = (yield* grants.find("AuthorizationCode", code.hash)) ?? code
        expect(consumedAtMs).toBe(2_000 + consumed.indexOf(true))
        expect(kept).toEqual({ ...kept, payload: "changed", createdAtMs: 1_000 })
        expect(yield* grants.consume("AuthorizationCode", "none", 0)).toBe(false)
      })
    )

    it.effect("are rotated to one successor by 81 concurrent calls, for the grace alone", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const { refresh } = yield* granted()
        const rotate = (sealed: string, atMs: number) => grants.rotate(refresh.hash, sealed, atMs)
        const given = yield* concurrently(times(81, (n) => rotate(`sealed ${n}`, 2_000)))
        const [one] = given
        expect([...new Set(given)]).toEqual([expect.stringMatching(/^sealed /)])
        const kept = { consumedAtMs: 2_000, successor: one }
        expect(yield* grants.find("RefreshToken", refresh.hash)).toMatchObject(kept)
        // What the server writes of it afterwards leaves that alone.
        yield* grants.upsert({ ...refresh, payload: "again" })
        expect(yield* rotate("late", 2_000 + ROTATION_GRACE_MS - 1)).toBe(one)
        expect(yield* rotate("too late", 2_000 + ROTATION_GRACE_MS)).toBe(null)
        // Its grace has long passed by the store's time, and that of another has not.
        const recent = (yield* granted()).refresh
        yield* grants.rotate(recent.hash, "recent", yield* Clock.currentTimeMillis)
        yield* grants.forgetSuccessors
        expect(yield* grants.find("RefreshToken", recent.hash)).toMatchObject({ successor: "recent" })
        expect(yield* grants.find("RefreshToken", refresh.hash)).toMatchObject({ consumedAtMs: 2_000, successor: null })
        expect(yield* grants.rotate("none", "sealed", 2_000)).toBe(null)
        // An instance of an earlier version consumed it, and sealed nothing.
        const other = (yield* granted()).refresh
        yield* grants.consume("RefreshToken", other.hash, 2_000)
        expect(yield* grants.rotate(other.hash, "sealed", 3_000)).toBe("sealed")
        expect(yield* grants.rotate(other.hash, "again", 3_000)).toBe("sealed")
      })
    )

    it.effect("end with all that was issued under them, also with what is issued afterwards", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const [one, other] = [yield* granted(), yield* granted()]
        yield* grants.revokeGrant(one.grant.hash)
        const late = yield* newArtifact({ kind: "RefreshToken", grantHash: one.grant.hash })
        yield* grants.upsert(late)
        expect(yield* grants.find("Grant", one.grant.hash)).toBe(null)
        expect(yield* grants.find("RefreshToken", one.refresh.hash)).toBe(null)
        expect(yield* grants.find("RefreshToken", late.hash)).toBe(null)
        expect(yield* grants.find("RefreshToken", other.refresh.hash)).toEqual(other.refresh)
      })
    )

    it.effect("are revoked while tokens are issued, and none of these is good afterwards", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const { grant } = yield* granted()
        const tokens = yield* Effect.forEach(
          times(20, (n) => n),
          () => newArtifact({ kind: "RefreshToken", grantHash: grant.hash })
        )
        yield* concurrently([...tokens.map((token) => grants.upsert(token)), grants.revokeGrant(grant.hash)])
        const found = yield* Effect.forEach(tokens, ({ hash }) => grants.find("RefreshToken", hash))
        expect(found.filter((token) => token !== null)).toEqual([])
      })
    )

    it.effect("live, with the registration of their client, as long as what is issued under them", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const { client, grant } = yield* granted()
        expect(yield* grants.find("Grant", grant.hash)).toMatchObject({ expiresAtMs: 30_000 })
        expect(yield* grants.find("Client", client.hash)).toMatchObject({ expiresAtMs: 30_000, unused: false })
        yield* grants.upsert(yield* newArtifact({ kind: "RefreshToken", grantHash: grant.hash, expiresAtMs: 25_000 }))
        expect(yield* grants.find("Grant", grant.hash)).toMatchObject({ expiresAtMs: 30_000 })
      })
    )
  })

  storeSuite(`Access tokens of ${name}`, store, (it) => {
    it.effect("are read by their hash until their grant ends, and no other artifact is one", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const byHash = (hash: string) =>
          Effect.map(grants.find("AccessToken", hash), (artifact) => artifact && accessTokenOf(artifact))
        const { grant, refresh } = yield* granted()
        const access = { connectionId: KeyId.make("con_2"), scopes: ["read"], resource: "catalog" } as const
        const token = yield* newArtifact({ kind: "AccessToken", grantHash: grant.hash, access, expiresAtMs: 5_000 })
        yield* grants.upsert(token)
        expect(yield* byHash(token.hash)).toEqual({ ...access, expiresAtMs: 5_000 })
        expect(yield* byHash(refresh.hash)).toBe(null)
        expect(yield* byHash("none")).toBe(null)
        yield* grants.revokeGrant(grant.hash)
        expect(yield* byHash(token.hash)).toBe(null)
      })
    )
  })

  storeSuite(`Unused artifacts of ${name}`, store, (it) => {
    it.effect("are bounded by kind, and the oldest end, under concurrent calls too; used ones do not count", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const used = yield* granted()
        const request = yield* newArtifact({ kind: "Interaction", unused: true, createdAtMs: 0 })
        yield* grants.upsertUnused(request, 3)
        const clients = yield* Effect.forEach(
          times(12, (n) => n),
          (n) => newArtifact({ kind: "Client", unused: true, createdAtMs: 1_000 + n })
        )
        for (const client of clients.slice(0, 6)) yield* grants.upsertUnused(client, 3)
        const early = yield* Effect.forEach(clients.slice(0, 6), ({ hash }) => grants.find("Client", hash))
        expect(early.map((client) => client !== null)).toEqual([false, false, false, true, true, true])
        yield* concurrently(clients.slice(6).map((client) => grants.upsertUnused(client, 3)))
        const left = yield* Effect.forEach(clients, ({ hash }) => grants.find("Client", hash))
        expect(left.filter((client) => client !== null)).toHaveLength(3)
        expect(yield* grants.find("Client", used.client.hash)).not.toBe(null)
        expect(yield* grants.find("Interaction", request.hash)).toEqual(request)
      })
    )

    it.effect("end from the requester who has most, the oldest first", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const bound = 300
        const add = Effect.fnUntraced(function* (requester: string | null, createdAtMs: number) {
          const artifact = yield* newArtifact({ kind: "Interaction", unused: true, requester, createdAtMs })
          yield* grants.upsertUnused(artifact, bound)
          return artifact.hash
        })
        const others = [yield* add("network b", 10), yield* add(null, 11), yield* add("network c", 12)]
        const flood = yield* Effect.forEach(
          times(2 * bound, (n) => n),
          (n) => add("network a", 1_000 + n)
        )
        const isKept = (hash: string) => Effect.map(grants.find("Interaction", hash), (found) => found !== null)
        expect(yield* Effect.forEach(others, isKept)).toEqual([true, true, true])
        const left = yield* Effect.forEach(flood, isKept)
        const count = left.filter((kept) => kept).length
        expect(count).toBeGreaterThan(bound - 10)
        expect(count).toBeLessThanOrEqual(bound)
        expect(left.slice(-count).every((kept) => kept)).toBe(true)
      })
    )

    it.effect("of a registration count for the one who claims it, and a client has a grant once one is kept", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const client = yield* newArtifact({ kind: "Client", unused: true, requester: "network d" })
        yield* grants.upsertUnused(client, 1_000)
        yield* grants.claim(client.hash, "device 1")
        expect(yield* grants.find("Client", client.hash)).toEqual({ ...client, requester: "device 1" })
        expect(yield* grants.isGranted(client.hash)).toBe(false)
        yield* grants.upsert(yield* newArtifact({ clientHash: client.hash }))
        expect(yield* grants.isGranted(client.hash)).toBe(true)
        yield* grants.claim(client.hash, "device 2")
        expect(yield* grants.find("Client", client.hash)).toMatchObject({ requester: "device 1", unused: false })
      })
    )
  })

  storeSuite(`Expired artifacts of ${name}`, store, (it) => {
    it.effect("are deleted in steps, and no others", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const nowMs = yield* Clock.currentTimeMillis
        const made = yield* Effect.forEach(
          times(7, (n) => n),
          (n) => newArtifact({ expiresAtMs: n < 5 ? nowMs - n : nowMs + 60_000 })
        )
        yield* Effect.forEach(made, grants.upsert)
        expect(yield* grants.prune(3)).toBe(3)
        expect(yield* grants.prune(3)).toBe(2)
        expect(yield* grants.prune(3)).toBe(0)
        const left = yield* Effect.forEach(made, ({ hash }) => grants.find("Grant", hash))
        expect(left.map((grant) => grant !== null)).toEqual([false, false, false, false, false, true, true])
      })
    )
  })
}
