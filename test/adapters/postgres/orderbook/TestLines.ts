// Lines of placements over a fake database, which records its batches, decisions and single placements.
import { Effect, Fiber, Latch, Result } from "effect"
import { makeAdmissionQueue } from "#adapters/concurrency/AdmissionQueue.ts"
import type { Row } from "#adapters/postgres/database/Connections.ts"
import { batchRun } from "#adapters/postgres/orderbook/BatchRun.ts"
import { makeLines } from "#adapters/postgres/orderbook/Lines.ts"
import type { ForPlacement } from "#adapters/postgres/orderbook/PlacementQuery.ts"
import { ORDERS_PER_BATCH } from "#adapters/postgres/ports/ordering/OrderBook.ts"
import { unchanged } from "#core/decisions/Draft.ts"
import type { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { NOON } from "#test/core/Given.ts"
import { emptyPlacementReads } from "#test/core/ports/ordering/VisibleBooks.ts"
import { contextAt } from "#test/core/RunDecision.ts"
import { fakeDatabase } from "../FakeDatabase.ts"

/** Answers to a query for books: rows that cannot be decoded, and an empty shop. */
export const unreadable = Effect.die("cannot be decoded")
export const emptyShop = Effect.succeed([{ books: { nowMs: 0, shop: { version: "", fulfilment: null } } }])

/**
 * Lines whose database answers queries for books with `load`. By default that fails for batches, so that every placement runs
 * singly, with the result of `single`.
 */
export const testLines = Effect.fnUntraced(function* (
  single: (keyId: string) => Effect.Effect<string, StoreUnavailable | QuoteNotFound>,
  {
    capacity = 100,
    load = unreadable
  }: { readonly capacity?: number; readonly load?: Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> } = {}
) {
  const admission = yield* makeAdmissionQueue({ capacity, maxWait: "1 second" })
  const batches: Array<string> = []
  const decided: Array<string> = []
  const singles: Array<string> = []
  const { read, commit } = fakeDatabase(admission, {
    read: (_, [keyIds]) => {
      batches.push(String(keyIds))
      return load
    }
  })
  const lines = yield* makeLines<ForPlacement>({
    admission,
    keyOf: ({ accountId }) => accountId,
    batchSize: ORDERS_PER_BATCH,
    runBatch: batchRun({
      read,
      write: commit,
      contexts: () => Effect.succeed(() => contextAt(NOON)),
      onCommitted: () => Effect.void
    }),
    runSingly: ({ keyId }) => {
      singles.push(keyId)
      // The decision's own reply does not matter to these tests.
      return single(keyId) as Effect.Effect<never, StoreUnavailable>
    }
  })
  const order = (keyId: string, accountId: string) =>
    lines.call(emptyPlacementReads({ keyId: KeyId.make(keyId), accountId: AccountId.make(accountId) }), () => {
      decided.push(keyId)
      return Result.succeed(unchanged(keyId))
    })
  const send = (keyId: string, accountId: string) =>
    Effect.forkChild(Effect.result(order(keyId, accountId)), { startImmediately: true })
  /** Holds the account's line until the latch is opened. */
  const lockAccount = Effect.fnUntraced(function* (accountId: string) {
    const lock = yield* Latch.make()
    const work = lines.run(accountId, () => lock.await)
    yield* Effect.forkChild(work, { startImmediately: true })
    return lock
  })
  return { admission, lines, lockAccount, batches, decided, singles, order, send }
})

export const outcomes = <A, E>(fibers: ReadonlyArray<Fiber.Fiber<Result.Result<A, E>>>) =>
  Effect.map(Fiber.joinAll(fibers), (all) => all.map((one) => (Result.isSuccess(one) ? one.success : one.failure)))

export const keys = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `key ${index}`)
