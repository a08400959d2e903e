// Which characters a buyer's text may have, where a person must see exactly what a program reads: anchor texts and target URLs.

/** Emoji use these two to choose between their coloured and their plain form. All other ignorable characters only hide something. */
const EMOJI_STYLES = "\\uFE0E\\uFE0F"

/**
 * Scripts in which a non-joiner or joiner (U+200C, U+200D) between two letters changes how they are written, as RFC 5892, appendix A,
 * takes them: those whose letters join, and those with a virama.
 */
const JOINING = [
  ...[
    "Adlam",
    "Arabic",
    "Hanifi_Rohingya",
    "Mandaic",
    "Manichaean",
    "Mongolian",
    "Nko",
    "Phags_Pa",
    "Sogdian",
    "Syriac"
  ],
  ...[
    "Balinese",
    "Bengali",
    "Devanagari",
    "Gujarati",
    "Gurmukhi",
    "Javanese",
    "Kannada",
    "Khmer",
    "Malayalam",
    "Myanmar"
  ],
  ...["Oriya", "Sinhala", "Tamil", "Telugu", "Tibetan"]
]
const ofJoining = `(?:${JOINING.map((script) => `(?=\\p{Script_Extensions=${script}})`).join("|")})[\\p{L}\\p{M}]`

/** The joiners that a script or an emoji needs where they stand. */
const neededJoiner = new RegExp(
  `(?<=${ofJoining})[\\u200C\\u200D](?=${ofJoining})|(?<=\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\uFE0F?)\\u200D(?=\\p{Extended_Pictographic})`,
  "gu"
)

const lineBreak = /[\u2028\u2029]/u
const bidiControl = /\p{Bidi_Control}/u
const zeroWidth = new RegExp(`(?![${EMOJI_STYLES}])\\p{Default_Ignorable_Code_Point}`, "u")
const unassigned = /\p{Cn}/u

/** A letter, digit, punctuation mark or symbol. U+2800, the Braille pattern without dots, is a symbol and blank. */
const visible = /(?!\u2800|\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{P}\p{S}]/u

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

/** Most texts: none of these characters is ever refused, and one look at them is cheaper than three searches by property. */
export const printableAscii = /^[\x20-\x7e]*$/

/** Names the first character that breaks the line, changes the direction of text or is not seen. `undefined`: the text has no such character. */
export const unseenCharacterFault = (text: string): string | undefined => {
  if (printableAscii.test(text)) return undefined
  const [broken] = lineBreak.exec(text) ?? []
  if (broken !== undefined) return `Must not contain ${nameOf(broken)}, which breaks the line.`
  const [bidi] = bidiControl.exec(text) ?? []
  if (bidi !== undefined) return `Must not contain ${nameOf(bidi)}, which changes the direction of text.`
  const [hidden] = zeroWidth.exec(text.replaceAll(neededJoiner, "")) ?? []
  return hidden === undefined ? undefined : `Must not contain ${nameOf(hidden)}, which has no width and is not seen.`
}

/** Names the first character that no such text may have, also one that Unicode does not know. `undefined`: the text has no such character. */
export const hiddenCharacterFault = (text: string): string | undefined => {
  if (printableAscii.test(text)) return undefined
  // Some of them count as ignorable too: they are reserved for such characters.
  const [unknown] = unassigned.exec(text) ?? []
  return unknown === undefined
    ? unseenCharacterFault(text)
    : `Must not contain ${nameOf(unknown)}, to which Unicode assigns no character.`
}

/** Whether at least one character of a text can be seen. */
export const isVisible = (text: string): boolean => visible.test(text)
