// A `Database` without PostgreSQL, for tests of queues, batches and caches.
import { Effect } from "effect"
import type { AdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import type { Database } from "#adapters/postgres/database/Database.ts"

const unexpected = () => Effect.die("unexpected call of the database")

const unexpectedTurn = () => {
  throw new Error("unexpected turn of an account")
}

/** `answers` replace methods; a call of any other is a defect. */
export const fakeDatabase = (
  admission: AdmissionQueue,
  answers: Partial<Omit<Database["Service"], "admission">> = {}
): Database["Service"] => ({
  read: unexpected,
  search: unexpected,
  write: unexpected,
  commit: unexpected,
  transaction: unexpected,
  listen: unexpected,
  runExclusive: unexpected,
  takeExclusively: unexpectedTurn,
  ...answers,
  admission
})

/** Lets all fibers run that can. */
export const settled = Effect.repeat(Effect.yieldNow, { times: 50 })
