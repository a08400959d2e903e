// Loads, decides and writes one batch of calls, and answers each of them. They are decided one after another, each on the books that those
// before it have left, as if it ran alone.
import { Cause, type Context, Deferred, Effect, Exit, Result } from "effect"
import type { Waiter } from "#adapters/concurrency/AdmissionQueue.ts"
import { apply } from "#core/decisions/Apply.ts"
import type { Books } from "#core/decisions/Books.ts"
import type { Decide, Decided } from "#core/decisions/Draft.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { DecisionContext } from "#core/domain/shared/DecisionContext.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import type { RunSql, RunWrite } from "../database/Connections.ts"
import { isLockTimeout, isRejectedByDatabase } from "../database/SqlErrors.ts"
import type { BooksQuery } from "../rows/BookTables.ts"
import { writtenRows } from "./CommitRows.ts"
import { COMMIT, type CommitListener } from "./Commits.ts"
import { type LoadedBooks, loadedBooks, makeWriteContext, type WriteContext } from "./LoadedBooks.ts"

export interface Call<Reads> {
  readonly reads: Reads
  readonly decide: Decide<unknown, Refusal>
}

export interface DecidedBatch {
  /** In the order of the calls. A decision that throws is a defect of that call alone. */
  readonly results: ReadonlyArray<Exit.Exit<unknown, Refusal>>
  /** `null` if there is nothing to write. */
  readonly writeContext: WriteContext | null
}

/** How a call sees the books of its batch. */
export interface View<Reads> {
  readonly own: (books: Books, reads: Reads) => Books
  /** The books of the batch with the changes of a decision, which has made them to its own books. */
  readonly after: (books: Books, own: Books, decided: Decided<unknown>) => Books
  /** What was loaded, with the versions that have to be unchanged when these calls are written. */
  readonly loadedFor: (changing: ReadonlyArray<Reads>) => LoadedBooks
}

const runDecision = <Reads>(
  { decide }: Call<Reads>,
  books: Books,
  context: DecisionContext
): Exit.Exit<Decided<unknown>, Refusal> => {
  try {
    return Result.match(decide(books, context), { onSuccess: Exit.succeed, onFailure: Exit.fail })
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** `nextContext` returns a context for each decision, with an id prefix after those before. */
export const decideBatch = <Reads>(
  loaded: LoadedBooks,
  view: View<Reads>,
  calls: ReadonlyArray<Call<Reads>>,
  nextContext: () => DecisionContext
): DecidedBatch => {
  const results: Array<Exit.Exit<unknown, Refusal>> = []
  const changing: Array<Reads> = []
  let { books } = loaded
  let version = ""
  for (const call of calls) {
    const context = nextContext()
    const own = view.own(books, call.reads)
    const decided = runDecision(call, own, context)
    results.push(Exit.map(decided, ({ reply }) => reply))
    if (Exit.isFailure(decided) || decided.value.changes.length === 0) continue
    changing.push(call.reads)
    books = view.after(books, own, decided.value)
    version = context.idPrefix
  }
  const writeContext = changing.length === 0 ? null : makeWriteContext(view.loadedFor(changing), books, version)
  return { results, writeContext }
}

/** Decides calls that each see the whole books. */
export const decideTogether = (
  loaded: LoadedBooks,
  calls: ReadonlyArray<Call<unknown>>,
  nextContext: () => DecisionContext
): DecidedBatch => {
  const view: View<unknown> = {
    own: (books) => books,
    after: (_, own, { changes, after = changes.reduce(apply, own) }) => after,
    loadedFor: () => loaded
  }
  return decideBatch(loaded, view, calls, nextContext)
}

export interface QueuedCall<Reads> extends Call<Reads>, Waiter {
  readonly done: Deferred.Deferred<unknown, Refusal | StoreUnavailable>
  /** The context of its caller. */
  readonly services: Context.Context<never>
}

export type Batch<Reads> = ReadonlyArray<QueuedCall<Reads>>

/** Conflicts of a batch after which its calls run singly. */
const MAX_TRIES = 2

/** Unless written, it is certain that nothing was: after a conflict a retry may succeed, after a rejection it would not. */
type WriteOutcome = "written" | "rejected" | "conflict"

/** How calls of one kind are run together. */
export interface BatchRunOptions<Reads> {
  readonly query: (reads: ReadonlyArray<Reads>) => BooksQuery
  readonly decide: (
    loaded: LoadedBooks,
    calls: ReadonlyArray<Call<Reads>>,
    nextContext: () => DecisionContext
  ) => DecidedBatch
  readonly read: RunSql<StoreUnavailable>
  readonly write: RunWrite
  /** `count` decision contexts that follow all that was loaded. */
  readonly contexts: (loaded: LoadedBooks, count: number) => Effect.Effect<() => DecisionContext>
  /** Called with all that was written. */
  readonly onCommitted: CommitListener
}

export const completeAll = <A, E>(
  calls: ReadonlyArray<{ readonly done: Deferred.Deferred<A, E> }>,
  exit: Exit.Exit<NoInfer<A>, NoInfer<E>>
): void => {
  for (const { done } of calls) Deferred.doneUnsafe(done, exit)
}

/** Only after the next batch was sent on its way, so that the database has work meanwhile. */
const answerLater = <Reads>(batch: Batch<Reads>, { results }: DecidedBatch): void => {
  setImmediate(() => {
    for (const [index, { done }] of batch.entries()) {
      Deferred.doneUnsafe(done, results[index] ?? Exit.die("every call has its result"))
    }
  })
}

/** Runs a batch, and returns whether all of it was answered. If not, nothing was written, and each call has to run singly. */
export const batchRun = <Reads>(options: BatchRunOptions<Reads>): ((batch: Batch<Reads>) => Effect.Effect<boolean>) => {
  const { query, decide, contexts, onCommitted } = options
  const loadAndDecide = Effect.fnUntraced(function* (batch: Batch<Reads>) {
    const { sql, params } = query(batch.map(({ reads }) => reads))
    const [row] = yield* options.read(sql, params, "admitted")
    const loaded = loadedBooks(row)
    return decide(loaded, batch, yield* contexts(loaded, batch.length))
  })

  const write = ({ writeContext }: DecidedBatch): Effect.Effect<WriteOutcome, StoreUnavailable> => {
    if (writeContext === null) return Effect.succeed("written")
    return Effect.suspend(() => options.write(COMMIT, [JSON.stringify(writtenRows(writeContext))], "admitted")).pipe(
      Effect.andThen(Effect.suspend(() => onCommitted(writeContext.changed))),
      Effect.as<WriteOutcome>("written"),
      Effect.catchTag("ConflictError", (error) =>
        Effect.succeed<WriteOutcome>(isLockTimeout(error) ? "rejected" : "conflict")
      ),
      Effect.catchCause((cause) =>
        isRejectedByDatabase(cause) ? Effect.succeed<WriteOutcome>("rejected") : Effect.failCause(cause)
      )
    )
  }

  return Effect.fnUntraced(function* (batch) {
    const failAll = (cause: Cause.Cause<StoreUnavailable>): boolean => {
      completeAll(batch, Exit.failCause(cause))
      return true
    }
    for (let tries = MAX_TRIES; tries > 0; tries--) {
      const decided = yield* Effect.exit(loadAndDecide(batch))
      if (Exit.isFailure(decided)) {
        // A row that cannot be decoded affects only the calls that read it, so each runs singly.
        return Cause.hasDies(decided.cause) ? false : failAll(decided.cause)
      }
      const outcome = yield* Effect.exit(write(decided.value))
      if (Exit.isFailure(outcome)) return failAll(outcome.cause)
      if (outcome.value === "written") {
        answerLater(batch, decided.value)
        return true
      }
      if (outcome.value === "rejected") return false
    }
    return false
  })
}
