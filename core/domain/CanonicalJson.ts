// The canonical text of a JSON value (RFC 8785): one value, one spelling, whatever the order of its members or the way its
// numbers were written. What the text is used for, and how untrusted text becomes a value, are decided elsewhere.

/** A JSON value. Numbers are finite and strings well-formed, as everything that came through a strict parser is. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

// `Array.isArray` does not narrow a readonly array out of a union.
const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

/**
 * RFC 8785 builds on ECMAScript on purpose: numbers and strings are written exactly as `JSON.stringify` writes them, and
 * members are ordered by the UTF-16 code units of their keys, which is how JavaScript orders strings. No white space.
 */
export const canonicalJson = (value: Json): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`
  const members = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(",")}}`
}
