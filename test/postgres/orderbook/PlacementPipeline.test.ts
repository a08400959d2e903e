// What becomes of placements on their way: everybody is told once and only what was written, or is left to go alone, whatever the
// database answers. What it would make of the rows is not looked at, and so there is none.
import { it } from "@effect/vitest"
import { Deferred, Effect, Result } from "effect"
import { describe, expect } from "vitest"
import { AdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import type { Row } from "#adapters/postgres/database/Connections.ts"
import { ConflictError, unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { placementPipeline, type QueuedPlacement } from "#adapters/postgres/orderbook/PlacementPipeline.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { momentAt } from "#test/core/Deciding.ts"
import { NOON } from "#test/core/Given.ts"
import { emptyPlacementReads } from "#test/ports/VisibleBooks.ts"
import { fakeDatabase } from "../FakeDatabase.ts"
import { emptyShop, unreadable } from "./TestPlacementQueue.ts"

type Answer = Effect.Effect<void, ConflictError | StoreUnavailable>

const lost: Answer = Effect.fail(new ConflictError({ code: "40001" }))
const lockedOut: Answer = Effect.fail(new ConflictError({ code: "55P03" }))
const away: Answer = Effect.fail(unavailable)

/** Counts an order for its key, after which it is named. */
const waiting = (keyId: string): QueuedPlacement => ({
  reads: emptyPlacementReads({ keyId, accountId: "acc" }),
  decide: () => Result.succeed({ reply: keyId, changes: [{ _tag: "DailyOrderCounted", keyId, day: 1 }] }),
  done: Deferred.makeUnsafe<unknown, Refusal | StoreUnavailable>(),
  timeOut: () => undefined
})

const nameOf = ({ reads }: QueuedPlacement): string => reads.keyId

/** The answer, if there is one by now. */
const toldBy = ({ done }: QueuedPlacement) =>
  Deferred.isDoneUnsafe(done)
    ? Effect.map(Effect.result(Deferred.await(done)), Result.merge)
    : Effect.succeed("nothing yet")

/** The books that are looked for, each time. */
type Looks = ReadonlyArray<Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>>

/**
 * A flight of two, behind whom others of their account come, two at a time, while there are any. The database answers in turn, and
 * finds the books of an empty shop unless told what becomes of its first looks.
 */
const flyingWhere = Effect.fnUntraced(function* (looks: Looks, others: number, ...answers: ReadonlyArray<Answer>) {
  const all = Array.from({ length: 2 + others }, (_, index) => waiting(`key ${index}`))
  const queue = all.slice(2)
  const written: Array<ReadonlyArray<string>> = []
  const heard: Array<number> = []
  let looked = 0
  const database = fakeDatabase(new AdmissionQueue(0), {
    read: () => looks[looked++] ?? emptyShop,
    commit: (_, [rows]) => {
      const { tallies } = JSON.parse(String(rows))
      // Each is a list that begins with the key's id.
      written.push(Array.from(tallies, ([keyId]) => String(keyId)))
      return Effect.as(answers[written.length - 1] ?? Effect.void, [])
    }
  })
  const { follow } = placementPipeline({
    database,
    contexts: () => Effect.succeed(() => momentAt(NOON)),
    onCommitted: (changes) => Effect.sync(() => void heard.push(changes.length))
  })
  const left = yield* follow(all.slice(0, 2), "acc", () => queue.splice(0, 2))
  // Whoever was written is told when whoever follows has gone on.
  yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  const told = yield* Effect.forEach(all, toldBy)
  return { written, heard, told, left: left.map(nameOf), waiting: queue.map(nameOf) }
})

const flying = (others: number, ...answers: ReadonlyArray<Answer>) => flyingWhere([], others, ...answers)

const pairs = (count: number) => Array.from({ length: count }, (_, nth) => [`key ${2 * nth}`, `key ${2 * nth + 1}`])

describe("a flight of placements", () => {
  it.effect("is followed by those who came meanwhile, and all are told once they are written", () =>
    Effect.gen(function* () {
      const { written, heard, told, left } = yield* flying(4)
      expect(written).toEqual(pairs(3))
      expect(heard).toEqual([2, 2, 2])
      expect(told).toEqual(pairs(3).flat())
      expect(left).toEqual([])
    })
  )

  it.effect("is followed by three at most before others have their turn", () =>
    Effect.gen(function* () {
      const { written, waiting } = yield* flying(10)
      expect(written).toEqual(pairs(4))
      expect(waiting).toEqual(pairs(6).slice(4).flat())
    })
  )

  it.effect(
    "is told that it was written, though the books of whoever follows were not found: these are looked for again",
    () =>
      Effect.gen(function* () {
        for (const look of [Effect.fail(unavailable), unreadable]) {
          const { written, told, left } = yield* flyingWhere([emptyShop, look], 2)
          expect(written).toEqual(pairs(2))
          expect(told).toEqual(pairs(2).flat())
          expect(left).toEqual([])
        }
      })
  )

  it.effect("that lost a race goes once more, and takes nobody with it who is not told", () =>
    Effect.gen(function* () {
      const { written, heard, told, left } = yield* flying(4, lost)
      expect(written).toEqual([...pairs(1), ...pairs(3)])
      expect(heard).toEqual([2, 2, 2])
      expect(told).toEqual(pairs(3).flat())
      expect(left).toEqual([])
    })
  )

  it.effect("that lost twice leaves all to go alone, those who were to follow it too, and tells nobody anything", () =>
    Effect.gen(function* () {
      const { written, heard, told, left, waiting } = yield* flying(4, lost, lost)
      expect(written).toEqual([...pairs(1), ...pairs(1)])
      expect(heard).toEqual([])
      expect(left).toEqual(pairs(2).flat())
      expect(waiting).toEqual(pairs(3).slice(2).flat())
      expect(told).toEqual(pairs(3).flatMap((pair) => pair.map(() => "nothing yet")))
    })
  )

  it.effect("that waited for a lock in vain does not wait for it again", () =>
    Effect.gen(function* () {
      const { written, left } = yield* flying(2, lockedOut)
      expect(written).toEqual(pairs(1))
      expect(left).toEqual(pairs(2).flat())
    })
  )

  it.effect("of which nobody knows whether it was written is told so and not written again; whoever follows is", () =>
    Effect.gen(function* () {
      const { written, heard, told, left } = yield* flying(2, away)
      expect(written).toEqual(pairs(2))
      expect(heard).toEqual([2])
      expect(told).toEqual([unavailable, unavailable, ...pairs(2).slice(1).flat()])
      expect(left).toEqual([])
    })
  )
})
