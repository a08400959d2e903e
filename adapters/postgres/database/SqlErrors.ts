// Classifies failed statements: a conflict (nothing was written), an unavailable database, or a defect of the service.
import { Cause, Data, Effect, Predicate } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** Another transaction was quicker. The database itself rejected the statement, so none of it was written. */
export class ConflictError extends Data.TaggedError("ConflictError")<{ readonly code: string }> {}

const LOCK_NOT_AVAILABLE = "55P03"

/** The conflicting transaction has not ended yet, and the wait for its lock timed out. */
export const isLockTimeout = ({ code }: ConflictError): boolean => code === LOCK_NOT_AVAILABLE

const RETRY_AFTER_SECONDS = 2

/** Also where a write may or may not have happened: a replay of the same request finds out. */
export const unavailable = new StoreUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS })

/** Nothing was done, because too many wait or this one has waited too long. */
export const queueFull = new StoreUnavailable({ retryAfterSeconds: 1 })

const textAt = (value: unknown, key: string): string | undefined =>
  Predicate.hasProperty(value, key) && typeof value[key] === "string" ? value[key] : undefined

const UNIQUE_VIOLATION = "23505"

/** Serialization failure, deadlock, lock not available. */
const CONFLICT_CODES: ReadonlySet<string> = new Set(["40001", "40P01", LOCK_NOT_AVAILABLE])

/** Keys that two transactions may insert at once without a row that both have to lock first. */
const CONTESTED_KEYS: ReadonlySet<string> = new Set([
  ...[
    "sites_pkey",
    "articles_pkey",
    "projects_pkey",
    "opportunities_pkey",
    "promos_pkey",
    "accounts_pkey",
    "tallies_pkey"
  ],
  ...["payments_pkey", "payments_set_aside_pkey"],
  ...["bound_once", "bound_in_account"],
  "account_emails_pkey",
  "members_by_email"
])

const FOREIGN_KEY_VIOLATION = "23503"

/** Sandbox quotes and orders that retention freed after a decision had read them: read again, they are not found. */
const FREED_PARENTS: ReadonlySet<string> = new Set([
  "payments_quote_id_fkey",
  "payments_set_aside_quote_id_fkey",
  "reversals_quote_id_fkey",
  "events_order_id_fkey"
])

const READ_ONLY_TRANSACTION = "25006"

/** Connection, authorization, resources, operator, system, idle transaction timeout, read-only transaction. */
const OUTAGE_CODES = ["08", "28", "53", "57", "58", "25P03", READ_ONLY_TRANSACTION]

const sqlState = ({ reason }: SqlError): string => textAt(reason.cause, "code") ?? ""

/** Whether the database itself rejected the statement, for any reason: then it is certain that nothing was written. */
export const isRejectedByDatabase = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return error instanceof ConflictError || (isSqlError(error) && /^[0-9A-Z]{5}$/.test(sqlState(error)))
}

export const isConnectionLost = ({ reason }: SqlError): boolean => reason._tag === "ConnectionError"

/** The server ends the session: shutdown, crash, not yet started, database dropped. */
const SESSION_ENDED = /^57P0/

/** The connection leads to a server that is being stopped, or that takes no writes: another one may be the primary now. */
export const endsConnection = (error: SqlError): boolean => {
  const code = sqlState(error)
  return code === READ_ONLY_TRANSACTION || SESSION_ENDED.test(code)
}

const INSUFFICIENT_PRIVILEGE = "42501"

export const isForbidden = (error: SqlError): boolean => sqlState(error) === INSUFFICIENT_PRIVILEGE

/** Undefined column, function or table, a table in the way, or rows that a step's checks refuse: not what this version expects. */
const OTHER_SCHEMA: ReadonlySet<string> = new Set([
  "42703",
  "42883",
  "42P01",
  "42P07",
  "42701",
  "42710",
  "42723",
  "23514"
])

export const isOfAnotherSchema = (error: SqlError): boolean => OTHER_SCHEMA.has(sqlState(error))

/** Such as `connect ECONNREFUSED`, or the database's own message; internal addresses stay out of the log. */
const messageOf = (cause: unknown): string => {
  const [call, code] = [textAt(cause, "syscall"), textAt(cause, "code")]
  if (call !== undefined && code !== undefined) return `${call} ${code}`
  return textAt(cause, "message")?.replace(/for host "[^"]*"/, "for this host") ?? ""
}

/** A host with several addresses fails with one error per address, and without a message. */
const messagesOf = (cause: unknown): string =>
  cause instanceof AggregateError ? [...new Set(cause.errors.map(messageOf))].join("; ") : messageOf(cause)

/** The message of the database, or of the system that could not reach it. */
export const reasonOf = ({ reason }: SqlError): string => messagesOf(reason.cause) || reason.message

/** Why the database is unavailable, if that is what the error means. */
export const outageOf = (error: SqlError): { readonly code: string; readonly reason: string } | undefined => {
  const code = sqlState(error)
  const isOutage = isConnectionLost(error) || OUTAGE_CODES.some((prefix) => code.startsWith(prefix))
  return isOutage ? { code, reason: reasonOf(error) } : undefined
}

const failureOf = (error: SqlError): ConflictError | StoreUnavailable | undefined => {
  const { reason } = error
  const code = sqlState(error)
  if (CONFLICT_CODES.has(code)) return new ConflictError({ code })
  const constraint = textAt(reason.cause, "constraint") ?? ""
  const isContestedKey = code === UNIQUE_VIOLATION && CONTESTED_KEYS.has(constraint)
  const isParentFreed = code === FOREIGN_KEY_VIOLATION && FREED_PARENTS.has(constraint)
  if (isContestedKey || isParentFreed) return new ConflictError({ code })
  return outageOf(error) === undefined ? undefined : unavailable
}

/** All other errors are defects: they die with the SQL error, which the log shows and no response does. */
export const classify = (error: SqlError): Effect.Effect<never, ConflictError | StoreUnavailable> => {
  const failure = failureOf(error)
  if (failure === undefined) return Effect.die(error)
  const log = Effect.logDebug("A statement failed", error)
  return Effect.andThen(log, Effect.fail(failure))
}

/** For statements that are not retried after a conflict. */
export const conflictAsUnavailable = <A, R>(
  statement: Effect.Effect<A, ConflictError | StoreUnavailable, R>
): Effect.Effect<A, StoreUnavailable, R> => Effect.catchTag(statement, "ConflictError", () => Effect.fail(unavailable))
