// Owns the rule that no file tells where on somebody's machine it was written: such a path works nowhere else.
// It reads plain text, so that scripts, documents and the lock file are covered as well as code.

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
