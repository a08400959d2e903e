// The database that the service brings along, as most first meet it: made where there is none, kept over restarts and kills, its own
// included, and one service's alone.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Redacted, Result, Schedule, Scope } from "effect"
import { expect } from "vitest"
import { type EmbeddedServerError, embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import { findPostmaster } from "#adapters/postgres/embedded/Postmaster.ts"
import { temporaryFolder } from "#test/load/DatabaseServer.ts"
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

/** Which of the database's processes has the lock, as soon as it is another than before. */
const keeperOf = (url: Redacted.Redacted, before?: unknown) =>
  execute(url, "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted").pipe(
    Effect.retry(soon),
    Effect.map(([rows]) => rows?.[0]?.["pid"]),
    Effect.repeat({ until: (pid) => pid !== undefined && pid !== before, schedule: soon }),
    Effect.map(Number)
  )

/** Takes the lock from whoever has it: waits in line for it first, and then ends the connection that holds it. */
const supplant = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const rival = yield* PgConnection.make({ url })
  const keeper = yield* keeperOf(url)
  yield* Effect.forkScoped(
    rival.query(
      "SELECT pg_advisory_lock(((classid::int8 << 32) | objid::int8)) FROM pg_locks WHERE locktype = 'advisory'"
    )
  )
  yield* execute(url, "SELECT FROM pg_locks WHERE NOT granted").pipe(
    Effect.repeat({ until: ([rows]) => rows?.length === 1, schedule: soon })
  )
  yield* execute(url, `SELECT pg_terminate_backend(${keeper})`)
})

describe("the embedded database", () => {
  it.live("is made once, stops with its service, and still has everything when it is started again", () =>
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

  it.live("is made though a first start was killed half way, by a process of whichever id", () =>
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

  it.live("is made by one of two that start for the first time at the same moment; the other is refused", () =>
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

  it.live("is one service's: a second is refused, and leaves it to the first", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const url = yield* embeddedServer(folder)
      const refused = yield* Effect.flip(Effect.scoped(embeddedServer(folder)))
      expect(refused.reason).toContain(`Another service is running on ${folder}`)
      expect(yield* execute(url, "SELECT 1 AS one")).toEqual([[{ one: 1 }]])
    }).pipe(Effect.scoped)
  )

  it.live("that was left running by a service that was killed is taken over as it is", () =>
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

  it.live("that has gone by itself keeps nobody from stopping, and is not there afterwards", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const exit = yield* Effect.exit(
        Effect.scoped(
          Effect.gen(function* () {
            yield* embeddedServer(folder)
            const running = yield* postmasterIn(folder)
            if (running === null) return yield* Effect.die("there is no database to kill")
            yield* Effect.sync(() => process.kill(running.pid, "SIGKILL"))
            yield* Effect.repeat(postmasterIn(folder), { until: (found) => found === null })
          })
        )
      )
      expect(exit).toEqual(Exit.void)
      expect(yield* postmasterIn(folder)).toBeNull()
    }).pipe(Effect.scoped)
  )

  const victims = [
    ["is killed", (postmaster: number) => postmaster],
    ["has one of its processes killed", (_: number, keeper: number) => keeper]
  ] as const

  for (const [happens, victim] of victims) {
    it.live(`that ${happens} is back at its address with all it had, and still one service's`, () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const url = yield* embeddedServer(folder)
        yield* execute(url, "CREATE TABLE kept AS SELECT 1 AS one")
        const postmaster = yield* postmasterIn(folder)
        const keeper = yield* keeperOf(url)
        yield* Effect.sync(() => process.kill(victim(postmaster?.pid ?? 0, keeper), "SIGKILL"))
        yield* keeperOf(url, keeper)
        expect(yield* execute(url, "SELECT one FROM kept")).toEqual([[{ one: 1 }]])
        const refused = yield* Effect.flip(Effect.scoped(embeddedServer(folder)))
        expect(refused.reason).toContain(`Another service is running on ${folder}`)
      }).pipe(Effect.scoped)
    )
  }

  it.live("that another service has by now is given up, and left to that one", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const lost = yield* Deferred.make<never, EmbeddedServerError>()
      const service = yield* Scope.make()
      const url = yield* Scope.provide(embeddedServer(folder, lost), service)
      yield* Effect.gen(function* () {
        yield* supplant(url)
        const { reason } = yield* Effect.flip(Deferred.await(lost))
        expect(reason).toContain(`Another service is running on ${folder}`)
        yield* Scope.close(service, Exit.void)
        expect(yield* execute(url, "SELECT 1 AS one")).toEqual([[{ one: 1 }]])
      }).pipe(Effect.scoped)
      yield* Effect.scoped(embeddedServer(folder))
    }).pipe(Effect.scoped)
  )

  it.live("that is lost for good ends its service, which says so and does not claim that all went well", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { complaints, ended } = yield* Effect.promise(() => serviceProcess(folder))
      const password = (yield* Effect.promise(() => readFile(join(folder, "postgres.password"), "utf8"))).trim()
      const port = (yield* postmasterIn(folder))?.port
      yield* Effect.gen(function* () {
        yield* supplant(Redacted.make(`postgres://backlinks:${password}@127.0.0.1:${port}/postgres`))
        expect(yield* Effect.promise(() => ended)).toEqual([1, null])
        const said = yield* Effect.promise(() => complaints)
        expect(said).toContain(`The service stops. Another service is running on ${folder}`)
      }).pipe(Effect.scoped)
      yield* Effect.scoped(embeddedServer(folder))
    }).pipe(Effect.scoped)
  )
})
