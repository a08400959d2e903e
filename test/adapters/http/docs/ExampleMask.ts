// Fixes what differs between two runs of the examples: ids, times, tokens, secrets. Equal ids stay equal, so that what belongs together still
// shows.

/** A cursor, which has an id in it, or an id. */
const NAMES = /("(?:next_)?cursor": ")([\w-]+)|\b([a-z]{1,4})_(test_)?[0-9a-z]{26,30}\b/g

/** An example's secret, in the form of a real one. */
const SECRET = `whsec_${Buffer.from("an example, and no real secret").toString("base64")}`

const FIXED: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = [
  [/\breq_[0-9a-f]{32}\b/g, `req_${"0".repeat(31)}1`],
  [/whsec_[\w+/=-]+/g, SECRET],
  [/(\/pay\/)[0-9a-z]{20,}/g, `$1${"0".repeat(26)}`],
  // The clock of the service starts at noon, and the examples take less than an hour of it.
  [/(\d{4}-\d{2}-\d{2}T\d{2}):\d{2}:\d{2}\.\d{3}Z/g, "$1:00:00.000Z"],
  [/("duration_ms": )\d+/g, "$142"],
  // A day, of which some seconds are over.
  [/("retry_after_seconds": )86[34]\d{2}\b/g, "$186400"]
]

/** The number of an id among those of its kind, in as many characters as a real id has. */
const DIGITS = 28

/** Names ids by their numbers, in the order in which they appear. */
const idMask = () => {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  const mask = (text: string): string =>
    text.replace(NAMES, (found, before?: string, cursor = "", kind = "", test = "") => {
      if (before !== undefined) {
        const inside = Buffer.from(cursor, "base64url").toString()
        const masked = mask(inside)
        // The number is that of the filters, which may have an id, too.
        const fixed = masked === inside ? inside : masked.replace(/,-?\d+,/, ",0,")
        return before + Buffer.from(fixed).toString("base64url")
      }
      const masked = known.get(found)
      if (masked !== undefined) return masked
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      const name = `${kind}_${test}${String(count).padStart(DIGITS, "0")}`
      known.set(found, name)
      return name
    })
  return mask
}

/** Masks indented JSON. */
export const maskExamples = (text: string): string =>
  FIXED.reduce((now, [pattern, replacement]) => now.replace(pattern, replacement), idMask()(text))
