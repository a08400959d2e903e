// The client as its users have it: packed, installed from the tarball into an empty project, checked by a strict compiler for Node and for
// browsers, and run with the Node that the machine itself has, which may be an old one. It plays the stories of its README against a
// service with demo data.
import { execFileSync, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect, it } from "vitest"
import clientPackage from "#adapters/client/package.json" with { type: "json" }
import contract from "#adapters/contract/openapi.json" with { type: "json" }
import * as TestService from "#test/scenarios/RunningService.ts"
import { blocksOf } from "../ReadmeBlocks.ts"

const ROOT = fileURLToPath(new URL("../../../", import.meta.url))
const PAGE = "adapters/client/README.md"

/** The programs of the machine, without those that the project brings. */
const MACHINE_PATH = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter)

const run = (cwd: string, command: string, ...words: ReadonlyArray<string>): string => {
  const env = { ...process.env, PATH: MACHINE_PATH }
  return execFileSync(command, words, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
}

/** The only block of a section, as a program for this service, which asks again after 0.3 s in place of 30. */
const programOf = (title: string, url: string): string => {
  const blocks = blocksOf(PAGE, title, "ts")
  expect(blocks, title).toHaveLength(1)
  return blocks.join("").replaceAll("http://127.0.0.1:3000", url).replace("30_000", "300")
}

const STORIES = { purchase: "A purchase", payment: "A link for a human to pay", webhooks: "Webhooks" }

const strict = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false
}
const compilerOptions = {
  node: { ...strict, lib: ["es2022"], types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")] },
  browser: { ...strict, lib: ["es2022", "dom"], types: [], noEmit: true }
}

/** A project with the client from its tarball and the stories, compiled. The packing sees a copy of the files that it needs. */
const project = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "package-"))
      const user = join(folder, "user")
      for (const path of [PAGE, "LICENSE", "adapters/contract/openapi.json", "adapters/client"]) {
        cpSync(join(ROOT, path), join(folder, path), { recursive: true })
      }
      symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
      mkdirSync(user)
      run(join(folder, "adapters/client"), "npm", "pack", "--silent", "--pack-destination", user)
      const [tarball = ""] = readdirSync(user)
      writeFileSync(join(user, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }))
      run(user, "npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", `./${tarball}`)
      for (const [name, title] of Object.entries(STORIES))
        writeFileSync(join(user, `${name}.ts`), programOf(title, url))
      return { folder, user, tarball }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** The lines that a story prints, in order; `heard` is told of each as it comes. */
const play = async (user: string, story: string, heard: (line: string) => Promise<void>) => {
  const env = { ...process.env, PATH: MACHINE_PATH }
  const program = spawn("node", [`${story}.js`], { cwd: user, env, stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise((resolve) => void program.once("close", resolve))
  const lines: Array<string> = []
  for await (const line of createInterface(program.stdout)) {
    lines.push(line)
    await heard(line)
  }
  expect(await ended).toBe(0)
  return lines
}

const nothing = () => Promise.resolve()

/** Presses the button of the payment page. */
const pay = async (paymentUrl: string): Promise<void> => {
  const headers = { "sec-fetch-site": "same-origin" }
  expect((await fetch(`${paymentUrl}/pay`, { method: "POST", headers })).ok).toBe(true)
}

const typesIn = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => /\.(?:js|d\.ts)$/.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n")

layer(TestService.layer({ DEMO: "on", WELCOME_OFFER_PERCENT: "20" }), { excludeTestServices: true })(
  "the packed client",
  (it) => {
    it.effect("is installed from its tarball, satisfies a strict compiler, and plays the stories of its README", () =>
      Effect.gen(function* () {
        const { url } = yield* TestService.RunningService
        const { user, tarball } = yield* project(url)
        expect(tarball).toBe(`${clientPackage.name}-${clientPackage.version}.tgz`)
        for (const [kind, options] of Object.entries(compilerOptions)) {
          writeFileSync(join(user, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }))
          expect([kind, run(user, join(ROOT, "node_modules/.bin/tsc"), "--project", ".")]).toEqual([kind, ""])
        }
        const installed = join(user, "node_modules", clientPackage.name)
        expect(readdirSync(installed).toSorted()).toEqual(["README.md", "dist", "package.json"])
        expect(readdirSync(join(user, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
          clientPackage.name
        ])
        expect(typesIn(join(installed, "dist"))).not.toMatch(/from "(?!\.\/\w+\.js")/)

        const bought = yield* Effect.promise(() => play(user, "purchase", nothing))
        expect(bought.slice(0, 3).every((line) => / 15$/.test(line))).toBe(true)
        expect(bought[3]).toMatch(/ is placed: 1 link for 12\.00 EUR/)
        expect(bought.slice(4)).toEqual([expect.stringMatching(/ to_assign$/)])
        // The key of the story makes a second run a replay.
        expect(yield* Effect.promise(() => play(user, "purchase", nothing))).toEqual(bought)

        const paid = yield* Effect.promise(() =>
          play(user, "payment", async (line) => {
            const [, link] = /^to pay: (\S+)$/.exec(line) ?? []
            if (link !== undefined) await pay(link)
          })
        )
        expect(paid.slice(2)).toEqual(["the quote is paid", expect.stringMatching(/^The link is due by /)])
      })
    )
  }
)

it("has the version of the document that it is made from", () => {
  expect(clientPackage.version).toBe(contract.info.version)
})
