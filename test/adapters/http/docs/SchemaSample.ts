// The smallest value of a response schema, for the stub handlers of any endpoint.
import { type Schema, SchemaAST } from "effect"

const sample = (ast: SchemaAST.AST): unknown => {
  switch (ast._tag) {
    case "Literal":
      return ast.literal
    case "String":
      return "2026-11-21T09:00:00.000Z"
    case "Number":
      return 1
    case "Boolean":
      return true
    case "Null":
      return null
    case "Arrays":
      return []
    case "Union":
      return ast.types[0] === undefined ? undefined : sample(ast.types[0])
    case "Objects":
      return Object.fromEntries(
        ast.propertySignatures
          .filter(({ type }) => !SchemaAST.isOptional(type))
          .map(({ name, type }) => [name, sample(type)])
      )
    // Bytes are the only declared type of a response.
    case "Declaration":
      return new Uint8Array()
    default:
      throw new Error(`No sample for ${ast._tag}`)
  }
}

export const sampleOf = (schema: Schema.Top): unknown => sample(SchemaAST.toType(schema.ast))
