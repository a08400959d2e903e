// The rules on a file as a whole: its length, its name, and that it is no barrel.

import type { Rule } from "./Source.ts"

/** Lines, tests included. */
export const longestFile = 250

/** Names that do not say what a file contains. */
const emptyNames = new Set(["index", "util", "utils", "helper", "helpers", "common", "types"])

export const sizeRule: Rule = ({ file, text }) => {
  const lines = text.replace(/\n$/, "").split("\n").length
  return lines > longestFile
    ? [{ file, line: longestFile + 1, message: `has ${lines} lines; the cap is ${longestFile}` }]
    : []
}

/** Sent to browsers as they are, or read by a Node that cannot read TypeScript. */
const plainModules = new Set(["adapters/web/passkeys.js", "adapters/app/nodeVersion.js"])

/** Folders count as well: `utils/Money.ts` is refused like `utils.ts`. */
export const nameRule: Rule = ({ file }) => {
  const empty = file.split("/").filter((part) => emptyNames.has(part.split(".")[0]?.toLowerCase() ?? ""))
  const messages = empty.map((part) => `${part} does not say what it contains`)
  if (!/\.tsx?$/.test(file) && !plainModules.has(file)) messages.push("only .ts and .tsx files are checked")
  return messages.map((message) => ({ file, line: 1, message }))
}

/** A barrel exports only what other files declare. */
export const barrelRule: Rule = ({ file, program }) => {
  const passesOn = program.body.filter(
    (statement) =>
      statement.type === "ExportAllDeclaration" ||
      (statement.type === "ExportNamedDeclaration" && statement.declaration === null)
  )
  const imports = program.body.filter((statement) => statement.type === "ImportDeclaration")
  const nothingElse = passesOn.length + imports.length === program.body.length
  return passesOn.length > 0 && nothingElse
    ? [{ file, line: 1, message: "is a barrel: it only passes on what other files export" }]
    : []
}
