// Registrations of clients without end, and none that a person consents to: how fast they are kept, and how many rows are left.
import { parseArgs } from "node:util"
import { Console, Effect, Layer, Logger } from "effect"
import { embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { MAX_UNUSED, type OAuthArtifact, UNUSED_REGISTRATION_MS } from "#core/domain/access/OAuthArtifact.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { wholeNumber } from "#test/CommandLineNumber.ts"
import { temporaryFolder } from "./DatabaseServer.ts"
import { type Load, monotonicMs } from "./Load.ts"

const COUNT = 100_000

const AT_ONCE = 32

const countFrom = (args: ReadonlyArray<string>) =>
  Effect.try({
    try: () => {
      const { values } = parseArgs({ args: [...args], options: { count: { type: "string" } } })
      return wholeNumber(values.count, "count", { unless: COUNT, least: 1 })
    },
    catch: (error) => `${String(error)}\nOptions: --count ${COUNT}`
  })

/** A registration as large as one with a name and three addresses. */
const registration = (number: number): OAuthArtifact => ({
  kind: "Client",
  hash: `hash${number}`,
  grantHash: null,
  clientHash: null,
  payload: "x".repeat(500),
  createdAtMs: number,
  expiresAtMs: number + UNUSED_REGISTRATION_MS,
  consumedAtMs: null,
  successor: null,
  requester: null,
  unused: true,
  access: null
})

const store = Layer.unwrap(
  Effect.gen(function* () {
    return PostgresStore.layer({ url: yield* embeddedServer(yield* temporaryFolder), connections: 10 })
  })
).pipe(Layer.provideMerge(Logger.layer([])))

const measure = Effect.fnUntraced(function* (count: number) {
  const { upsertUnused, prune } = yield* Grants
  const times: Array<number> = []
  const keep = Effect.fnUntraced(function* (number: number) {
    const before = monotonicMs()
    yield* upsertUnused(registration(number), MAX_UNUSED)
    times.push(monotonicMs() - before)
  })
  const startMs = monotonicMs()
  yield* Effect.forEach(
    Array.from({ length: count }, (_, number) => number),
    keep,
    { concurrency: AT_ONCE, discard: true }
  )
  const perSecond = (count * 1_000) / (monotonicMs() - startMs)
  times.sort((a, b) => a - b)
  const at = (share: number): number => Number((times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1))
  return { rows: yield* prune(count), perSecond, p50: at(0.5), p99: at(0.99) }
})

export const load: Load = Effect.fnUntraced(function* (args) {
  const count = yield* countFrom(args)
  const { rows, perSecond, p50, p99 } = yield* Effect.provide(measure(count), store)
  yield* Console.log(`${count} registrations at ${perSecond.toFixed(0)}/s leave ${rows} rows`)
  const most = Math.min(count, MAX_UNUSED)
  return {
    summary: {
      name: "registrations",
      per_second: Math.round(perSecond),
      p50_ms: p50,
      p99_ms: p99,
      ratios: { rows_to_bound: Number((rows / most).toFixed(3)) }
    },
    // The oldest hundredth may have made room already, and each call at the end may have kept one more.
    missed:
      rows >= 0.99 * most && rows <= most + AT_ONCE ? [] : [`${rows} rows are left of ${count}, not about ${most}`]
  }
})
