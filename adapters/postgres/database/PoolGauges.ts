// What can be seen of the way to the database while somebody watches: connections at work and free, and who waits. Read when it
// is asked for; nothing is written down meanwhile.
import { Effect, Metric, type Scope } from "effect"
import type { AdmissionQueue } from "./AdmissionQueue.ts"

export interface PoolStats {
  /** Connections that there may be. */
  readonly size: number
  /** Connections that work on something. */
  readonly inUse: () => number
  /** Calls that wait for one. */
  readonly waiting: () => number
}

type Labels = Readonly<Record<string, string>>

/** A figure is what it is at the moment; nobody sets it. */
const nobody = (): void => {}

const gauge = (
  id: string,
  description: string,
  attributes: Labels,
  value: () => number
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.contextWith((context) => {
    const hooks = { get: () => ({ value: value() }), update: nobody, modify: nobody }
    const registered = Effect.sync(() =>
      Metric.registerUnsafe(Metric.gauge(id, { description, attributes }), context, hooks)
    )
    return Effect.asVoid(Effect.acquireRelease(registered, ({ remove }) => Effect.sync(remove)))
  })

const CONNECTIONS = "backlinks_database_connections"

/** For as long as the scope is open. */
export const registerPoolGauges = (pool: "orders" | "commits" | "searches", { size, inUse, waiting }: PoolStats) =>
  Effect.all(
    [
      gauge(CONNECTIONS, "Connections to the database.", { pool, state: "in_use" }, inUse),
      // Not opened yet, or open and at rest: the driver keeps that to itself.
      gauge(CONNECTIONS, "Connections to the database.", { pool, state: "idle" }, () => size - inUse()),
      gauge("backlinks_database_connections_max", "Connections that there may be.", { pool }, () => size),
      gauge("backlinks_database_waiting", "Calls that wait for a connection.", { pool }, waiting)
    ],
    { discard: true }
  )

/** For as long as the scope is open. */
export const registerAdmissionGauges = (room: AdmissionQueue) =>
  Effect.all(
    [
      gauge(
        "backlinks_store_waiting",
        "Calls that wait for the store, for a connection or their turn.",
        {},
        () => room.size
      ),
      gauge("backlinks_store_waiting_max", "Calls that may wait; one more is refused.", {}, () => room.capacity)
    ],
    { discard: true }
  )
