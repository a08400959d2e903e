// `transact` over the database: load, decide, write over what was loaded. Whoever decided on something old decides again. Calls on
// one account go one after another within this process, so that only other instances can be quicker.
import { Effect, HashMap, Layer, Random, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Change } from "#core/decisions/Change.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import { CONTEXT_ENTROPY_BYTES } from "#core/domain/DecisionContext.ts"
import { monotonicContexts } from "#core/domain/MonotonicIds.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { ApiKeyCache } from "./ApiKeyCache.ts"
import type { Params, RunSql } from "./database/Connections.ts"
import { Database } from "./database/Database.ts"
import { DeliveryNotifications, queuesDeliveries } from "./database/DeliveryNotifications.ts"
import { bigintArray } from "./database/Queries.ts"
import { ConflictError, isLockTimeout, unavailable } from "./database/SqlErrors.ts"
import { queryFor } from "./orderbook/BookQueries.ts"
import { commitOf } from "./orderbook/CommitRows.ts"
import { COMMIT, makeCommitBatcher, type WriteCommit } from "./orderbook/Commits.ts"
import { type LoadedBooks, loadedBooks } from "./orderbook/LoadedBooks.ts"
import { makePlacementQueue } from "./orderbook/PlacementQueue.ts"
import { writeContext } from "./orderbook/WriteContext.ts"

/** Races that a call may lose before it takes its rows first and decides then, and before it gives up. */
const QUICK_TRIES = 3
const TRIES = 7

/** Of which a wait for a lock that was not given takes as many: it has cost enough time. */
const LOCKED_OUT = 4

/** Rivals on several instances step out of each other's way. */
const STEP_ASIDE_MS = 8

/** Whose turn it is to wait for: the one account that the books are about, or the one endpoint. Of several, nobody's. */
const turnOf = ({ books }: LoadedBooks): string | null => {
  const ids = HashMap.isEmpty(books.accounts) ? HashMap.keys(books.subscriptions) : HashMap.keys(books.accounts)
  const [id, another] = ids
  return id === undefined || another !== undefined ? null : id
}

/** The stem that a new decision must follow, so that an account's ids ascend in the order of its decisions. */
const newestStem = ({ versions }: LoadedBooks): string => {
  let newest = ""
  for (const stem of versions.accounts.values()) if (stem > newest) newest = stem
  return newest
}

/** What a decision about these books may write and others may write as well. An account guards its subscriptions. */
const contended = ({ books, versions }: LoadedBooks): Params => {
  const limited = Array.from(HashMap.values(books.promos)).filter(({ maxRedemptions }) => maxRedemptions !== null)
  const endpoints = versions.accounts.size === 0 ? versions.endpoints.keys() : []
  return [
    [...versions.accounts.keys()],
    limited.map(({ code }) => code),
    bigintArray([...versions.articles.keys()]),
    [...endpoints]
  ]
}

const isLostRace = <E>(failure: E | ConflictError): failure is ConflictError => failure instanceof ConflictError

const load = <Fault>(reads: Reads, run: RunSql<Fault>) => {
  const { sql, params } = queryFor(reads)
  return Effect.map(run(sql, params), ([row]) => loadedBooks(row))
}

type Needs = Database | DeliveryNotifications | ApiKeyCache | SecureRandom.SecureRandom

export const layer: Layer.Layer<OrderBook, never, Needs> = Layer.effect(
  OrderBook,
  Effect.gen(function* () {
    const database = yield* Database
    const doorbell = yield* DeliveryNotifications
    const knownKeys = yield* ApiKeyCache
    const commit = yield* makeCommitBatcher(database)
    const random = yield* SecureRandom.SecureRandom
    const momentAfter = monotonicContexts()

    /** So many moments, each later than all that was loaded and than those before. */
    const moments = (loaded: LoadedBooks, count: number) =>
      Effect.map(random.randomBytes(count * CONTEXT_ENTROPY_BYTES), (entropy) => {
        const newest = newestStem(loaded)
        let used = 0
        return () => {
          const from = used
          used += CONTEXT_ENTROPY_BYTES
          return momentAfter(loaded.nowMs, entropy.subarray(from, used), newest)
        }
      })

    const decideOn = Effect.fnUntraced(function* <A, E extends Refusal>(
      loaded: LoadedBooks,
      decide: Decide<A, E>,
      commit: WriteCommit
    ) {
      const moment = (yield* moments(loaded, 1))()
      const { reply, changes } = yield* Effect.fromResult(decide(loaded.books, moment))
      if (changes.length > 0) yield* commit(commitOf(writeContext(loaded, changes, moment.idPrefix)))
      return { reply, changes }
    })

    /** Tells those within this instance whom it concerns. */
    const written = (changes: ReadonlyArray<Change>) =>
      Effect.andThen(knownKeys.invalidate(changes), queuesDeliveries(changes) ? doorbell.notify : Effect.void)

    /** Takes the rows first, so that nobody else can write them before this decision does. */
    const decidePatiently = <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>, last: LoadedBooks) =>
      database.transaction((run) =>
        run("SELECT lock_rows($1, $2, $3, $4)", contended(last)).pipe(
          Effect.andThen(load(reads, run)),
          Effect.flatMap((loaded) =>
            decideOn(loaded, decide, ({ rows }) => Effect.asVoid(run(COMMIT, [JSON.stringify(rows)])))
          )
        )
      )

    /** `first` are the books for the first try, where they are loaded already. */
    const decideUntilWritten = Effect.fnUntraced(function* <A, E extends Refusal>(
      reads: Reads,
      decide: Decide<A, E>,
      first: LoadedBooks | null
    ) {
      let loaded = first ?? (yield* load(reads, database.read))
      for (let tries = 1; tries <= TRIES; ) {
        const quick = tries <= QUICK_TRIES
        const attempt = quick ? decideOn(loaded, decide, commit) : decidePatiently(reads, decide, loaded)
        const outcome = yield* Effect.result(attempt)
        if (Result.isSuccess(outcome)) {
          const { reply, changes } = outcome.success
          yield* written(changes)
          return reply
        }
        const { failure } = outcome
        if (!isLostRace(failure)) return yield* Effect.fail(failure)
        tries += isLockTimeout(failure) ? LOCKED_OUT : 1
        yield* Effect.sleep((yield* Random.next) * STEP_ASIDE_MS * tries)
        if (tries <= QUICK_TRIES) loaded = yield* load(reads, database.read)
      }
      return yield* unavailable
    })

    const place = yield* makePlacementQueue({
      database,
      contexts: moments,
      placeSingly: (reads, decide) => decideUntilWritten(reads, decide, null),
      onCommitted: written
    })

    const transact = Effect.fnUntraced(function* <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) {
      if (reads._tag === "ForPlacement") return yield* place(reads, decide)
      const named = reads._tag === "ForAccount" && reads.accountId !== "" ? reads.accountId : null
      if (named !== null) return yield* database.runExclusive(named, () => decideUntilWritten(reads, decide, null))
      const loaded = yield* load(reads, database.read)
      const turn = turnOf(loaded)
      if (turn === null) return yield* decideUntilWritten(reads, decide, loaded)
      return yield* database.runExclusive(turn, (waited) => decideUntilWritten(reads, decide, waited ? null : loaded))
    })

    return OrderBook.of({ transact })
  })
)
