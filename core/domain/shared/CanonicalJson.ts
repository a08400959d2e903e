// Canonical JSON (RFC 8785): equal values have equal text, whatever the order of their members or the notation of their numbers.

/** A JSON value from a strict parser: numbers are finite, strings well-formed. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

// `Array.isArray` does not narrow a readonly array out of a union.
const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

/**
 * RFC 8785 is defined by ECMAScript: `JSON.stringify` writes numbers and strings, and members are ordered by the UTF-16 code units of
 * their keys, which is how JavaScript compares strings. No white space.
 */
export const canonicalJson = (value: Json): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  let text = ""
  if (isList(value)) {
    for (const entry of value) text += `${text === "" ? "[" : ","}${canonicalJson(entry)}`
    return text === "" ? "[]" : `${text}]`
  }
  for (const key of Object.keys(value).sort()) {
    // Every key of an object has a value.
    text += `${text === "" ? "{" : ","}${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`
  }
  return text === "" ? "{}" : `${text}}`
}
