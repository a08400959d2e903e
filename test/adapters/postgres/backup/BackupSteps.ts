// Steps of backup tests: a service with an operator plane on a database, and the two commands.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { runCommandIn } from "#test/adapters/cli/RunCommand.ts"
import { TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { ENCRYPTION_KEY } from "#test/adapters/postgres/upgrade/Step048.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { databaseDump } from "../DatabaseDump.ts"
import { serviceOn } from "../ServiceOnPostgres.ts"

export const FULFILMENT_TOKEN = "token-of-ben-0123456789"

export const backedUpService = (url: Redacted.Redacted) =>
  serviceOn(url, {
    RATE_LIMIT_READS: "0",
    RATE_LIMIT_ORDERS: "0",
    DAILY_ORDER_CAP: "0",
    SWEEP_INTERVAL: "1 hour",
    PAYMENTS: "simulated",
    WEBHOOK_INSECURE_TARGETS: "true",
    OPERATOR_TOKEN: TOKEN,
    OPERATOR_TOKENS: `ben:fulfilment:${FULFILMENT_TOKEN}`,
    ENCRYPTION_KEY
  })

/** A directory of the test's own. */
export const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "backlinks-backup-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** `operator backup FILE` against the running service. */
export const backUp = Effect.fnUntraced(function* (file: string, token = TOKEN) {
  const { url } = yield* RunningService
  return yield* runCommandIn({ env: { OPERATOR_URL: url, OPERATOR_TOKEN: token } }, ["backup", file])
})

export const backedUp = Effect.fnUntraced(function* (file: string) {
  const { status, err } = yield* backUp(file)
  expect(status, err).toBe(0)
})

/** `operator restore FILE` on a database. */
export const restoreInto = (url: Redacted.Redacted, file: string) =>
  runCommandIn({ env: { DATABASE_URL: Redacted.value(url) } }, ["restore", file])

/** The rows of each table, in any order, without what the database knows of its schema. */
export const rowsIn = (url: Redacted.Redacted) =>
  Effect.map(databaseDump(url), (tables) =>
    tables
      .filter(([name]) => !name.startsWith("schema_"))
      .map(([name, text]) => [name, text.split("\n").toSorted()] as const)
  )
