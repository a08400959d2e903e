// Domain names in requests.
import { Schema } from "effect"
import { asName } from "./MemberMarks.ts"
import { text } from "./Text.ts"

/** Other names are the host of no target, so that a search for them would silently find nothing. */
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

/** The name as it stands in the host of a URL, where Unicode names are in ASCII; without the dot that may end it. */
export const hostOf = (name: string): string | undefined => {
  const host = /[\s/:@?#\\%]/.test(name) ? undefined : URL.parse(`https://${name.replace(/\.$/, "")}/`)?.hostname
  return host !== undefined && HOST.test(host) ? host : undefined
}

const isDomain = Schema.makeFilter((name: string) => hostOf(name) !== undefined, {
  message: "Must be a domain name, such as shop.example.",
  toJsonSchema: () => [{}, true]
})

export const domainName = (description: string) =>
  text(1, 253)
    .check(isDomain)
    .annotate({ description, ...asName })
