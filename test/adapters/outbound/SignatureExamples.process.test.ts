// The examples of verifying a signature, in the README for receivers and on the page for Python, run as they are against a real delivery. Needs Python: without it the test
// fails.
import { spawnSync } from "node:child_process"
import { createHash, createHmac } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { buyer } from "#test/scenarios/Buyers.ts"
import { blocksOf } from "../ReadmeBlocks.ts"
import { createWebhook, layerRealTime } from "./WebhookService.ts"

/** The only code block of the section. */
const snippet = (page: string, title: string, language: string): string => {
  const found = blocksOf(page, title, language)
  expect(found, `blocks of ${language} in ${page}`).toHaveLength(1)
  return found[0] ?? ""
}

interface Language {
  readonly name: string
  readonly file: string
  readonly caller: string
  readonly command: string
  readonly text: string
  /** Reads `[header, base64 of the body, secret, now]` on standard input, and prints 1 or 0. */
  readonly call: string
}

const languages: ReadonlyArray<Language> = [
  {
    name: "Node",
    file: "verify.mjs",
    caller: "caller.mjs",
    command: process.execPath,
    text: snippet("adapters/outbound/README.md", "Verify a delivery", "js"),
    call: [
      `import { readFileSync } from "node:fs"`,
      `import { isGenuine } from "./verify.mjs"`,
      `const [header, body, ...rest] = JSON.parse(readFileSync(0, "utf8"))`,
      `console.log(isGenuine(header, Buffer.from(body, "base64"), ...rest) ? 1 : 0)`
    ].join("\n")
  },
  {
    name: "Python",
    file: "verify.py",
    caller: "caller.py",
    command: "python3",
    text: snippet("adapters/client/python.md", "From Python", "python"),
    call: [
      "import base64, json, sys",
      "from verify import is_genuine",
      "header, body, *rest = json.load(sys.stdin)",
      "print(1 if is_genuine(header, base64.b64decode(body), *rest) else 0)"
    ].join("\n")
  }
]

const inFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "verify-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const headerFor = (secret: string, time: number, body: Uint8Array): string => {
  const key = createHash("sha256").update(secret).digest("hex")
  return `t=${time},v1=${createHmac("sha256", key).update(`${time}.`).update(body).digest("hex")}`
}

type Asked = readonly [header: string, body: Buffer, secret: string, nowSeconds?: number]

layer(layerRealTime, { excludeTestServices: true })("the documented signature check", (it) => {
  it.effect.each(languages)("in $name accepts a real delivery and rejects a tampered one", (language) =>
    Effect.gen(function* () {
      const folder = yield* inFolder
      writeFileSync(join(folder, language.file), language.text)
      writeFileSync(join(folder, language.caller), language.call)
      const isGenuine = ([header, body, ...rest]: Asked): boolean => {
        const input = JSON.stringify([header, body.toString("base64"), ...rest])
        const ran = spawnSync(language.command, [join(folder, language.caller)], { input, encoding: "utf8" })
        expect([ran.error, ran.stderr]).toEqual([undefined, ""])
        expect(ran.stdout).toMatch(/^[01]\n$/)
        return ran.stdout === "1\n"
      }

      const who = yield* buyer()
      const own = yield* createWebhook(who)
      const { secret } = yield* who.api.deliveries.rotateSecret({ params: { id: own.id } })
      yield* who.api.deliveries.testWebhook({ params: { id: own.id } })
      const { headers, body } = yield* own.next
      const header = String(headers["service-signature"])
      const t = Number(/^t=(\d+),/.exec(header)?.[1])
      const text = Buffer.from('{"anchor":"clé 🔑 日本"}')
      const genuine: ReadonlyArray<Asked> = [
        [header, body, secret],
        [header, body, own.secret],
        [header, body, secret, t + 300],
        [headerFor(secret, t, text), text, secret, t - 300]
      ]
      expect(genuine.map(isGenuine)).toEqual(genuine.map(() => true))

      const changed = Buffer.from(body)
      changed[changed.length - 2] = 0x20
      const tampered: ReadonlyArray<Asked> = [
        [header, body, "whsec_another"],
        [header, changed, secret],
        [header, body, secret, t + 301],
        [header, body, secret, t - 301],
        [header.replace(/^t=\d+/, `t=${t + 1}`), body, secret],
        [header.replace(/^t=\d+/, `t=${"9".repeat(5_000)}`), body, secret],
        [header.replace(/,v1=\w+/g, ""), body, secret],
        [header.replace(/v1=/g, "v0="), body, secret],
        [header.replace(/v1=\w+/g, "v1=é"), body, secret],
        ["", body, secret]
      ]
      expect(tampered.map(isGenuine)).toEqual(tampered.map(() => false))
    })
  )
})
