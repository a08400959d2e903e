// The rule that a file imports only what `ImportTable` grants its room: by relative path inside the room, by `#` alias from others.

import { posix } from "node:path"
import { Visitor } from "oxc-parser"
import { roomOf } from "./ImportTable.ts"
import { type Grant, matches, type Room } from "./Room.ts"
import type { Rule, Source } from "./Source.ts"

export interface Import {
  /** `undefined` if it is computed at run time. */
  readonly specifier: string | undefined
  /** Erased before the program runs. */
  readonly typeOnly: boolean
  readonly line: number
}

const readImports = ({ program, lineAt }: Source): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  const add = (start: number, specifier: string | undefined, typeOnly: boolean) =>
    found.push({ specifier, typeOnly, line: lineAt(start) })
  new Visitor({
    ImportDeclaration: ({ start, source, importKind }) => add(start, source.value, importKind === "type"),
    ExportAllDeclaration: ({ start, source, exportKind }) => add(start, source.value, exportKind === "type"),
    ExportNamedDeclaration: ({ start, source, exportKind }) => {
      if (source !== null) add(start, source.value, exportKind === "type")
    },
    ImportExpression: ({ start, source }) => {
      const literal = source.type === "Literal" && typeof source.value === "string"
      add(start, literal ? String(source.value) : undefined, false)
    },
    TSImportType: ({ start, source }) => add(start, source.value, true),
    TSExternalModuleReference: ({ start, expression }) => add(start, expression.value, false)
  }).visit(program)
  return found
}

const known = new WeakMap<Source, ReadonlyArray<Import>>()

/** Every import of `source`: imports, re-exports, `import()`, and types written as `import("…").T`. Several rules read them. */
export const importsOf = (source: Source): ReadonlyArray<Import> => {
  const imports = known.get(source) ?? readImports(source)
  known.set(source, imports)
  return imports
}

const isRelative = (specifier: string) => specifier.startsWith("./") || specifier.startsWith("../")

/** The file of this project that `specifier` names; `undefined` if it names a package. */
export const targetOf = (file: string, specifier: string): string | undefined => {
  if (specifier.startsWith("#")) return posix.normalize(specifier.slice(1))
  return isRelative(specifier) ? posix.join(posix.dirname(file), specifier) : undefined
}

/** The packages whose code `source` runs, without those that Node brings. */
export const packagesOf = (source: Source): ReadonlyArray<string> =>
  importsOf(source).flatMap(({ specifier, typeOnly }) => {
    if (specifier === undefined || typeOnly || specifier.startsWith("node:")) return []
    if (targetOf(source.file, specifier) !== undefined) return []
    return [specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")]
  })

const grants = (grant: Grant, file: string, name: string, target: string | undefined): boolean =>
  matches(grant.to, name) &&
  (grant.by === undefined || grant.by.includes(file)) &&
  (grant.files === undefined || grant.files.some((pattern) => target !== undefined && matches(pattern, target)))

const refusal = (room: Room, file: string, { specifier, typeOnly }: Import): string | undefined => {
  const everything = room.may.some(({ to }) => to === "*")
  if (specifier === undefined) return everything ? undefined : "a computed import() cannot be checked"
  const target = targetOf(file, specifier)
  const targetRoom = target === undefined ? undefined : roomOf(target)
  if (target !== undefined && targetRoom === undefined && !everything) return `${specifier} is in no room`
  if (targetRoom !== undefined && targetRoom !== room && isRelative(specifier)) {
    return `${specifier} leaves the room: write #${target}`
  }
  if (targetRoom === room) {
    return isRelative(specifier) || room.ownAlias === true
      ? undefined
      : `${specifier} is in the same room: write it as ./`
  }
  const name = targetRoom?.name ?? specifier
  const open = room.never?.some((pattern) => matches(pattern, name))
    ? []
    : room.may.filter((grant) => grants(grant, file, name, target))
  if (open.some((grant) => typeOnly || grant.typesOnly !== true)) return undefined
  return open.length > 0 ? `${room.name} may import only types of ${name}` : `${room.name} must not import ${specifier}`
}

export const importRule: Rule = (source) => {
  const { file } = source
  const room = roomOf(file)
  if (room === undefined) return [{ file, line: 1, message: "belongs to no room" }]
  return importsOf(source).flatMap((imported) => {
    const message = refusal(room, file, imported)
    return message === undefined ? [] : [{ file, line: imported.line, message }]
  })
}
