// Sign-in links and sessions in memory.
import { Clock, Effect, HashMap } from "effect"
import { type Books, find } from "#core/decisions/Books.ts"
import {
  linkIsUsable,
  MAX_CODE_ATTEMPTS,
  SESSION_MAX_MS,
  type Session,
  type SignInLink,
  sessionIsLive
} from "#core/domain/members/Session.ts"
import { COUNTED_FOR_MS, codesOf, type LinkBound, windowOf } from "#core/domain/members/SignInBounds.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MemberId, SessionId } from "#core/domain/shared/Ids.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { overBooks, type Plain } from "../../books/OverBooks.ts"

interface Count {
  readonly name: string
  readonly atMs: number
}

type LinkMethods =
  | "consumeLink"
  | "countAttempt"
  | "countCode"
  | "countTry"
  | "endDemoLinks"
  | "exchangeLink"
  | "issueLink"
  | "link"

/** Links and counts, which are beside the books. */
const keepLinks = () => {
  const links = new Map<string, SignInLink>()
  let counts: ReadonlyArray<Count> = []

  /** `false`, and nothing is counted, where a bound is reached. */
  const count = (bounds: ReadonlyArray<LinkBound>, nowMs: Millis): boolean => {
    counts = counts.filter(({ atMs }) => atMs > nowMs - COUNTED_FOR_MS)
    const isReached = bounds.some(
      (bound) =>
        counts.filter(({ name, atMs }) => name === bound.name && atMs > nowMs - windowOf(bound)).length >= bound.limit
    )
    if (!isReached) counts = [...counts, ...bounds.map(({ name }) => ({ name, atMs: nowMs }))]
    return !isReached
  }

  const methods: Pick<Plain<Sessions["Service"]>, LinkMethods> = {
    issueLink: (link, bounds) => {
      if (!count(bounds, link.createdAtMs)) return false
      links.set(link.hash, link)
      return true
    },
    countAttempt: ({ atMs }, bounds) => count(bounds, atMs),
    link: (hash) => links.get(hash) ?? null,
    consumeLink: (hash, atMs) => {
      const link = links.get(hash)
      if (link === undefined || link.usedAtMs !== null || link.expiresAtMs <= atMs) return null
      const used = { ...link, usedAtMs: atMs }
      links.set(hash, used)
      return used
    },
    countCode: (hash) => {
      const link = links.get(hash)
      if (link === undefined || link.usedAtMs !== null || link.wrongCodes >= MAX_CODE_ATTEMPTS) return null
      const wrongCodes = link.wrongCodes + 1
      links.set(hash, { ...link, wrongCodes })
      return wrongCodes
    },
    countTry: ({ atMs, browserHash }, bounds) => {
      if (!count(bounds, atMs)) return null
      const tries = counts.filter(({ name }) => name === codesOf(browserHash)).length
      const [asked] = [...links.values()].filter((link) => link.browserHash === browserHash && linkIsUsable(link, atMs))
      if (asked === undefined) return { tries, link: null }
      const link = { ...asked, wrongCodes: asked.wrongCodes + 1 }
      links.set(link.hash, link)
      return { tries, link }
    },
    exchangeLink: (hash, newHash, atMs) => {
      const link = links.get(hash)
      if (link === undefined || link.usedAtMs !== null || link.expiresAtMs <= atMs) return false
      links.delete(hash)
      const wrongCodes = Math.max(link.wrongCodes - 1, 0)
      links.set(newHash, { ...link, hash: newHash, wrongCodes, browserHash: null, codeHash: null })
      return true
    },
    endDemoLinks: Effect.sync(() => {
      for (const { hash, kind, usedAtMs } of links.values())
        if (kind === "demo" && usedAtMs === null) links.delete(hash)
    })
  }

  const prune = (nowMs: Millis): void => {
    for (const { hash, expiresAtMs } of links.values()) if (expiresAtMs <= nowMs) links.delete(hash)
  }
  return { methods, prune }
}

export const layer = overBooks(Sessions, ({ current, replace }) => {
  const kept = keepLinks()
  const all = () => HashMap.toValues(current().sessions)
  const found = (sessionId: SessionId) => find(current().sessions, sessionId)
  const save = (sessions: Books["sessions"]): void => replace({ ...current(), sessions })
  const put = (session: Session): void => save(HashMap.set(current().sessions, session.sessionId, session))

  const change = (sessionId: SessionId, changed: Partial<Session>): void => {
    const session = found(sessionId)
    if (session !== undefined) put({ ...session, ...changed })
  }
  const end = (sessionId: SessionId, atMs: Millis): void => {
    if (found(sessionId)?.endedAtMs === null) change(sessionId, { endedAtMs: atMs })
  }
  const ofMembers = (memberIds: ReadonlyArray<MemberId>) => all().filter(({ memberId }) => memberIds.includes(memberId))

  return {
    ...kept.methods,
    start: (session, former) => {
      if (former !== null) end(former, session.createdAtMs)
      put(session)
    },
    byHash: (hash) => all().find((session) => session.hash === hash) ?? null,
    confirm: (sessionId, atMs) => {
      if (found(sessionId)?.confirmedAtMs === null) change(sessionId, { confirmedAtMs: atMs })
    },
    unconfirmAll: (memberIds) => {
      for (const { sessionId } of ofMembers(memberIds)) change(sessionId, { confirmedAtMs: null })
    },
    recordUse: (sessionId, atMs) => {
      const before = found(sessionId)?.lastUsedAtMs ?? atMs
      change(sessionId, { lastUsedAtMs: Math.max(before, atMs) })
    },
    saveCart: (sessionId, { before, after }) => {
      if (found(sessionId)?.cart !== before) return false
      change(sessionId, { cart: after })
      return true
    },
    live: (memberIds, nowMs) =>
      ofMembers(memberIds)
        .filter((session) => sessionIsLive(session, nowMs))
        .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.sessionId < b.sessionId ? 1 : -1)),
    end,
    endAll: (memberIds, atMs, except) => {
      const ended = ofMembers(memberIds).filter(
        ({ endedAtMs, sessionId }) => endedAtMs === null && sessionId !== except
      )
      for (const { sessionId } of ended) change(sessionId, { endedAtMs: atMs })
      return ended.length
    },
    signedInFrom: (memberId, network) => ofMembers([memberId]).some((session) => session.network === network),
    prune: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      kept.prune(nowMs)
      save(
        HashMap.filter(
          current().sessions,
          (session) => sessionIsLive(session, nowMs) || session.createdAtMs + 2 * SESSION_MAX_MS > nowMs
        )
      )
    })
  }
})
