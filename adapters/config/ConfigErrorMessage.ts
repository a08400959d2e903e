// What is wrong with a setting, in a sentence that begins with its name. Never says what it was set to.
import { type Config, Schema, SchemaAST, SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    // What is set is a text, whatever it says.
    issue._tag === "InvalidType" && SchemaAST.isString(issue.ast) ? "must be set" : SchemaIssue.defaultLeafHook(issue)
})

/** A source that cannot be read speaks for itself. */
export const configErrorMessage = ({ cause }: Config.ConfigError): string => {
  if (!Schema.isSchemaError(cause)) return String(cause)
  const faults = format(cause.issue).issues.map(({ path = [], message }) => {
    const [name] = path
    return `${String(typeof name === "object" ? name.key : name)} ${message.replace(/^Expected /, "must be ")}`
  })
  return `${faults.join("; ")}.`
}
