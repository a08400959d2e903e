// Gauges of the connection pools and the admission queue, read when the metrics are scraped.
import { Effect, Metric, type Scope } from "effect"
import type { AdmissionQueue } from "#adapters/concurrency/AdmissionQueue.ts"

export interface PoolStats {
  /** The largest number of connections. */
  readonly size: number
  /** Connections with a statement or a transaction on them. */
  readonly inUse: () => number
  /** Calls that wait for a connection. */
  readonly waiting: () => number
}

type Labels = Readonly<Record<string, string>>

const ignoreUpdate = (): void => {}

const gauge = (
  id: string,
  description: string,
  attributes: Labels,
  value: () => number
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.contextWith((context) => {
    const hooks = { get: () => ({ value: value() }), update: ignoreUpdate, modify: ignoreUpdate }
    const registered = Effect.sync(() =>
      Metric.registerUnsafe(Metric.gauge(id, { description, attributes }), context, hooks)
    )
    return Effect.asVoid(Effect.acquireRelease(registered, ({ remove }) => Effect.sync(remove)))
  })

const CONNECTIONS = "backlinks_database_connections"

/** Until the scope ends. */
export const registerPoolGauges = (pool: "orders" | "commits" | "searches", { size, inUse, waiting }: PoolStats) =>
  Effect.all(
    [
      gauge(CONNECTIONS, "Connections to the database.", { pool, state: "in_use" }, inUse),
      // Open and idle, or not opened yet: the driver does not tell them apart.
      gauge(CONNECTIONS, "Connections to the database.", { pool, state: "idle" }, () => size - inUse()),
      gauge("backlinks_database_connections_max", "Largest number of connections.", { pool }, () => size),
      gauge("backlinks_database_waiting", "Calls that wait for a connection.", { pool }, waiting)
    ],
    { discard: true }
  )

/** Until the scope ends. */
export const registerAdmissionGauges = (queue: "orders" | "searches", admission: AdmissionQueue) =>
  Effect.all(
    [
      gauge(
        "backlinks_store_waiting",
        "Calls that wait for the store: for a connection or for their account.",
        { queue },
        () => admission.size
      ),
      gauge(
        "backlinks_store_waiting_max",
        "Largest number of waiting calls; further calls are refused.",
        { queue },
        () => admission.capacity
      )
    ],
    { discard: true }
  )
