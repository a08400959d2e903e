// The rule that no file contains a path of the machine that it was written on. It reads plain text, so that it covers scripts,
// documents and the lock file.

import type { Violation } from "./Source.ts"

/** Written in parts, or this file would break its own rule. */
const machineFolders = [
  ["", "work", ""],
  ["", "root", ""],
  ["", "home", ""],
  ["", "Users", ""]
].map((parts) => parts.join("/"))

/** A path, not the tail of a longer one (`docs/work/`, `example.com/home/`). */
const machinePath = new RegExp(`(?<![\\w.)\\]}-])(?:${machineFolders.join("|")})`)

export const machinePathRule = (file: string, text: string): ReadonlyArray<Violation> =>
  text.split("\n").flatMap((line, index) => {
    const [path] = machinePath.exec(line) ?? []
    return path === undefined ? [] : [{ file, line: index + 1, message: `names ${path}…, a folder of one machine` }]
  })
