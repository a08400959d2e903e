// The rule that both stores implement every port, or the room that the table names. It takes all files of the project, because it
// reports missing ones.

import { basename } from "node:path"
import { Visitor } from "oxc-parser"
import { importsOf, targetOf } from "./ImportRule.ts"
import { roomOf } from "./ImportTable.ts"
import { providedElsewhere } from "./PortProviders.ts"
import type { Source, Violation } from "./Source.ts"

/** The folder also holds errors and shapes that ports share; a port is a file that declares a service. */
const declaresService = ({ program }: Source): boolean => {
  let declares = false
  new Visitor({
    MemberExpression: ({ object, property }) => {
      const isContext = object.type === "Identifier" && object.name === "Context"
      if (isContext && property.type === "Identifier" && property.name === "Service") declares = true
    }
  }).visit(program)
  return declares
}

const imports = (source: Source, file: string): boolean =>
  importsOf(source).some(({ specifier }) => specifier !== undefined && targetOf(source.file, specifier) === file)

export const portRule = (sources: ReadonlyArray<Source>): ReadonlyArray<Violation> => {
  const files = new Set(sources.map(({ file }) => file))
  const hasPostgres = sources.some(({ file }) => file.startsWith("adapters/postgres/"))
  const stores = hasPostgres ? ["adapters/memory", "adapters/postgres"] : ["adapters/memory"]
  const missing = ({ file }: Source): ReadonlyArray<string> => {
    const provider = providedElsewhere[basename(file, ".ts")]
    if (provider === undefined) {
      return stores
        .map((store) => file.replace("core/ports/", `${store}/ports/`))
        .filter((implementation) => !files.has(implementation))
        .map((implementation) => `has no ${implementation}`)
    }
    const provided = sources.some((source) => roomOf(source.file)?.name === provider && imports(source, file))
    return provided ? [] : [`is provided by nothing in ${provider}`]
  }
  return sources
    .filter((source) => source.file.startsWith("core/ports/") && declaresService(source))
    .flatMap((port) => missing(port).map((message) => ({ file: port.file, line: 1, message: `this port ${message}` })))
}
