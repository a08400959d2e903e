// The drill of the manual, pasted into a shell block by block: back up, restore into another store, start what was restored, reconcile.
// A full disk leaves no half of a backup.
import { spawn } from "node:child_process"
import { readdir, readFile, symlink } from "node:fs/promises"
import { basename, join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { expect } from "vitest"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { freePort } from "#adapters/postgres/embedded/Postmaster.ts"
import { TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { receiver, signaturesMadeWith } from "#test/adapters/outbound/Receiver.ts"
import { blocksOf } from "#test/adapters/ReadmeBlocks.ts"
import { compileCache } from "#test/CompileCache.ts"
import { temporaryFolder } from "#test/programs/load/DatabaseServer.ts"
import { serviceProcess } from "../embedded/ServiceProcess.ts"
import { freshDatabase } from "../TestDatabase.ts"

const KEY = demoKeys[0]?.text ?? ""

const SETTINGS = { OPERATOR_TOKEN: TOKEN, WEBHOOK_INSECURE_TARGETS: "true" }

/** A running service on the directory, stopped when the scope ends. */
const started = (dataDir: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const service = await serviceProcess(dataDir, undefined, SETTINGS)
      const url = service.announced.find((line) => line.startsWith("listening on "))?.slice("listening on ".length)
      if (url === undefined) throw new Error(await service.stderr)
      return { ...service, url }
    }),
    ({ kill, ended }) =>
      Effect.promise(async () => {
        kill("SIGTERM")
        await ended
      })
  )

/** A folder that npm takes for the project: the drill's relative paths lie in it. */
const projectFolder = Effect.tap(temporaryFolder, (folder) =>
  Effect.promise(async () => {
    for (const name of ["package.json", "adapters", "core", "node_modules"])
      await symlink(fileURLToPath(new URL(`../../../../${name}`, import.meta.url)), join(folder, name))
  })
)

const { PATH = "" } = process.env

/** A block of the manual in a shell, as pasted, with other addresses. What it starts ends with its process group. */
const paste = (cwd: string, block: string, env: Readonly<Record<string, string>>) => {
  const options = { cwd, env: { ...compileCache, PATH, ...env }, detached: true } as const
  const child = spawn("bash", ["-euo", "pipefail", "-c", block], { ...options, stdio: ["ignore", "pipe", "pipe"] })
  const status = new Promise((resolve) => child.once("close", resolve))
  const [out, err] = [text(child.stdout), text(child.stderr)]
  const restored = new Promise<string>((resolve) => {
    child.stderr.on("data", (chunk) => /npm start/.test(String(chunk)) && resolve(String(chunk)))
  })
  return { child, restored, ended: async () => ({ status: await status, out: await out, err: await err }) }
}

const pasted = (...block: Parameters<typeof paste>) => Effect.promise(() => paste(...block).ended())

/** The same for a block that starts a service, once it listens at the port, until the scope ends. */
const served = (port: number, ...block: Parameters<typeof paste>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { child, restored, ended } = paste(...block)
      const stopped = ended()
      const listens = async (): Promise<boolean> =>
        (await Promise.race([stopped, fetch(`http://127.0.0.1:${port}/readyz`).catch(() => sleep(100))])) instanceof
          Response ||
        (child.exitCode === null && listens())
      if (!(await listens())) throw new Error(JSON.stringify(await stopped))
      return { pid: child.pid ?? 0, stopped, said: await restored }
    }),
    ({ pid, stopped }) =>
      Effect.promise(async () => {
        process.kill(-pid, "SIGTERM")
        await stopped
      })
  )

const MANUAL = "adapters/backup/README.md"

/** The one block of the drill that has this text, at another port and database. */
const blockWith = (part: string, port: number, databaseUrl = ""): string => {
  const blocks = [...blocksOf(MANUAL, "Back up and restore", "sh"), ...blocksOf(MANUAL, "Restore", "sh")]
  const found = blocks.filter((block) => block.includes(part))
  expect(found).toHaveLength(1)
  return (found[0] ?? "")
    .replaceAll("3001", String(port))
    .replaceAll("postgres://shop:…@db.internal/shop_restored", databaseUrl)
}

const answerOf = async (response: Response) => ({ status: response.status, text: await response.text() })

const post = (url: string, path: string, body: unknown, idempotencyKey = "") =>
  Effect.promise(() =>
    fetch(`${url}/api/v1/agent/${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${KEY}`,
        "content-type": "application/json",
        ...(idempotencyKey === "" ? {} : { "idempotency-key": idempotencyKey })
      },
      body: JSON.stringify(body)
    }).then(answerOf)
  )

const order = (url: string, idempotencyKey: string) => {
  const item = { site_id: 1, target_url: "https://brand.example/page", anchor_text: "a page", anchor_type: "partial" }
  return post(url, "orders", { items: [item] }, idempotencyKey)
}

const secretIn = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ secret: Schema.String })))

/** npm writes a log, which a full disk refuses as well. */
const withoutNpm = (block: string): string =>
  block.replace("npm run operator --", `${process.execPath} adapters/operatorMain.ts`)

const AGREES = { status: 0, out: expect.stringContaining("All of it agrees.") }

describe("the drill of the manual, as written", () => {
  it.live("restores beside the shop that runs, into both kinds of store, and a full disk leaves no file", () =>
    Effect.gen(function* () {
      const folder = yield* projectFolder
      const file = join(folder, "shop-2026-11-23.backup")
      const hook = yield* receiver()
      const { url } = yield* started(join(folder, ".data"))
      const env = { ...SETTINGS, OPERATOR_URL: url }
      const created = yield* post(url, "webhooks", { url: hook.url, events: ["order.accepted"] })
      const { secret } = secretIn(created.text)
      const first = yield* order(url, "first")
      expect(first).toMatchObject({ status: 201, text: expect.stringContaining('"status":"paid"') })
      yield* hook.next
      // A limit on the size of files, in blocks of 512 bytes or 1 KiB, refuses the write as a full disk does.
      const backUp = blockWith("operator -- backup", 0)
      const full = yield* pasted(folder, `ulimit -f 2\n${withoutNpm(backUp)}`, env)
      expect(full).toMatchObject({ status: 1, out: "" })
      expect(full.err).toContain(`The backup could not be written to ${basename(file)}, and no part of it was kept`)
      expect(yield* Effect.promise(() => readdir(folder))).not.toContain(basename(file))
      expect(yield* pasted(folder, backUp, env)).toMatchObject({
        status: 0,
        err: expect.stringContaining("encryption.key")
      })
      expect((yield* order(url, "after-the-backup")).status).toBe(201)

      const port = yield* Effect.promise(freePort)
      const { said } = yield* served(port, folder, blockWith("DATA_DIR=", port), SETTINGS)
      expect(said).toContain(`copy it to ${join(folder, "restored", "encryption.key")}`)
      expect(said).toContain(`  DATA_DIR=${join(folder, "restored")} npm start`)
      const restored = `http://127.0.0.1:${port}`
      expect(yield* pasted(folder, blockWith("reconcile", port), SETTINGS)).toMatchObject(AGREES)
      expect(yield* order(restored, "first")).toEqual(first)
      const received = hook.received.length
      expect((yield* order(restored, "after-the-backup")).text).not.toBe((yield* order(url, "after-the-backup")).text)
      const told = yield* Effect.repeat(hook.next, { until: () => hook.received.length > received })
      expect(signaturesMadeWith(secret, told)).toEqual([0])

      const database = Redacted.value(yield* freshDatabase)
      const key = yield* Effect.promise(() => readFile(join(folder, ".data", "encryption.key"), "utf8"))
      const elsewhere = { ...SETTINGS, PAYMENTS: "simulated", ENCRYPTION_KEY: key.trim() }
      const other = yield* Effect.promise(freePort)
      const startedElsewhere = yield* served(other, folder, blockWith("DATABASE_URL=", other, database), elsewhere)
      expect(startedElsewhere.said).toContain(`  DATABASE_URL=${database.replace(/:[^:@]+@/, ":PASSWORD@")} npm start`)
      expect(startedElsewhere.said).not.toContain("ENCRYPTION_KEY of that time")
      expect(yield* pasted(folder, blockWith("reconcile", other), SETTINGS)).toMatchObject(AGREES)
    }).pipe(Effect.scoped)
  )
})
