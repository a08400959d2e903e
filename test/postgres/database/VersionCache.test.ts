// A last word holds for so long after it was asked for, and never beyond a doubt.
import { describe, expect, it } from "vitest"
import { makeVersionCache } from "#adapters/postgres/database/VersionCache.ts"

const GOOD_FOR_MS = 500

describe("the last word", () => {
  it("holds from when it was asked for until it is too old, and nothing else does", () => {
    const { observe: learn, isFresh: holds } = makeVersionCache(GOOD_FOR_MS)
    expect(holds("", 0)).toBe(false)
    learn("a", 100)
    expect([holds("a", 100), holds("a", 599), holds("a", 600), holds("b", 100)]).toEqual([true, true, false, false])
  })

  it("is the answer to the latest question, in whatever order answers come", () => {
    const { observe: learn, isFresh: holds } = makeVersionCache(GOOD_FOR_MS)
    learn("new", 200)
    learn("old", 100)
    expect([holds("new", 201), holds("old", 201)]).toEqual([true, false])
    learn("newer", 300)
    expect([holds("new", 301), holds("newer", 799)]).toEqual([false, true])
  })

  it("does not hold once it is doubted, nor does an answer to what was asked before", () => {
    const { observe: learn, invalidate: doubt, isFresh: holds } = makeVersionCache(GOOD_FOR_MS)
    learn("a", 100)
    doubt(150)
    expect(holds("a", 151)).toBe(false)
    learn("a", 149)
    learn("a", 150)
    expect(holds("a", 151)).toBe(false)
    learn("b", 151)
    expect(holds("b", 152)).toBe(true)
  })
})
