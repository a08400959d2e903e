// Config errors in words: a sentence per setting that begins with its name and never shows its value.
import { type Config, Schema, SchemaAST, SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    // Every setting is a text, so only a missing one has another type.
    issue._tag === "InvalidType" && SchemaAST.isString(issue.ast) ? "must be set" : SchemaIssue.defaultLeafHook(issue)
})

/** An error of the source itself, such as an unreadable file, is shown as it is. */
export const configErrorMessage = ({ cause }: Config.ConfigError): string => {
  if (!Schema.isSchemaError(cause)) return String(cause)
  const sentences = format(cause.issue).issues.map(({ path = [], message }) => {
    const [name] = path
    return `${String(typeof name === "object" ? name.key : name)} ${message.replace(/^Expected /, "must be ")}`
  })
  return `${sentences.join("; ")}.`
}
