// What the type and the name of a member say about its text: amounts are sent in cents and written in euros, times in milliseconds.
import { SchemaAST } from "effect"

export const isCents = (member: string): boolean => /^cents$|Cents$/.test(member)

export const isTime = (member: string): boolean => /(?:^at|At)Ms$/.test(member)

export const withoutNull = (ast: SchemaAST.AST): SchemaAST.AST => {
  const [only = ast, ...more] = SchemaAST.isUnion(ast) ? ast.types.filter((type) => !SchemaAST.isNull(type)) : []
  return more.length === 0 ? only : ast
}
