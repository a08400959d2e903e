// A span per statement if a tracer is configured. It has the text of the prepared statement, never its parameters.
import { Effect, Option, References, Tracer } from "effect"

export type WithSpan = <A, E, R>(sql: string, statement: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const withoutSpan: WithSpan = (_sql, statement) => statement

/** `SELECT`, `BEGIN` and the like. */
const operationOf = (sql: string): string => /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? "SQL"

const hasEnded = (parent: Tracer.AnySpan): boolean => parent._tag === "Span" && parent.status._tag === "Ended"

/** Batches run in a fiber that outlives the request that started it: its later statements are roots, or that trace would never end. */
const withSpan: WithSpan = (sql, statement) =>
  Effect.flatMap(Effect.option(Effect.currentParentSpan), (parent) => {
    const operation = operationOf(sql)
    return Effect.withSpan(statement, `postgresql ${operation}`, {
      kind: "client",
      root: Option.exists(parent, hasEnded),
      attributes: { "db.system.name": "postgresql", "db.operation.name": operation, "db.query.text": sql }
    })
  })

/** Decided once per pool, so that statements cost nothing extra without a tracer. */
export const statementSpans: Effect.Effect<WithSpan> = Effect.gen(function* () {
  const enabled = yield* References.TracerEnabled
  const tracer = yield* Tracer.Tracer
  return enabled && tracer !== Tracer.nativeTracer ? withSpan : withoutSpan
})
