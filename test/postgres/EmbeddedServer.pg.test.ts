// The database that the service brings along, as most first meet it: made where there is none, kept over restarts and kills, and
// one service's alone.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { expect } from "vitest"
import { embeddedServer } from "#adapters/postgres/EmbeddedServer.ts"
import { findPostmaster } from "#adapters/postgres/Postmaster.ts"
import { temporaryFolder } from "#test/load/DatabaseServer.ts"
import { execute } from "./Server.ts"

const postmasterIn = (folder: string) => Effect.promise(() => findPostmaster(join(folder, "postgres")))

/** A service of its own process on the folder, killed without a word as soon as it listens. */
const serveAndDie = (folder: string) =>
  Effect.promise(async () => {
    const { NODE_ENV: _, DATABASE_URL: __, ...env } = process.env
    const settings = { STORE: "embedded", DATA_DIR: folder, PORT: "0" }
    const service = spawn(process.execPath, ["adapters/main.ts"], { env: { ...env, ...settings } })
    const closed = once(service, "exit")
    for await (const line of createInterface(service.stdout)) if (line.startsWith("listening on ")) break
    service.kill("SIGKILL")
    await closed
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

  it.live("that has gone by itself keeps nobody from stopping", () =>
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
    }).pipe(Effect.scoped)
  )
})
