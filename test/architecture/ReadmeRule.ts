// The rules on Markdown: a page is short, and what it names exists.

import { posix } from "node:path"
import type { Violation } from "./Source.ts"

export const longestPage = 150

/** Pages that are longer, each for a reason. */
const longPages = new Set([
  // One rule a line, which clients and tests look up; cut into pages, a search in the browser would miss half.
  "adapters/contract/README.md",
  // A table whose rows a test compares with the suites of its folder.
  "test/scenarios/README.md"
])

/** What pages may name. */
export interface Named {
  /** Every file of the project, by its path from the root. */
  readonly files: ReadonlyArray<string>
  /** Whether there is a file or folder, pictures included. */
  readonly exists: (path: string) => boolean
  /** The scripts of `package.json`. */
  readonly scripts: ReadonlySet<string>
}

const linkTargets = /\]\((?!https?:|mailto:|#)([^)\s#]+)/g
const codeFiles = /`([\w][\w./-]*\.(?:tsx?|sql|mjs))`/g
const scriptNames = /\bnpm run (?:-s |--silent |--prefix \S+ )*([a-z][\w:-]*)/g

/** A file is named by its path from the root, or by the end of it. */
const isNamed = (name: string, { files }: Named): boolean => files.some((file) => `/${file}`.endsWith(`/${name}`))

/** The messages for one line. */
const faultsOf = (page: string, line: string, named: Named): ReadonlyArray<string> => {
  const all = (pattern: RegExp) => [...line.matchAll(pattern)].map(([, name = ""]) => name)
  const links = all(linkTargets).filter((link) => !named.exists(posix.join(posix.dirname(page), link)))
  const files = all(codeFiles).filter((name) => !isNamed(name, named))
  const scripts = all(scriptNames).filter((name) => !named.scripts.has(name))
  return [
    ...links.map((link) => `links to ${link}, which does not exist`),
    ...files.map((name) => `names ${name}, which does not exist`),
    ...scripts.map((name) => `runs ${name}, which is no script of package.json`)
  ]
}

export const readmeRule = (page: string, text: string, named: Named): ReadonlyArray<Violation> => {
  const lines = text.replace(/\n$/, "").split("\n")
  const faults = lines.flatMap((line, index) =>
    faultsOf(page, line, named).map((message) => ({ file: page, line: index + 1, message }))
  )
  if (lines.length <= longestPage || longPages.has(page)) return faults
  return [
    ...faults,
    { file: page, line: longestPage + 1, message: `has ${lines.length} lines; the cap is ${longestPage}` }
  ]
}
