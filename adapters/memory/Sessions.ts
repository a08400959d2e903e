// Sign-in links and sessions in memory. Each call is one synchronous step, which no other fiber can interleave.
import { Effect, Layer } from "effect"
import {
  MAX_CODE_ATTEMPTS,
  SESSION_MAX_MS,
  type Session,
  type SignInLink,
  sessionIsLive
} from "#core/domain/Session.ts"
import { LINK_WINDOW_MS } from "#core/domain/SignInBounds.ts"
import { Sessions } from "#core/ports/Sessions.ts"

interface Count {
  readonly name: string
  readonly atMs: number
}

export const layer: Layer.Layer<Sessions> = Layer.sync(Sessions, () => {
  const links = new Map<string, SignInLink>()
  const sessions = new Map<string, Session>()
  let counts: ReadonlyArray<Count> = []

  const change = (sessionId: string, changed: Partial<Session>): void => {
    const session = sessions.get(sessionId)
    if (session !== undefined) sessions.set(sessionId, { ...session, ...changed })
  }
  const ofMembers = (memberIds: ReadonlyArray<string>) =>
    [...sessions.values()].filter(({ memberId }) => memberIds.includes(memberId))

  return Sessions.of({
    issueLink: (link, bounds) =>
      Effect.sync(() => {
        const { createdAtMs } = link
        counts = counts.filter(({ atMs }) => atMs > createdAtMs - LINK_WINDOW_MS)
        const isReached = bounds.some(
          ({ name, limit }) => counts.filter((count) => count.name === name).length >= limit
        )
        if (isReached) return false
        counts = [...counts, ...bounds.map(({ name }) => ({ name, atMs: createdAtMs }))]
        links.set(link.hash, link)
        return true
      }),
    link: (hash) => Effect.sync(() => links.get(hash) ?? null),
    consumeLink: (hash, atMs) =>
      Effect.sync(() => {
        const link = links.get(hash)
        if (link === undefined || link.usedAtMs !== null || link.expiresAtMs <= atMs) return null
        const used = { ...link, usedAtMs: atMs }
        links.set(hash, used)
        return used
      }),
    countCode: (hash) =>
      Effect.sync(() => {
        const link = links.get(hash)
        if (link === undefined || link.usedAtMs !== null || link.wrongCodes >= MAX_CODE_ATTEMPTS) return null
        const wrongCodes = link.wrongCodes + 1
        links.set(hash, { ...link, wrongCodes })
        return wrongCodes
      }),
    endDemoLinks: Effect.sync(() => {
      for (const { hash, kind, usedAtMs } of links.values())
        if (kind === "demo" && usedAtMs === null) links.delete(hash)
    }),
    start: (session) => Effect.sync(() => void sessions.set(session.sessionId, session)),
    byHash: (hash) => Effect.sync(() => [...sessions.values()].find((session) => session.hash === hash) ?? null),
    recordUse: (sessionId, atMs) =>
      Effect.sync(() => {
        const before = sessions.get(sessionId)?.lastUsedAtMs ?? atMs
        change(sessionId, { lastUsedAtMs: Math.max(before, atMs) })
      }),
    saveCart: (sessionId, cart) => Effect.sync(() => change(sessionId, { cart })),
    live: (memberIds, nowMs) =>
      Effect.sync(() =>
        ofMembers(memberIds)
          .filter((session) => sessionIsLive(session, nowMs))
          .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.sessionId < b.sessionId ? 1 : -1))
      ),
    end: (sessionId, atMs) =>
      Effect.sync(() => {
        if (sessions.get(sessionId)?.endedAtMs === null) change(sessionId, { endedAtMs: atMs })
      }),
    endAll: (memberIds, atMs, except) =>
      Effect.sync(() => {
        const ended = ofMembers(memberIds).filter(
          ({ endedAtMs, sessionId }) => endedAtMs === null && sessionId !== except
        )
        for (const { sessionId } of ended) change(sessionId, { endedAtMs: atMs })
        return ended.length
      }),
    signedInFrom: (memberId, network) =>
      Effect.sync(() => ofMembers([memberId]).some((session) => session.network === network)),
    prune: (nowMs) =>
      Effect.sync(() => {
        for (const { hash, expiresAtMs } of links.values()) if (expiresAtMs <= nowMs) links.delete(hash)
        for (const session of sessions.values()) {
          const { sessionId, createdAtMs } = session
          if (!sessionIsLive(session, nowMs) && createdAtMs + 2 * SESSION_MAX_MS <= nowMs) sessions.delete(sessionId)
        }
      })
  })
})
