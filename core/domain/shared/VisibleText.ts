// Which characters a buyer's text may have, where a person must see exactly what a program reads: anchor texts and target URLs.

/** Emoji use these two to choose between their coloured and their plain form. All other ignorable characters only hide something. */
const EMOJI_STYLES = "\\uFE0E\\uFE0F"

const bidiControl = /\p{Bidi_Control}/u
const zeroWidth = new RegExp(`(?![${EMOJI_STYLES}])\\p{Default_Ignorable_Code_Point}`, "u")
const unassigned = /\p{Cn}/u

/** A letter, digit, punctuation mark or symbol. U+2800, the Braille pattern without dots, is a symbol and blank. */
const visible = /(?!\u2800|\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{P}\p{S}]/u

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

/** Most texts: none of these characters is ever refused, and one look at them is cheaper than three searches by property. */
const printableAscii = /^[\x20-\x7e]*$/

/** A sentence that names the first character of a text that no such text may have; `undefined` if there is none. */
export const hiddenCharacterFault = (text: string): string | undefined => {
  if (printableAscii.test(text)) return undefined
  const [bidi] = bidiControl.exec(text) ?? []
  if (bidi !== undefined) return `Must not contain ${nameOf(bidi)}, which changes the direction of text.`
  // Before those of zero width: code points that are reserved for ignorable characters count among these too.
  const [unknown] = unassigned.exec(text) ?? []
  if (unknown !== undefined) return `Must not contain ${nameOf(unknown)}, to which Unicode assigns no character.`
  const [hidden] = zeroWidth.exec(text) ?? []
  return hidden === undefined ? undefined : `Must not contain ${nameOf(hidden)}, which has no width and is not seen.`
}

/** Whether at least one character of a text can be seen. */
export const isVisible = (text: string): boolean => visible.test(text)
