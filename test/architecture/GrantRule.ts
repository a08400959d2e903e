// The rule that every grant of the table is used, so that the table tells what the rooms really import.

import { importsOf, targetOf } from "./ImportRule.ts"
import { roomOf, rooms } from "./ImportTable.ts"
import { type Grant, matches, type Room } from "./Room.ts"
import type { Source, Violation } from "./Source.ts"

interface Use {
  readonly file: string
  readonly name: string
  readonly target: string | undefined
}

const usesOf = (room: Room, sources: ReadonlyArray<Source>): ReadonlyArray<Use> =>
  sources
    .filter(({ file }) => roomOf(file) === room)
    .flatMap((source) =>
      importsOf(source).flatMap(({ specifier }) => {
        if (specifier === undefined) return []
        const target = targetOf(source.file, specifier)
        return [{ file: source.file, name: (target && roomOf(target)?.name) ?? specifier, target }]
      })
    )

const unused = (grant: Grant, uses: ReadonlyArray<Use>): ReadonlyArray<string> => {
  const matching = uses.filter(({ name }) => matches(grant.to, name))
  if (matching.length === 0) return [grant.to]
  const files = (grant.files ?? []).filter(
    (pattern) => !matching.some(({ target }) => target !== undefined && matches(pattern, target))
  )
  const by = (grant.by ?? []).filter((importer) => !matching.some(({ file }) => file === importer))
  return [...files, ...by]
}

/** `shared`: grants that several rooms take from one list, of which each room may use a part. */
export const grantRule = (sources: ReadonlyArray<Source>, shared: ReadonlySet<Grant>): ReadonlyArray<Violation> => {
  const perRoom = rooms.map((room) => ({ room, uses: usesOf(room, sources) }))
  const own = perRoom.flatMap(({ room, uses }) =>
    room.may
      .filter((grant) => !shared.has(grant))
      .flatMap((grant) => unused(grant, uses))
      .map((what) => ({ file: room.folder, line: 1, message: `is granted ${what}, which it does not import` }))
  )
  const all = perRoom.flatMap(({ uses }) => uses)
  const nowhere = Array.from(shared)
    .flatMap((grant) => unused(grant, all))
    .map((what) => ({ file: "adapters", line: 1, message: `share the grant of ${what}, which none of them imports` }))
  return [...own, ...nowhere]
}
