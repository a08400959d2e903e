// A `Database` without PostgreSQL, for tests of queues, batches and caches.
import { Effect } from "effect"
import { AdmissionQueue } from "#adapters/concurrency/AdmissionQueue.ts"
import type { Database } from "#adapters/postgres/database/Database.ts"

const unexpected = () => Effect.die("unexpected call of the database")

/** A queue in which no time passes. */
export const admissionQueue = (capacity: number): AdmissionQueue =>
  new AdmissionQueue({ capacity, maxWaitMs: 0, nowMs: () => 0 })

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
  ...answers,
  admission
})

/** Lets all fibers run that can. */
export const settled = Effect.repeat(Effect.yieldNow, { times: 50 })
