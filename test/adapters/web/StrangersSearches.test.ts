// Searches of strangers: kept for a moment, few at a time, and few of one network and of all within a minute.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeStrangersSearches, SEARCHES, searchKey } from "#adapters/web/front/StrangersSearches.ts"

/** Counts the searches that are made, each of which takes until it is let go. */
const counting = Effect.gen(function* () {
  const made: Array<string> = []
  const search = yield* makeStrangersSearches(
    (key) => (key === "broken" ? Effect.fail("broken") : Effect.sync(() => `page ${made.push(key)} of ${key}`)),
    (seconds) => `wait ${seconds} s`
  )
  return { made, search }
})

const many = (count: number) => Array.from({ length: count }, (_, nth) => nth)

it.effect("a network makes as many searches a minute as its limit, and others go on", () =>
  Effect.gen(function* () {
    const { made, search } = yield* counting
    for (const nth of many(SEARCHES.network)) assert.match(yield* search(`query=${nth}`, "192.0.2.1"), /^page/)
    assert.strictEqual(yield* search("query=more", "192.0.2.1"), "wait 60 s")
    // What is kept, and the list without conditions, are there for it all the same.
    assert.strictEqual(yield* search("query=0", "192.0.2.1"), "page 1 of query=0")
    assert.match(yield* search("", "192.0.2.1"), /^page/)
    assert.match(yield* search("query=more", "192.0.2.2"), /^page/)
    assert.strictEqual(made.length, SEARCHES.network + 2)
    yield* TestClock.adjust("1 minute")
    assert.match(yield* search("query=later", "192.0.2.1"), /^page/)
  })
)

it.effect("all networks together make as many a minute as their limit", () =>
  Effect.gen(function* () {
    const { made, search } = yield* counting
    const answers = yield* Effect.forEach(many(SEARCHES.all * 2), (nth) => search(`query=${nth}`, `192.0.2.${nth}`))
    assert.strictEqual(answers.filter((answer) => answer.startsWith("page")).length, SEARCHES.all)
    assert.strictEqual(made.length, SEARCHES.all)
  })
)

it.effect("a search is made again after half a minute, and one that failed at once", () =>
  Effect.gen(function* () {
    const { made, search } = yield* counting
    yield* search("query=a", "192.0.2.1")
    yield* search("query=a", "192.0.2.2")
    assert.strictEqual(made.length, 1)
    yield* TestClock.adjust("30 seconds")
    yield* search("query=a", "192.0.2.1")
    assert.strictEqual(made.length, 2)
    assert.strictEqual(yield* Effect.flip(search("broken", "192.0.2.1")), "broken")
    assert.strictEqual(yield* Effect.flip(search("broken", "192.0.2.1")), "broken")
  })
)

it.effect("two are made at a time, and the same one once for all who ask", () =>
  Effect.gen(function* () {
    const open = yield* Deferred.make<void>()
    let running = 0
    let most = 0
    const make = (key: string) =>
      Effect.gen(function* () {
        most = Math.max(most, ++running)
        yield* Deferred.await(open)
        running--
        return key
      })
    const search = yield* makeStrangersSearches(make, String)
    const keys = ["query=a", "query=a", "query=b", "query=c", "query=d"]
    const asked = yield* Effect.forEach(keys, (key) => Effect.forkChild(search(key, "192.0.2.1")))
    yield* Effect.repeat(Effect.yieldNow, { until: () => running === 2 })
    yield* Deferred.succeed(open, undefined)
    assert.deepStrictEqual(yield* Effect.forEach(asked, Fiber.join), keys)
    assert.strictEqual(most, 2)
  })
)

it("the order of the conditions makes no difference", () => {
  const one = searchKey(new URLSearchParams("niche=b&niche=a&query=x%26y&niche=a"))
  assert.strictEqual(one, searchKey(new URLSearchParams("query=x%26y&niche=a&niche=b")))
  assert.deepStrictEqual(
    [...new URLSearchParams(one)],
    [
      ["niche", "a"],
      ["niche", "b"],
      ["query", "x&y"]
    ]
  )
})
