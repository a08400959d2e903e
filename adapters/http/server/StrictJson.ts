// JSON by the strict profile I-JSON (RFC 7493): text that two parsers could read differently is rejected. A member named `__proto__`
// stays an ordinary member, which schemas reject by name.
import { Result } from "effect"
import { safeExcerpt } from "#adapters/contract/errors/ErrorText.ts"

/** Why a text was rejected, in a sentence for an agent. `offset`: UTF-16 code units from the start, if known. */
export interface JsonFault {
  readonly message: string
  readonly offset?: number
}

const MAX_DEPTH = 32
const BYTE_ORDER_MARK = "\uFEFF"
const numberToken = /-?[0-9][0-9.eE+-]*/y

// The position in V8's message. The rest of the message may quote the text and is not repeated.
const positionInMessage = / in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/

const syntaxFault = (cause: unknown): JsonFault => {
  const position = positionInMessage.exec(cause instanceof Error ? cause.message : "")?.[1]
  const message = "The text is not valid JSON."
  return position === undefined ? { message } : { message, offset: Number(position) }
}

/** The offset after the closing quote of the string that starts at `start`. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1
  return at + 1
}

const stringOf = (token: string): string => (token.includes("\\") ? JSON.parse(token) : token.slice(1, -1))

const stringFault = (value: string): string | undefined =>
  value.isWellFormed() ? undefined : "A string contains half of a surrogate pair, which is no character."

const keyFault = (key: string, seen: Set<string>): string | undefined => {
  if (seen.has(key)) return `The key ${JSON.stringify(safeExcerpt(key, 100))} appears twice in one object.`
  seen.add(key)
  return stringFault(key)
}

const numberFault = (token: string): string | undefined => {
  const value = Number(token)
  if (Object.is(value, -0)) return "Negative zero is not accepted; write 0."
  if (value === 0 && /[1-9]/.test(token.replace(/e.*/i, ""))) return "A number is too close to zero to be told from it."
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? undefined
    : "A number lies beyond ±9007199254740991 and cannot be carried exactly."
}

/** The first fault in a text of valid JSON; one pass, no recursion. */
const firstFault = (text: string): JsonFault | undefined => {
  const open: Array<Set<string> | undefined> = [] // per open object the keys seen so far; undefined for an open array
  let keyNext: Set<string> | undefined // if the next string is a key: the keys of its object so far; set by every { [ and ,
  for (let at = 0; at < text.length; ) {
    const start = at
    const char = text.charAt(start)
    let message: string | undefined
    if (char === '"') {
      at = endOfString(text, start)
      const value = stringOf(text.slice(start, at))
      message = keyNext === undefined ? stringFault(value) : keyFault(value, keyNext)
      keyNext = undefined
    } else if (char === "-" || (char >= "0" && char <= "9")) {
      numberToken.lastIndex = start
      const token = numberToken.exec(text)?.[0] ?? char
      at += token.length
      message = numberFault(token)
    } else {
      at += 1
      if (char === "{" || char === "[") {
        keyNext = char === "{" ? new Set() : undefined
        open.push(keyNext)
        if (open.length > MAX_DEPTH) message = `Nesting is deeper than ${MAX_DEPTH} levels.`
      } else if (char === "}" || char === "]") {
        open.pop()
      } else if (char === ",") {
        keyNext = open.at(-1)
      }
    }
    if (message !== undefined) return { message, offset: start }
  }
  return undefined
}

/**
 * Parses a text as one JSON value. Besides invalid JSON it rejects a byte order mark, duplicate keys in an object (compared after
 * unescaping), nesting deeper than 32, numbers beyond ±(2^53 - 1), non-zero numbers that a double rounds to 0, negative zero, and lone
 * surrogates. Never throws; linear time.
 */
export const parseStrictJson = (text: string): Result.Result<unknown, JsonFault> => {
  if (text.startsWith(BYTE_ORDER_MARK)) {
    return Result.fail({ message: "The text begins with a byte order mark.", offset: 0 })
  }
  const parsed = Result.try({ try: (): unknown => JSON.parse(text), catch: syntaxFault })
  if (Result.isFailure(parsed)) return parsed
  const fault = firstFault(text)
  return fault === undefined ? parsed : Result.fail(fault)
}
