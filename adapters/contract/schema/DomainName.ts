// Domain names in requests.
import { Schema } from "effect"
import { text } from "./Text.ts"

/** The name as it stands in the host of a URL, where Unicode names are in ASCII. */
export const hostOf = (name: string): string | undefined =>
  !/[\s/:@?#\\%]/.test(name) && URL.canParse(`https://${name}/`) ? new URL(`https://${name}/`).hostname : undefined

const isDomain = Schema.makeFilter((name: string) => hostOf(name) !== undefined, {
  message: "Must be a domain name, such as shop.example.",
  toJsonSchema: () => [{}, true]
})

export const domainName = (description: string) => text(1, 253).check(isDomain).annotate({ description })
