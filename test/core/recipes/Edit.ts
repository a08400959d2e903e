// Edits of a recipe as data, each beside a line of the code that is as it is for a reason.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

interface NewFile {
  readonly file: string
  readonly create: string
}

interface LinesBeside {
  readonly file: string
  /** Part of exactly one line of the file. */
  readonly at: string
  readonly where: "before" | "after" | "instead"
  readonly lines: ReadonlyArray<string>
}

export type Edit = NewFile | LinesBeside

const beside =
  (where: LinesBeside["where"]) =>
  (file: string, at: string, ...lines: ReadonlyArray<string>): Edit => ({ file, at, where, lines })

export const before = beside("before")
export const after = beside("after")
export const instead = beside("instead")

export const create = (file: string, ...lines: ReadonlyArray<string>): Edit => ({
  file,
  create: `${lines.join("\n")}\n`
})

const edited = (text: string, { file, at, where, lines }: LinesBeside): string => {
  const all = text.split("\n")
  const found = all.flatMap((line, index) => (line.includes(at) ? [index] : []))
  const [index, ...others] = found
  if (index === undefined || others.length > 0) {
    const count = index === undefined ? "no line" : `${found.length} lines`
    throw new Error(`${count} of ${file} with \`${at}\`: give this recipe's edit another line to stand beside`)
  }
  all.splice(where === "after" ? index + 1 : index, where === "instead" ? 1 : 0, ...lines)
  return all.join("\n")
}

/** Makes the edit in the tree that is at `root`. */
export const apply = (root: string, edit: Edit): void => {
  const path = join(root, edit.file)
  if ("create" in edit) mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, "create" in edit ? edit.create : edited(readFileSync(path, "utf8"), edit))
}
