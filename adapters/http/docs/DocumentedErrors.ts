// Errors as the OpenAPI document says them: a schema for each code with the `details` that it has, and responses that tell theirs apart by
// `code`.
import type { Schema } from "effect"
import { PUBLIC_ERRORS, policyOf, statusesOf, TRANSPORT_ERRORS } from "#adapters/contract/errors/ErrorCode.ts"
import { ERROR_DETAILS, SOMETIMES_DETAILED } from "#adapters/contract/errors/ErrorDetails.ts"
import { type JsonObject, type JsonValue, jsonSchemaOf, tidy } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { byMember, reference } from "./DocumentedUnions.ts"

type DocumentedCode = keyof typeof PUBLIC_ERRORS | keyof typeof TRANSPORT_ERRORS

// The literals have no keys besides those of their types.
const CODES = Object.keys({ ...PUBLIC_ERRORS, ...TRANSPORT_ERRORS }) as ReadonlyArray<DocumentedCode>

const DETAILS: Readonly<Record<string, Schema.Top>> = ERROR_DETAILS

const schemaName = (code: string): string =>
  `${code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Refusal`

const always = (code: DocumentedCode): boolean =>
  code in DETAILS && !SOMETIMES_DETAILED.some((sometimes) => sometimes === code)

const describedDetails = (code: DocumentedCode, details: Schema.Top): JsonObject => {
  const shown = tidy(jsonSchemaOf(details))
  const description = `Facts of \`${code}\`.${always(code) ? "" : " Absent where they are not known."}`
  return { ...(shown as JsonObject), description } // the schema of an object or a union
}

const refusalOf = (code: DocumentedCode): JsonObject => {
  const details = DETAILS[code]
  return {
    description: `\`${code}\`: status ${statusesOf(code).join(", ")}; \`recovery\` is \`${policyOf(code).recovery}\` as a rule.`,
    allOf: [
      reference("schemas", "Refusal"),
      {
        type: "object",
        properties: {
          code: { type: "string", enum: [code], description: "What to branch on." },
          ...(details === undefined ? {} : { details: describedDetails(code, details) })
        },
        required: ["code", ...(always(code) ? ["details"] : [])]
      }
    ]
  }
}

/** The schema of each code, by its name. */
export const REFUSALS: JsonObject = Object.fromEntries(CODES.map((code) => [schemaName(code), refusalOf(code)]))

const anyOf = (codes: ReadonlyArray<string>): JsonObject => {
  const [only = "", ...others] = codes
  return others.length === 0
    ? reference("schemas", schemaName(only))
    : {
        description: "What went wrong, by `code`.",
        ...byMember("code", new Map(codes.map((code) => [code, schemaName(code)])))
      }
}

/** The shared error schema, limited to the codes of one response. */
export const errorResponse = (codes: ReadonlyArray<JsonValue>): JsonObject => {
  const error = anyOf(codes.map(String))
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    content: {
      "application/json": {
        schema: {
          allOf: [reference("schemas", "ErrorBody"), { type: "object", properties: { error }, required: ["error"] }]
        }
      }
    }
  }
}
