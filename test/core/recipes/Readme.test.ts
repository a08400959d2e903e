// The recipes of core/README.md name every file that following them edits.
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { expect, it } from "vitest"
import { addError } from "./AddError.ts"
import { addField } from "./AddField.ts"

const readme = readFileSync(new URL("../../../core/README.md", import.meta.url), "utf8")

const section = (title: string): string => readme.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? ""

it.each([
  ["Add a field", addField],
  ["Add an error", addError]
] as const)("%s", (title, { beginning, steps }) => {
  const edits = [...beginning, ...steps.flat().flatMap((place) => place.edits)]
  const named = (file: string) =>
    section(title).includes(file.endsWith(".sql") && file.includes("/steps/") ? "schema/steps/" : basename(file))
  expect(edits.map(({ file }) => file).filter((file) => !named(file))).toEqual([])
})
