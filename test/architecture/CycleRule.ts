// The rule that no files import each other in a circle. An import of types alone counts: such files cannot be read one at a time either.

import { importsOf, targetOf } from "./ImportRule.ts"
import type { Source, Violation } from "./Source.ts"

/** One violation for each circle, at its first file in the order of `sources`; a circle is named once. */
export const cycleRule = (sources: ReadonlyArray<Source>): ReadonlyArray<Violation> => {
  const targets = new Map(
    sources.map((source) => [
      source.file,
      importsOf(source).flatMap(({ specifier }) => (specifier && targetOf(source.file, specifier)) ?? [])
    ])
  )
  const violations: Array<Violation> = []
  const done = new Set<string>()
  const visit = (file: string, path: ReadonlyArray<string>): void => {
    const start = path.indexOf(file)
    if (start >= 0) {
      const circle = [...path.slice(start), file].join(" → ")
      violations.push({ file, line: 1, message: `imports itself: ${circle}` })
    }
    if (start >= 0 || done.has(file)) return
    for (const target of targets.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const { file } of sources) visit(file, [])
  return violations
}
