// What a failed statement means to its caller: a race was lost and nothing was written, or the database cannot be asked at
// present, or the service itself made a mistake. Only the second is an answer to anybody.
import { Cause, Data, Effect, Predicate } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "#core/ports/PortErrors.ts"

/** Somebody else was quicker. Certain: the database said so itself, and nothing of the statement was written. */
export class ConflictError extends Data.TaggedError("ConflictError")<{ readonly code: string }> {}

const LOCK_NOT_AVAILABLE = "55P03"

/** Not by losing against others who were done, but by waiting for one who is not. */
export const isLockTimeout = ({ code }: ConflictError): boolean => code === LOCK_NOT_AVAILABLE

const RETRY_AFTER_SECONDS = 2

/** For those whose write may or may not have happened, too: a replay of the same request finds out. */
export const unavailable = new StoreUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS })

const textAt = (value: unknown, key: string): string | undefined =>
  Predicate.hasProperty(value, key) && typeof value[key] === "string" ? value[key] : undefined

const UNIQUE_VIOLATION = "23505"

/** Serialization failure, deadlock, lock not available. */
const LOST: ReadonlySet<string> = new Set(["40001", "40P01", LOCK_NOT_AVAILABLE])

/** Keys that two callers may try to take at once without any row that both would have to write first. */
const RACED: ReadonlySet<string> = new Set(["payments_pkey", "bindings_pkey"])

/** Connection, authorization, resources, operator, system, a transaction that was left idle, a database that can only be read. */
const AWAY = ["08", "28", "53", "57", "58", "25P03", "25006"]

const sqlState = ({ reason }: SqlError): string => textAt(reason.cause, "code") ?? ""

/** Whether the database itself said no, so that nothing of the statement was written, whatever else was wrong with it. */
export const isRejectedByDatabase = (cause: Cause.Cause<unknown>): boolean => {
  const fault = Cause.squash(cause)
  return fault instanceof ConflictError || (isSqlError(fault) && /^[0-9A-Z]{5}$/.test(sqlState(fault)))
}

export const isConnectionLost = ({ reason }: SqlError): boolean => reason._tag === "ConnectionError"

const INSUFFICIENT_PRIVILEGE = "42501"

/** Whether the database does not let its user do this. */
export const isForbidden = (error: SqlError): boolean => sqlState(error) === INSUFFICIENT_PRIVILEGE

/** Such as `connect ECONNREFUSED`, or a sentence of the database's; addresses within the house are nothing for a log. */
const wordsOf = (cause: unknown): string => {
  const [call, code] = [textAt(cause, "syscall"), textAt(cause, "code")]
  if (call !== undefined && code !== undefined) return `${call} ${code}`
  return textAt(cause, "message")?.replace(/for host "[^"]*"/, "for this host") ?? ""
}

/** A host with several addresses fails with a reason for each of them, and none in sum. */
const allWordsOf = (cause: unknown): string =>
  cause instanceof AggregateError ? [...new Set(cause.errors.map(wordsOf))].join("; ") : wordsOf(cause)

/** In the words of the database, or of the system that could not reach it. */
export const reasonOf = ({ reason }: SqlError): string => allWordsOf(reason.cause) || reason.message

/** Why the database cannot be asked, where that is what an error says. */
export const outageOf = (error: SqlError): { readonly code: string; readonly reason: string } | undefined => {
  const code = sqlState(error)
  const isAway = isConnectionLost(error) || AWAY.some((prefix) => code.startsWith(prefix))
  return isAway ? { code, reason: reasonOf(error) } : undefined
}

const judge = (error: SqlError): ConflictError | StoreUnavailable | undefined => {
  const { reason } = error
  const code = sqlState(error)
  if (LOST.has(code)) return new ConflictError({ code })
  if (code === UNIQUE_VIOLATION && RACED.has(textAt(reason.cause, "constraint") ?? ""))
    return new ConflictError({ code })
  return outageOf(error) === undefined ? undefined : unavailable
}

/** Mistakes of the service die with the whole error, which the log shows and no answer does. */
export const classify = (error: SqlError): Effect.Effect<never, ConflictError | StoreUnavailable> => {
  const fault = judge(error)
  if (fault === undefined) return Effect.die(error)
  const note = Effect.logDebug("the database did not answer as hoped", error)
  return Effect.andThen(note, Effect.fail(fault))
}

/** For what is not decided again: a race lost is no worse than a database that is away. */
export const conflictAsUnavailable = <A, R>(
  statement: Effect.Effect<A, ConflictError | StoreUnavailable, R>
): Effect.Effect<A, StoreUnavailable, R> => Effect.catchTag(statement, "ConflictError", () => Effect.fail(unavailable))
