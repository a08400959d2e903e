// A database that is not there, for what can be told without one: whose turn it is, who goes with whom, who is told what.
import { Effect } from "effect"
import type { AdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import type { Database } from "#adapters/postgres/database/Database.ts"

export const nowhere = () => Effect.die("there is no database")

/** `answers` are what it answers all the same. */
export const fakeDatabase = (
  room: AdmissionQueue,
  answers: Partial<Omit<Database["Service"], "room">> = {}
): Database["Service"] => ({
  read: nowhere,
  search: nowhere,
  write: nowhere,
  commit: nowhere,
  transaction: nowhere,
  listen: nowhere,
  runExclusive: nowhere,
  ...answers,
  admission: room
})

/** Until everybody who can go on has gone on. */
export const settled = Effect.repeat(Effect.yieldNow, { times: 50 })
