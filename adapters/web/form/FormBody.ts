// Reads the fields of a form or of an address, and decodes them by a schema into values or one message per field.
import { Effect, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { faultsOf, fieldErrors } from "#adapters/contract/decoding/SchemaIssues.ts"
import { UnsupportedMediaType } from "#adapters/contract/errors/AdapterFailure.ts"
import { readBody } from "#adapters/http/server/RequestBody.ts"
import { faultsInWords } from "./FaultWords.ts"
import { cutText, isMultipart, MAX_UPLOAD_BYTES, readMultipart } from "./Uploads.ts"

const isForm = (contentType: string | undefined): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? "")

/** What was sent, with U+FFFD for each NUL, which no store keeps in a text: it is found nowhere, and shown where it was typed. */
export const storable = (sent: string): string => sent.replaceAll("\0", "\uFFFD").replaceAll("%00", "%EF%BF%BD")

const storableFields = (sent: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...sent].map(([name, value]) => [name, cutText(value.replaceAll("\0", "\uFFFD"))]))

/** A button alone sends no body, and some browsers then no type either. `uploads`: the form may bear a file. */
export const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, uploads = false) {
  const bytes = yield* uploads ? readBody(request, MAX_UPLOAD_BYTES) : readBody(request)
  if (bytes.byteLength === 0) return new URLSearchParams()
  const contentType = request.headers["content-type"] ?? ""
  if (uploads && isMultipart(contentType)) return storableFields(yield* readMultipart(bytes, contentType))
  if (!isForm(contentType)) return yield* new UnsupportedMediaType()
  return new URLSearchParams(storable(new TextDecoder().decode(bytes)))
})

/** Messages by the name of the field. */
export type FieldMessages = ReadonlyMap<string, string>

const isFilled = (value: string): boolean => value.trim() !== ""

/**
 * For forms, and for the query of a page with filters. A field that is given several times is a list; empty ones count as left out, and
 * others than the schema's are ignored.
 */
export const fieldsDecoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownResult(Schema.toCodecArrayFromSingle(schema), { errors: "all" })
  return (sent: URLSearchParams): Result.Result<S["Type"], FieldMessages> => {
    const given: Record<string, ReadonlyArray<string> | string> = {}
    for (const name of new Set(sent.keys())) {
      const [first, ...others] = sent.getAll(name).filter(isFilled)
      if (first !== undefined) given[name] = others.length === 0 ? first : [first, ...others]
    }
    return Result.mapError(decode(given), ({ issue }) => {
      const errors = fieldErrors(faultsOf(issue), "query")
      return faultsInWords(
        errors.map(({ path, message }) => [path, message]),
        sent
      )
    })
  }
}
