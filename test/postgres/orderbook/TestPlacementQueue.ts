// Placements without a database: what they decide does not matter, only whose turn it is, who goes with whom and who is told what.
import { Effect, Fiber, Latch, Result } from "effect"
import { makeAdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import type { Row } from "#adapters/postgres/database/Connections.ts"
import { KeyedMutex } from "#adapters/postgres/database/Semaphore.ts"
import { makePlacementQueue } from "#adapters/postgres/orderbook/PlacementQueue.ts"
import { unchanged } from "#core/decisions/Draft.ts"
import type { QuoteNotFound } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { momentAt } from "#test/core/Deciding.ts"
import { NOON } from "#test/core/Given.ts"
import { emptyPlacementReads } from "#test/ports/VisibleBooks.ts"
import { fakeDatabase } from "../FakeDatabase.ts"

/** What a flight finds where it looks for its books: rows that nobody can read, or a shop without any. */
export const unreadable = Effect.die("cannot be read")
export const emptyShop = Effect.succeed([{ books: { nowMs: 0, shop: { version: "", fulfilment: null } } }])

/**
 * A store where nothing can be read together unless told, so that everybody goes alone in the end; `alone` says what comes of that.
 * Flights are in the air for as long as `look` takes.
 */
export const testPlacementQueue = Effect.fnUntraced(function* (
  alone: (quoteId: string) => Effect.Effect<string, StoreUnavailable | QuoteNotFound>,
  {
    seats = 100,
    look = unreadable
  }: { readonly seats?: number; readonly look?: Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> } = {}
) {
  const room = yield* makeAdmissionQueue({ capacity: seats, maxWait: "1 second" })
  const lanes = new KeyedMutex(room)
  const flown: Array<string> = []
  const decided: Array<string> = []
  const tried: Array<string> = []
  const database = fakeDatabase(room, {
    read: (_, [keyIds]) => {
      flown.push(String(keyIds))
      return look
    },
    runExclusive: (key, work, visit) => lanes.run(key, work, visit)
  })
  const place = yield* makePlacementQueue({
    database,
    contexts: () => Effect.succeed(() => momentAt(NOON)),
    onCommitted: () => Effect.void,
    placeSingly: ({ keyId }) => {
      tried.push(keyId)
      // Whatever the decision answers, this answers with who asked.
      return alone(keyId) as Effect.Effect<never, StoreUnavailable>
    }
  })
  const order = (keyId: string, accountId: string) =>
    place(emptyPlacementReads({ keyId, accountId }), () => {
      decided.push(keyId)
      return Result.succeed(unchanged(keyId))
    })
  const send = (keyId: string, accountId: string) =>
    Effect.forkChild(Effect.result(order(keyId, accountId)), { startImmediately: true })
  /** Takes the account's turn, until it is opened. */
  const occupy = Effect.fnUntraced(function* (accountId: string) {
    const busy = yield* Latch.make()
    const pass = lanes.run(accountId, () => busy.await)
    yield* Effect.forkChild(pass, { startImmediately: true })
    return busy
  })
  return { room, occupy, flown, decided, tried, order, send }
})

export const outcomes = <A, E>(fibers: ReadonlyArray<Fiber.Fiber<Result.Result<A, E>>>) =>
  Effect.map(Fiber.joinAll(fibers), (all) => all.map((one) => (Result.isSuccess(one) ? one.success : one.failure)))

export const keys = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `key ${index}`)
