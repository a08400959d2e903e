// The backup of an embedded store, by the programs themselves and as the operator's manual has it: back up, restore into another data
// directory, copy the encryption key, start, reconcile. And what a full disk leaves.
import { spawn } from "node:child_process"
import { copyFile, mkdir, readdir } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { receiver, signaturesMadeWith } from "#test/adapters/outbound/Receiver.ts"
import { compileCache } from "#test/CompileCache.ts"
import { temporaryFolder } from "#test/programs/load/DatabaseServer.ts"
import { serviceProcess } from "../embedded/ServiceProcess.ts"

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

/** `npm run operator`, by a shell after the limit. */
const operator = (env: Readonly<Record<string, string>>, args: ReadonlyArray<string>, limit = ":") =>
  Effect.promise(async () => {
    const line = `${limit} && exec "$0" adapters/operatorMain.ts "$@"`
    const { PATH = "" } = process.env
    const child = spawn("sh", ["-c", line, process.execPath, ...args], {
      env: { ...compileCache, PATH, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const status = new Promise((resolve) => child.once("close", resolve))
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { status: await status, out, err }
  })

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

const ENCRYPTION_KEY_FILE = "encryption.key"

describe("the backup of an embedded store", () => {
  it.live("restored into another directory is the same shop, and a full disk leaves no file", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [data, restored, backups] = [join(folder, "data"), join(folder, "restored"), join(folder, "backups")]
      yield* Effect.promise(() => mkdir(backups))
      const file = join(backups, "shop.backup")
      const hook = yield* receiver()
      const before = yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* started(data)
          const created = yield* post(url, "webhooks", { url: hook.url, events: ["order.accepted"] })
          const first = yield* order(url, "first")
          expect(first).toMatchObject({ status: 201, text: expect.stringContaining('"status":"paid"') })
          yield* hook.next
          const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN }
          // A limit on the size of files, in blocks of 512 bytes or 1 KiB, refuses the write as a full disk does.
          const full = yield* operator(env, ["backup", file], "ulimit -f 2")
          expect(full).toMatchObject({ status: 1, out: "" })
          expect(full.err).toContain(`The backup could not be written to ${file}, and no part of it was kept`)
          expect(yield* Effect.promise(() => readdir(backups))).toEqual([])
          expect(yield* operator(env, ["backup", file])).toMatchObject({
            status: 0,
            err: expect.stringContaining(ENCRYPTION_KEY_FILE)
          })
          expect((yield* order(url, "after-the-backup")).status).toBe(201)
          return { first, secret: secretIn(created.text).secret }
        })
      )
      expect(yield* operator({ STORE: "embedded", DATA_DIR: restored }, ["restore", file])).toMatchObject({ status: 0 })
      yield* Effect.promise(() => copyFile(join(data, ENCRYPTION_KEY_FILE), join(restored, ENCRYPTION_KEY_FILE)))
      const { url } = yield* started(restored)
      expect(yield* order(url, "first")).toEqual(before.first)
      const received = hook.received.length
      expect((yield* order(url, "after-the-restore")).status).toBe(201)
      const told = yield* Effect.repeat(hook.next, { until: () => hook.received.length > received })
      expect(signaturesMadeWith(before.secret, told)).toEqual([0])
      const reconciled = yield* operator({ OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN }, ["reconcile"])
      expect(reconciled).toMatchObject({ status: 0, out: expect.stringContaining("All of it agrees.") })
    }).pipe(Effect.scoped)
  )
})
