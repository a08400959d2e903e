// A span for each statement, where somebody collects them. It tells the statement as it is prepared, never what it is asked with.
import { Effect, Option, References, Tracer } from "effect"

export type WithSpan = <A, E, R>(sql: string, statement: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const unspanned: WithSpan = (_sql, statement) => statement

/** `SELECT`, `BEGIN` and the like. */
const operationOf = (sql: string): string => /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? "SQL"

/**
 * Statements that many callers share are sent by a fiber that outlives the request it was begun by; what it sends afterwards is
 * nobody's, so that no trace goes on for ever.
 */
const isOver = (parent: Tracer.AnySpan): boolean => parent._tag === "Span" && parent.status._tag === "Ended"

const spanned: WithSpan = (sql, statement) =>
  Effect.flatMap(Effect.option(Effect.currentParentSpan), (parent) => {
    const operation = operationOf(sql)
    return Effect.withSpan(statement, `postgresql ${operation}`, {
      kind: "client",
      root: Option.exists(parent, isOver),
      attributes: { "db.system.name": "postgresql", "db.operation.name": operation, "db.query.text": sql }
    })
  })

/** How statements are to be wrapped, decided once: the way of a statement is to cost nothing where nobody looks. */
export const statementSpans: Effect.Effect<WithSpan> = Effect.gen(function* () {
  const enabled = yield* References.TracerEnabled
  const tracer = yield* Tracer.Tracer
  return enabled && tracer !== Tracer.nativeTracer ? spanned : unspanned
})
