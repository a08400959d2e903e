// Clients that generators of npm make from the served document, each as it is without a workaround: `tsc --strict` takes them, and each buys a
// link and reads the facts of a refusal by its code. Spectral finds nothing in the document. `npx` installs these programs: nothing else here
// needs them.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { buyer } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"

const HEAD = `declare const process: { readonly env: Readonly<Record<string, string | undefined>> }
const { SITE, BASE = "", KEY } = process.env
const headers = { Authorization: \`Bearer \${KEY}\` }
const item = (site_id: number) => ({
  site_id,
  target_url: "https://brand.example/spring",
  anchor_text: "spring garden tools",
  anchor_type: "partial" as const
})
`

const TOLD = `if (bought.next_action.type === "open_payment_url") throw new Error(bought.next_action.url)
if (refusal.code !== "site_not_found") throw new Error(refusal.code)
const unknown: number = refusal.details.site_id
console.log(JSON.stringify({ status: bought.status, order: bought.order_id, unknown }))
`

interface Generator {
  readonly packages: ReadonlyArray<string>
  readonly command: ReadonlyArray<string>
  /** The program that buys with what it made. */
  readonly program: string
}

const GENERATORS: Readonly<Record<string, Generator>> = {
  "openapi-typescript": {
    packages: ["openapi-typescript@7.13.0"],
    command: ["openapi-typescript", "openapi.json", "--output", "client-ot.ts"],
    program: `import type { paths } from "./client-ot"
${HEAD}type Order = paths["/api/v1/agent/orders"]["post"]
type Body = Order["requestBody"]["content"]["application/json"]
const send = async (body: Body) =>
  (await fetch(\`\${BASE}/api/v1/agent/orders\`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body)
  })).json()
const bought: Order["responses"][201]["content"]["application/json"] = await send({ items: [item(Number(SITE))] })
const refused: Order["responses"][404]["content"]["application/json"] = await send({ items: [item(999_999)] })
const refusal = refused.error
${TOLD}`
  },
  "@hey-api/openapi-ts": {
    packages: ["@hey-api/openapi-ts@0.99.0", "typescript@5.9.3"],
    command: ["openapi-ts", "--input", "openapi.json", "--output", "client-hey"],
    program: `import { createOrder } from "./client-hey"
import { client } from "./client-hey/client.gen"
${HEAD}client.setConfig({ baseUrl: BASE, headers })
const { data: bought } = await createOrder({ body: { items: [item(Number(SITE))] }, throwOnError: true })
const { error: refused } = await createOrder({ body: { items: [item(999_999)] } })
if (refused === undefined) throw new Error("not refused")
const refusal = refused.error
${TOLD}`
  },
  // The client by fetch is one of those that it makes; the one unless told wants axios besides.
  orval: {
    packages: ["orval@8.38.0"],
    command: ["orval", "--input", "openapi.json", "--output", "client-orval.ts", "--client", "fetch"],
    program: `import { createOrder } from "./client-orval"
${HEAD}const { fetch: direct } = globalThis
globalThis.fetch = (path, init) => direct(\`\${BASE}\${path}\`, init)
const placed = await createOrder({ items: [item(Number(SITE))] }, { headers })
const answer = await createOrder({ items: [item(999_999)] }, { headers })
if (placed.status !== 201 || answer.status !== 404) throw new Error(\`\${placed.status} \${answer.status}\`)
const [bought, refusal] = [placed.data, answer.data.error]
${TOLD}`
  }
}

const SPECTRAL = "@stoplight/spectral-cli@6.16.3"

const LINT = ["spectral", "lint", "openapi.json", "--ruleset", "rules.yaml", "--fail-severity", "hint"]

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))

const STRICT = [
  ...["--strict", "--noEmit", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"],
  ...["--lib", "es2023,dom,dom.iterable", "--types", ""]
]

/** What the program writes; fails with it where the program does. */
const run = (cwd: string, command: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve, reject) => {
        const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1e7 }
        execFile(command, args, options, (error, out, faults) =>
          error === null ? resolve(out) : reject(new Error(`${command} ${args.join(" ")}: ${out}${faults}`))
        )
      })
  )

const npx = (cwd: string, packages: ReadonlyArray<string>, command: ReadonlyArray<string>) =>
  run(cwd, "npx", ["-y", ...packages.flatMap((one) => ["-p", one]), "--", ...command])

const own = (program: string): string => join(ROOT, "node_modules/.bin", program)

/** A folder with the document as it is served. */
const folderWithDocument = Effect.gen(function* () {
  const { url } = yield* RunningService
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "generated-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true }))
  )
  const text = yield* Effect.promise(async () => (await fetch(`${url}/openapi.json`)).text())
  writeFileSync(join(folder, "openapi.json"), text)
  return folder
})

layer(shop(), { excludeTestServices: true })("made from the served document", (it) => {
  for (const [name, { packages, command, program }] of Object.entries(GENERATORS)) {
    it.effect(`a client by ${name} is sound by its types, buys, and knows a refusal`, () =>
      Effect.gen(function* () {
        const { url } = yield* RunningService
        const { siteId } = yield* listSite()
        const { key } = yield* buyer({ creditCents: 10_000 })
        const folder = yield* folderWithDocument
        yield* npx(folder, packages, command)
        writeFileSync(join(folder, "buy.ts"), program)
        writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
        yield* run(folder, own("tsc"), [...STRICT, "buy.ts"])
        const told = yield* run(folder, own("tsx"), ["buy.ts"], { BASE: url, KEY: key, SITE: String(siteId) })
        expect(JSON.parse(told)).toEqual({ status: "paid", order: expect.stringMatching(/^ord_/), unknown: 999_999 })
      })
    )
  }

  it.effect("Spectral has no errors, warnings or hints", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithDocument
      writeFileSync(join(folder, "rules.yaml"), 'extends: ["spectral:oas"]\n')
      expect(yield* npx(folder, [SPECTRAL], LINT)).toContain("No results with a severity of 'hint' or higher found!")
    })
  )
})
