// How many tokens a model makes of a text, without asking its tokeniser, of which every model has its own: a guess that errs
// upwards for what answers are made of, by the kinds of their characters. Counted in quarters of a token.

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

/** By code, for ASCII: looked up once for each character. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(code))

/** By kind: the first of a run, and each that follows it. */
const FIRST = Uint8Array.of(2, 0, 4, 4, 4)
const FOLLOWING = Uint8Array.of(2, 0, 1, 1, 2)

/** A run of more letters than this is no word, but an id or a slug, and is cut into pairs. */
const LONGEST_WORD = 14
const PAIRED = 2

/** The most that one UTF-16 code unit is taken for. */
const MOST = 8

/** Alphabets that models know well; Chinese, Japanese and Korean; and the rest, of which some make two tokens a character. */
const beyondAscii = (code: number): number => {
  if (code < 0x800) return 4
  return (code >= 0x2e_80 && code <= 0xd7_ff) || code >= 0xf9_00 ? 5 : MOST
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
    else quarters += (length === 1 ? FIRST[next] : FOLLOWING[next]) ?? MOST
  }
  return quarters
}

/**
 * Whether a text is at most so many tokens. A token never holds letters and digits, so each run of one kind is one token or
 * more. The weights were held against the tokenisers o200k and cl100k: English and German come out at one and a half times to
 * twice what they are, JSON full of ids, dates, Japanese or percent-encoded URLs at about once to one and a half times.
 */
export const fitsTokens = (text: string, tokens: number): boolean =>
  text.length * MOST <= tokens * 4 || quartersOf(text) <= tokens * 4
