// How long a version is fresh, and what an invalidation does to queries on their way.
import { describe, expect, it } from "vitest"
import { makeVersionCache } from "#adapters/postgres/database/VersionCache.ts"

const FRESH_FOR_MS = 500

describe("a version", () => {
  it("is fresh from when it was queried until it is too old", () => {
    const { observe, isFresh } = makeVersionCache(FRESH_FOR_MS)
    expect(isFresh("", 0)).toBe(false)
    observe("a", 100)
    expect([isFresh("a", 100), isFresh("a", 599), isFresh("a", 600), isFresh("b", 100)]).toEqual([
      true,
      true,
      false,
      false
    ])
  })

  it("is the one of the latest query, in any order of the answers", () => {
    const { observe, isFresh } = makeVersionCache(FRESH_FOR_MS)
    observe("new", 200)
    observe("old", 100)
    expect([isFresh("new", 201), isFresh("old", 201)]).toEqual([true, false])
    observe("newer", 300)
    expect([isFresh("new", 301), isFresh("newer", 799)]).toEqual([false, true])
  })

  it("is stale after an invalidation, and so are answers to earlier queries", () => {
    const { observe, invalidate, isFresh } = makeVersionCache(FRESH_FOR_MS)
    observe("a", 100)
    invalidate(150)
    expect(isFresh("a", 151)).toBe(false)
    observe("a", 149)
    observe("a", 150)
    expect(isFresh("a", 151)).toBe(false)
    observe("b", 151)
    expect(isFresh("b", 152)).toBe(true)
  })
})
