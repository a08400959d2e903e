// `transact` over the database: load, decide, write if the rows still have the versions that were loaded, and retry after a conflict.
// Calls on one account run one at a time within the process, so only other instances cause conflicts.
import { Effect, HashMap, Layer, Random, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { waitingForStore } from "#adapters/concurrency/AnswerInTime.ts"
import { apply } from "#core/decisions/Apply.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { CONTEXT_ENTROPY_BYTES } from "#core/domain/shared/DecisionContext.ts"
import { monotonicContexts } from "#core/domain/shared/MonotonicIds.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { Params, RunSql, RunWrite } from "../../database/Connections.ts"
import { Database } from "../../database/Database.ts"
import { DeliveryNotifications } from "../../database/DeliveryNotifications.ts"
import { bigintArray } from "../../database/Queries.ts"
import { ConflictError, isLockTimeout, unavailable } from "../../database/SqlErrors.ts"
import { batchRun } from "../../orderbook/BatchRun.ts"
import { queryFor } from "../../orderbook/BookQueries.ts"
import { writtenRows } from "../../orderbook/CommitRows.ts"
import { COMMIT, type CommitListener } from "../../orderbook/Commits.ts"
import { makeLines } from "../../orderbook/Lines.ts"
import { type LoadedBooks, loadedBooks, makeWriteContext } from "../../orderbook/LoadedBooks.ts"
import type { ForPlacement } from "../../orderbook/PlacementQuery.ts"
import { ApiKeyCache } from "../access/ApiKeyCache.ts"
import { CatalogueVersion } from "../catalogue/CatalogueVersion.ts"

/** Conflicts after which a call locks its rows before it decides, and after which it fails. */
const OPTIMISTIC_TRIES = 3
const MAX_TRIES = 7

/** A lock timeout counts as this many tries, because it has cost that much time. */
const LOCK_TIMEOUT_TRIES = 4

/** Base of the random delay before a retry, so that instances do not collide again. */
const BACKOFF_MS = 8

/** From this on, one more order costs as much as it would alone. */
export const ORDERS_PER_BATCH = 64

/** The one account that the books are about; `null` if there are several or none. */
const accountOf = ({ books }: LoadedBooks): string | null => {
  const [id, another] = HashMap.keys(books.accounts)
  return id === undefined || another !== undefined ? null : id
}

/** The versions of rows are id prefixes. A new decision's prefix must follow these, so that an account's ids ascend. */
const newestVersion = ({ versions }: LoadedBooks): string => {
  let newest = ""
  for (const version of versions.accounts.values()) if (version > newest) newest = version
  return newest
}

/** The rows that a decision about these books and others may write. A lock on an account covers its subscriptions. */
const rowsToLock = ({ books, versions }: LoadedBooks): Params => {
  const limited = Array.from(HashMap.values(books.promos)).filter(({ maxRedemptions }) => maxRedemptions !== null)
  const endpoints = versions.accounts.size === 0 ? versions.endpoints.keys() : []
  return [
    [...versions.accounts.keys()],
    limited.map(({ code }) => code),
    bigintArray([...versions.articles.keys()]),
    [...endpoints]
  ]
}

const isConflict = <E>(failure: E | ConflictError): failure is ConflictError => failure instanceof ConflictError

/** A listing that gives sites a domain is written over the one before it. */
const LOCK_CATALOGUE = "SELECT FROM shop FOR NO KEY UPDATE"

const listsSites = (reads: Reads): boolean => reads._tag === "ForListing" && reads.listedSites !== undefined

const load = <Fault>(reads: Reads, run: RunSql<Fault>) => {
  const { sql, params } = queryFor(reads)
  return Effect.map(run(sql, params), ([row]) => loadedBooks(row))
}

type Needs = Database | DeliveryNotifications | ApiKeyCache | CatalogueVersion | SecureRandom.SecureRandom

export const layer: Layer.Layer<OrderBook, never, Needs> = Layer.effect(
  OrderBook,
  Effect.gen(function* () {
    const database = yield* Database
    /** What this instance derives from the books. */
    const listeners = [yield* ApiKeyCache, yield* CatalogueVersion, yield* DeliveryNotifications]
    const random = yield* SecureRandom.SecureRandom
    const contextAfter = monotonicContexts()

    /** `count` decision contexts, each with an id prefix after those that were loaded and those before it. */
    const contexts = (loaded: LoadedBooks, count: number) =>
      Effect.map(random.randomBytes(count * CONTEXT_ENTROPY_BYTES), (entropy) => {
        const newest = newestVersion(loaded)
        let used = 0
        return () => {
          const from = used
          used += CONTEXT_ENTROPY_BYTES
          return contextAfter(loaded.nowMs, entropy.subarray(from, used), newest)
        }
      })

    const decideAndWrite = Effect.fnUntraced(function* <A, E extends Refusal>(
      loaded: LoadedBooks,
      decide: Decide<A, E>,
      run: RunWrite
    ) {
      const context = (yield* contexts(loaded, 1))()
      const {
        reply,
        changes,
        after = changes.reduce(apply, loaded.books)
      } = yield* Effect.fromResult(decide(loaded.books, context))
      const write = makeWriteContext(loaded, after, context.idPrefix)
      if (changes.length > 0) yield* run(COMMIT, [JSON.stringify(writtenRows(write))])
      return { reply, changed: write.changed }
    })

    const onCommitted: CommitListener = (changed) =>
      Effect.forEach(listeners, (listener) => listener.onCommitted(changed), { discard: true })

    /** Locks the rows before it loads them again, so that this decision cannot conflict. */
    const decideWithLocks = <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>, last: LoadedBooks) =>
      database.transaction((run) =>
        run("SELECT lock_rows($1, $2, $3, $4)", rowsToLock(last)).pipe(
          Effect.andThen(listsSites(reads) ? run(LOCK_CATALOGUE, []) : Effect.void),
          Effect.andThen(load(reads, run)),
          Effect.flatMap((loaded) => decideAndWrite(loaded, decide, run))
        )
      )

    /** `first` are the books for the first try, if they are loaded already. */
    const decideWithRetries = Effect.fnUntraced(function* <A, E extends Refusal>(
      reads: Reads,
      decide: Decide<A, E>,
      first: LoadedBooks | null
    ) {
      let loaded = first ?? (yield* load(reads, database.read))
      for (let tries = 1; tries <= MAX_TRIES; ) {
        const attempt =
          tries <= OPTIMISTIC_TRIES
            ? decideAndWrite(loaded, decide, database.write)
            : decideWithLocks(reads, decide, loaded)
        const outcome = yield* Effect.result(attempt)
        if (Result.isSuccess(outcome)) {
          const { reply, changed } = outcome.success
          yield* onCommitted(changed)
          return reply
        }
        const { failure } = outcome
        if (!isConflict(failure)) return yield* Effect.fail(failure)
        tries += isLockTimeout(failure) ? LOCK_TIMEOUT_TRIES : 1
        yield* Effect.sleep((yield* Random.next) * BACKOFF_MS * tries)
        if (tries <= OPTIMISTIC_TRIES) loaded = yield* load(reads, database.read)
      }
      return yield* unavailable
    })

    const runSingly = <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) =>
      decideWithRetries(reads, decide, null)
    const lines = yield* makeLines<ForPlacement>({
      admission: database.admission,
      keyOf: ({ accountId }) => accountId,
      batchSize: ORDERS_PER_BATCH,
      runBatch: batchRun({ read: database.read, write: database.commit, contexts, onCommitted }),
      runSingly
    })

    const transactAlone = Effect.fnUntraced(function* <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) {
      if ((reads._tag === "ForAccount" || reads._tag === "ForClosing") && reads.accountId !== "") {
        return yield* lines.run(reads.accountId, () => runSingly(reads, decide))
      }
      const loaded = yield* load(reads, database.read)
      const accountId = accountOf(loaded)
      if (accountId === null) return yield* decideWithRetries(reads, decide, loaded)
      return yield* lines.run(accountId, (waited) => decideWithRetries(reads, decide, waited ? null : loaded))
    })

    return OrderBook.of({
      transact: (reads, decide) =>
        waitingForStore(reads._tag === "ForPlacement" ? lines.call(reads, decide) : transactAlone(reads, decide))
    })
  })
)
