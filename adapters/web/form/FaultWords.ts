// What is wrong with a value, for the person who typed it: the API's sentence about a field, said of what stands in it.
import { separated } from "#adapters/contract/shared/Counted.ts"
import { isolated } from "#adapters/html/Html.ts"

/** A longer value is not repeated: it stands in its field. */
const LONGEST = 40

/** Sentences of the API that people read otherwise. `$1` is a part of it, and `$v` the value. */
const SAID: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Is required\.$/, "This field is required."],
  [/^Must be given once\.$/, "This was sent more than once. Give it once."],
  [
    /^Must be an absolute http or https URL .*$/,
    "$v is not a web address. Enter all of it, such as https://example.com/page."
  ],
  [
    /^Must name a public host; an IP address .*$/,
    "This is the number of a machine. Enter an address with a domain name."
  ],
  [
    /^Must name a public host; "(.*)" does not exist .*$/,
    "There is no site $1 on the public internet. Check the address."
  ],
  [
    /^Must name a host below a public suffix; "(.*)" is .*$/,
    "$1 is not a site, but an ending that anybody registers names under."
  ],
  [/^Must not percent-encode its host\.$/, "Write the domain of this address in plain letters."],
  [/^Must not name port 0, .*$/, "Remove “:0” from this address."],
  [/^Must not contain a user name or a password\.$/, "Remove the user name and the password from this address."],
  [/^Must not end its host with a dot\.$/, "Remove the dot after the domain of this address."],
  [
    /^Must not contain control characters.*$/,
    "This has a line break, a tab or another character that cannot be kept. Remove it."
  ],
  [/^Must be well-formed Unicode .*$/, "This has a character that cannot be kept. Type it again."],
  [
    /^Must contain (?:at least one visible character|a character that can be seen)\.$/,
    "Nothing in this can be seen. Type a word."
  ],
  [/^Must be (an? [^,]+?)(?: with at most two decimals)?,? such as (.+)\.$/, "$v is not $1. Enter one such as $2."],
  [/^Must be (an? .+?)(?:, written in plain digits)?\.$/, "$v is not $1."],
  [/^Is (.*)$/, "$v is $1"]
]

/** `Must be "exact" | "partial"`, as the library lists the values that are allowed. */
const ONE_OF = /^Must be ("?[\w.]+"?(?: \| "?[\w.]+"?)+)\.?$/

const TOO_LONG = /^Must be a string of (?:\d+ to |at most )?(\d+) characters\.$/

/** The value as it is quoted, or what stands for one that is too long for that. */
const named = (value: string): string => {
  const shown = value.trim()
  return shown === "" || shown.length > LONGEST || /\p{Cc}/u.test(shown) ? "This" : `“${isolated(shown)}”`
}

/** `value`: empty where it is a secret. */
export const faultWords = (message: string, value: string): string => {
  const [, most] = TOO_LONG.exec(message) ?? []
  const length = [...value].length
  if (most !== undefined && length > Number(most))
    return `This has ${separated(length)} characters. At most ${separated(Number(most))} fit.`
  const [, allowed] = ONE_OF.exec(message) ?? []
  if (allowed !== undefined)
    return `${named(value)} is not one of ${allowed.replaceAll('"', "").replaceAll(" | ", ", ").replaceAll("_", " ")}.`
  const [said, words] = SAID.find(([pattern]) => pattern.test(message)) ?? []
  if (said !== undefined && words !== undefined) return message.replace(said, words).replace("$v", () => named(value))
  return message.replace(/^(?:Must|Has) /, (verb) => `This ${verb.toLowerCase()}`)
}

/** They are not repeated, even where they are wrong. */
const SECRET = /code|password|assertion/

/** The messages about the fields of what was sent. */
export const faultsInWords = (
  messages: Iterable<readonly [name: string, message: string]>,
  sent: URLSearchParams
): ReadonlyMap<string, string> =>
  new Map(
    [...messages].map(([name, message]) => {
      const value = SECRET.test(name) ? "" : sent.getAll(name).find((one) => one.trim() !== "")
      return [name, faultWords(message, value ?? "")]
    })
  )

/** What follows the label of the field: "Name is required.", "Name: “x” is not a domain name." */
export const afterLabel = (message: string): string => {
  const [, said] = /^This (?:field )?((?:is|must|has) .*)$/s.exec(message) ?? []
  return said === undefined ? `: ${message}` : ` ${said}`
}
