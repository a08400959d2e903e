// The list of scenarios in the README names files that exist, and every suite of this folder.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const FOLDER = new URL("./", import.meta.url)

const readme = readFileSync(new URL("README.md", FOLDER), "utf8")

const [, ...rows] = readme.split("\n").filter((line) => line.startsWith("| "))
const named = rows.flatMap((row) =>
  [...(row.split("|").at(-2) ?? "").matchAll(/`([\w./]+\.ts)`/g)].map(([, file]) => file ?? "")
)

it.each([...new Set(named)])("names %s, which exists", (file) => {
  expect(existsSync(new URL(file.includes("/") ? `../${file}` : file, FOLDER))).toBe(true)
})

it("names every suite", () => {
  const suites = readdirSync(FOLDER).filter((file) => file.endsWith(".suite.ts"))
  expect(suites.filter((file) => !named.includes(file))).toEqual([])
})
