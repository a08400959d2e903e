// Reads the project from disk for the architecture test.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { rooms } from "./ImportTable.ts"
import type { Named } from "./ReadmeRule.ts"
import { matches, type Room } from "./Room.ts"
import { parse, type Source } from "./Source.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** A line of .gitignore as a pattern over a file's or folder's own name; other forms of git are not supported. */
const ignoredName = (line: string): string => {
  const [, name] = /^([\w.*-]+)\/?$/.exec(line) ?? []
  if (name === undefined) throw new Error(`.gitignore: the architecture test cannot read "${line}"`)
  return name
}

const ignored: ReadonlyArray<string> = [
  ".git",
  ...readFileSync(`${root}.gitignore`, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(ignoredName)
]

const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`
    if (ignored.some((pattern) => matches(pattern, entry.name))) return []
    if (entry.isDirectory()) return filesUnder(path)
    return entry.isFile() ? [path] : []
  })

/** Every text file that belongs to the project, by its path from the root. */
export const projectTexts = (): ReadonlyArray<{ readonly file: string; readonly text: string }> =>
  filesUnder("")
    .map((file) => ({ file, text: readFileSync(`${root}${file}`, "utf8") }))
    .filter(({ text }) => !text.includes("\0"))

/** What pages of the project may name. */
export const projectNames = (): Named => ({
  files: filesUnder(""),
  exists: (path) => existsSync(`${root}${path}`),
  scripts: new Set(Object.keys(JSON.parse(readFileSync(`${root}package.json`, "utf8")).scripts))
})

/** Every file of code, parsed. */
export const projectSources = (): ReadonlyArray<Source> =>
  ["core", "adapters", "bench", "test"]
    .filter((folder) => existsSync(`${root}${folder}`))
    .flatMap(filesUnder)
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .map((file) => parse(file, readFileSync(`${root}${file}`, "utf8")))

/** Rooms with a file in their folder. A clone has no empty folders. */
export const nonEmptyRooms = (): ReadonlyArray<Room> =>
  rooms.filter(({ folder, shallow }) => {
    if (!existsSync(`${root}${folder}`)) return false
    const entries = readdirSync(`${root}${folder}`, { withFileTypes: true })
    return entries.some((entry) => shallow !== true || entry.isFile())
  })
