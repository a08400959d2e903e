// Estimates how many tokens a text has, since every model has its own tokeniser. The estimate goes by kinds of characters, counts
// quarters of a token, and errs upwards for the texts that results consist of.

/** The longest result of a tool that clients accept. */
export const MAX_RESULT_TOKENS = 25_000

const OTHER = 0
const SPACE = 1
const LOWER = 2
const UPPER = 3
const DIGIT = 4

const kindOf = (code: number): number => {
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  if (code >= 48 && code <= 57) return DIGIT
  return code === 32 ? SPACE : OTHER
}

/** Kinds of the ASCII characters, by code. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(code))

/** Quarters by kind: the first character of a run, and each that follows it. */
const FIRST = Uint8Array.of(2, 0, 4, 4, 4)
const FOLLOWING = Uint8Array.of(2, 0, 1, 1, 2)

/** A longer run of letters is an id or a slug, not a word; tokenisers cut it into pairs. */
const LONGEST_WORD = 14
const PAIRED = 2

/** Quarters that one UTF-16 code unit can count for at most. */
const MAX_QUARTERS = 8

/** Quarters of a common alphabet; of Chinese, Japanese and Korean; of the rest, where a character can be two tokens. */
const beyondAscii = (code: number): number => {
  if (code < 0x800) return 4
  return (code >= 0x2e_80 && code <= 0xd7_ff) || code >= 0xf9_00 ? 5 : MAX_QUARTERS
}

const quartersOf = (text: string): number => {
  let quarters = 0
  let kind = OTHER
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const next = KINDS[code] ?? OTHER
    length = next === kind ? length + 1 : 1
    kind = next
    if (code >= 128) quarters += beyondAscii(code)
    else if (length > LONGEST_WORD && next !== SPACE) quarters += PAIRED
    else quarters += (length === 1 ? FIRST[next] : FOLLOWING[next]) ?? MAX_QUARTERS
  }
  return quarters
}

/**
 * Whether a text has at most this many tokens. A token never mixes letters and digits, so each run of one kind is at least one
 * token. Compared with the tokenisers o200k and cl100k, the estimate is 1.5 to 2 times the true number for English and German, and
 * about 1 to 1.5 times for JSON full of ids, dates, Japanese or percent-encoded URLs.
 */
export const fitsTokens = (text: string, tokens: number): boolean =>
  text.length * MAX_QUARTERS <= tokens * 4 || quartersOf(text) <= tokens * 4
