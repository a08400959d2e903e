// Where the text of a page may break into lines: between words. An amount stays whole; what is too long for a narrow column, such as an address
// of the web or an id, breaks anywhere, and one of mail first after its @.
import { Html } from "./Html.ts"

/** The longest word that people write. */
const LONGEST_WORD = 20

const ENTITY = "&\\w+;|&#\\d+;"

/**
 * Elements that hold text alone, or break it in their way, then tags, then what is marked. An entity is one character, and nothing begins within
 * one.
 */
const MARKED = new RegExp(
  [
    "<(textarea|option|title|pre|svg|script|style)\\b[\\s\\S]*?</\\1>",
    "<[^>]*>",
    "[-+\u2212]?\\d[\\d,]*\\.\\d\\d EUR\\b",
    `(?:${ENTITY}|[^\\s<&]){${LONGEST_WORD + 1},}`,
    ENTITY
  ].join("|"),
  "g"
)

/** A domain breaks at its hyphens, and holds its column open. */
const DOMAIN = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+[.,:;]?$/u

const isDomain = (word: string): boolean =>
  DOMAIN.test(word) && word.split("-").every((part) => part.length <= LONGEST_WORD)

const isEntity = new RegExp(`^(?:${ENTITY})$`)

/** Every value in it is escaped, so that a tag ends at the next `>`. */
export const withBreaks = ({ text }: Html): Html =>
  new Html(
    text.replaceAll(MARKED, (found) => {
      if (found.startsWith("<") || isEntity.test(found) || isDomain(found)) return found
      return found.endsWith(" EUR")
        ? `<span class="amount">${found}</span>`
        : `<span class="long">${found.replace("@", "@<wbr>")}</span>`
    })
  )
