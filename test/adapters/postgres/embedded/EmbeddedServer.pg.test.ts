// The embedded database: created on the first start, kept over restarts and kills of the service and of itself, and used by one
// service at a time.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Redacted, Result, Schedule, Scope } from "effect"
import { expect } from "vitest"
import { type EmbeddedServerError, embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import { findPostmaster } from "#adapters/postgres/embedded/Postmaster.ts"
import { temporaryFolder } from "#test/programs/load/DatabaseServer.ts"
import { execute } from "../TestDatabase.ts"
import { serviceProcess } from "./ServiceProcess.ts"

const postmasterIn = (folder: string) => Effect.promise(() => findPostmaster(join(folder, "postgres")))

/** Killed as soon as it listens. */
const serveAndDie = (folder: string) =>
  Effect.promise(async () => {
    const { kill, ended } = await serviceProcess(folder)
    kill("SIGKILL")
    await ended
  })

const soon = Schedule.spaced("20 millis")

const isAlive = (pid: number) =>
  Effect.sync(() => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  })

/** The database process that holds the lock, once it is another than before. */
const lockHolder = (url: Redacted.Redacted, before?: unknown) =>
  execute(url, "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted").pipe(
    Effect.retry(soon),
    Effect.map(([rows]) => rows?.[0]?.["pid"]),
    Effect.repeat({ until: (pid) => pid !== undefined && pid !== before, schedule: soon }),
    Effect.map(Number)
  )

/** Takes the lock from its holder: queues for it first, and then ends the connection that holds it. */
const takeLock = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const rival = yield* PgConnection.make({ url })
  const holder = yield* lockHolder(url)
  yield* Effect.forkScoped(
    rival.query(
      "SELECT pg_advisory_lock(((classid::int8 << 32) | objid::int8)) FROM pg_locks WHERE locktype = 'advisory'"
    )
  )
  yield* execute(url, "SELECT FROM pg_locks WHERE NOT granted").pipe(
    Effect.repeat({ until: ([rows]) => rows?.length === 1, schedule: soon })
  )
  yield* execute(url, `SELECT pg_terminate_backend(${holder})`)
})

describe("the embedded database", () => {
  it.live("is created once, stops with its service, and keeps its rows over a restart", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.scoped(
        Effect.flatMap(embeddedServer(folder), (url) => execute(url, "CREATE TABLE kept AS SELECT 1 AS one"))
      )
      expect(yield* postmasterIn(folder)).toBeNull()
      const [rows] = yield* Effect.scoped(
        Effect.flatMap(embeddedServer(folder), (url) => execute(url, "SELECT one FROM kept"))
      )
      expect(rows).toEqual([{ one: 1 }])
    }).pipe(Effect.scoped)
  )

  it.live("is created although the first start was killed half way", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const halves = [`postgres.${process.pid}`, "postgres.draft-killed"]
      yield* Effect.promise(async () => {
        for (const half of halves) {
          await mkdir(join(folder, half, "base"), { recursive: true })
          await writeFile(join(folder, half, "PG_VERSION"), "18\n")
        }
      })
      expect(yield* Effect.scoped(Effect.flatMap(embeddedServer(folder), (url) => execute(url, "SELECT")))).toEqual([
        [{}]
      ])
      expect(yield* Effect.promise(() => readdir(folder))).not.toContain("postgres.draft-killed")
    }).pipe(Effect.scoped)
  )

  it.live("is created by one of two concurrent first starts, and the other is refused", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const starts = yield* Effect.all(
        [1, 2].map(() => Effect.result(embeddedServer(folder))),
        { concurrency: 2 }
      )
      const faults = starts.filter(Result.isFailure).map(({ failure }) => failure.reason)
      expect(faults).toEqual([expect.stringContaining(`Another service is running on ${folder}`)])
      expect(yield* Effect.promise(() => readdir(folder))).toEqual(["postgres", "postgres.password"])
    }).pipe(Effect.scoped)
  )

  it.live("serves one service: a second is refused, and the first keeps the database", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const url = yield* embeddedServer(folder)
      const refused = yield* Effect.flip(Effect.scoped(embeddedServer(folder)))
      expect(refused.reason).toContain(`Another service is running on ${folder}`)
      expect(yield* execute(url, "SELECT 1 AS one")).toEqual([[{ one: 1 }]])
    }).pipe(Effect.scoped)
  )

  it.live("is taken over as it runs when its service was killed", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* serveAndDie(folder)
      const left = yield* postmasterIn(folder)
      expect(left).toMatchObject({ ready: true })
      const [accounts] = yield* Effect.scoped(
        Effect.gen(function* () {
          const url = yield* embeddedServer(folder)
          expect(yield* postmasterIn(folder)).toEqual(left)
          return yield* execute(url, "SELECT count(*)::int AS count FROM accounts")
        })
      )
      expect(accounts).toEqual([{ count: 2 }])
      expect(yield* postmasterIn(folder)).toBeNull()
    }).pipe(Effect.scoped)
  )

  for (const [when, moment] of [
    ["has just been killed", () => Effect.void],
    ["has ended by itself", (pid: number) => Effect.repeat(isAlive(pid), { until: (alive) => !alive, schedule: soon })]
  ] as const) {
    it.live(`is not left running by a service that stops when the database ${when}`, () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const exit = yield* Effect.exit(
          Effect.scoped(
            Effect.gen(function* () {
              yield* embeddedServer(folder)
              const running = yield* postmasterIn(folder)
              if (running === null) return yield* Effect.die("there is no database to kill")
              yield* Effect.sync(() => process.kill(running.pid, "SIGKILL"))
              // The running service may have started it again by then, as another process.
              yield* moment(running.pid)
            })
          )
        )
        expect(exit).toEqual(Exit.void)
        expect(yield* postmasterIn(folder)).toBeNull()
      }).pipe(Effect.scoped)
    )
  }

  const victims = [
    ["is killed", (postmaster: number) => postmaster],
    ["has one of its processes killed", (_: number, holder: number) => holder]
  ] as const

  for (const [happens, victim] of victims) {
    it.live(`that ${happens} is started again at the same address with all rows, and still serves one service`, () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const url = yield* embeddedServer(folder)
        yield* execute(url, "CREATE TABLE kept AS SELECT 1 AS one")
        const postmaster = yield* postmasterIn(folder)
        const holder = yield* lockHolder(url)
        yield* Effect.sync(() => process.kill(victim(postmaster?.pid ?? 0, holder), "SIGKILL"))
        yield* lockHolder(url, holder)
        expect(yield* execute(url, "SELECT one FROM kept")).toEqual([[{ one: 1 }]])
        const refused = yield* Effect.flip(Effect.scoped(embeddedServer(folder)))
        expect(refused.reason).toContain(`Another service is running on ${folder}`)
      }).pipe(Effect.scoped)
    )
  }

  it.live("is left to another service that has taken the lock", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const lost = yield* Deferred.make<never, EmbeddedServerError>()
      const service = yield* Scope.make()
      const url = yield* Scope.provide(embeddedServer(folder, lost), service)
      yield* Effect.gen(function* () {
        yield* takeLock(url)
        const { reason } = yield* Effect.flip(Deferred.await(lost))
        expect(reason).toContain(`Another service is running on ${folder}`)
        yield* Scope.close(service, Exit.void)
        expect(yield* execute(url, "SELECT 1 AS one")).toEqual([[{ one: 1 }]])
      }).pipe(Effect.scoped)
      yield* Effect.scoped(embeddedServer(folder))
    }).pipe(Effect.scoped)
  )

  it.live("ends its service with a message and a failure status when it cannot be recovered", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { stderr, ended } = yield* Effect.promise(() => serviceProcess(folder))
      const password = (yield* Effect.promise(() => readFile(join(folder, "postgres.password"), "utf8"))).trim()
      const port = (yield* postmasterIn(folder))?.port
      yield* Effect.gen(function* () {
        yield* takeLock(Redacted.make(`postgres://backlinks:${password}@127.0.0.1:${port}/postgres`))
        expect(yield* Effect.promise(() => ended)).toEqual([1, null])
        const output = yield* Effect.promise(() => stderr)
        expect(output).toContain(`The service stops. Another service is running on ${folder}`)
      }).pipe(Effect.scoped)
      yield* Effect.scoped(embeddedServer(folder))
    }).pipe(Effect.scoped)
  )
})
