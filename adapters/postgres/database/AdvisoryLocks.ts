// Locks by which one instance at a time does a job in the background. They are held until the transaction ends.
import { Effect, Schema } from "effect"
import type { RunWrite } from "./Connections.ts"
import { decodeRows, NOW_MS } from "./Queries.ts"

/** Arbitrary numbers that no other application on the database uses. */
export const ADVISORY_LOCKS = {
  migrations: "4927380164",
  retention: "4927380166",
  invoices: "4927380167",
  purchaseMails: "4927380168",
  invitationMails: "4927380169",
  noticeMails: "4927380170",
  linkMails: "4927380171",
  expiryMails: "4927380172",
  receiptMails: "4927380173",
  topUpMails: "4927380174"
} as const

const attempt = `SELECT pg_try_advisory_xact_lock($1::bigint) AS "isFree", to_json(${NOW_MS}) AS "nowMs"`

const attemptsOf = decodeRows(Schema.Struct({ isFree: Schema.Boolean, nowMs: Schema.Int }))

/** The database's time, or `null` if another transaction has the lock. Later statements see what the one before has written. */
export const tryLock = (run: RunWrite, job: keyof typeof ADVISORY_LOCKS) =>
  Effect.map(run(attempt, [ADVISORY_LOCKS[job]]), (rows) => {
    const [found] = attemptsOf(rows)
    return found?.isFree === true ? found.nowMs : null
  })
