// Counters of what this instance's retention freed.
import { Effect, Metric } from "effect"
import { FREED_TABLES, type FreedRows, type FreedTable } from "#core/domain/operations/Retention.ts"

const counterOf = (table: FreedTable) =>
  Metric.counter("backlinks_retention_freed_total", {
    description: "Rows that retention freed, by table; of answers, stored texts whose rows stay.",
    attributes: { table },
    incremental: true
  })

const counters = FREED_TABLES.map((table) => ({ table, counter: counterOf(table) }))

/** Exposed from the start, at 0. */
export const retentionCounters: ReadonlyArray<Metric.Counter<number>> = counters.map(({ counter }) => counter)

export const countFreed = (freed: FreedRows): Effect.Effect<void> =>
  Effect.forEach(counters, ({ table, counter }) => Metric.update(counter, freed[table] ?? 0), { discard: true })
