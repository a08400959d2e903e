// The API key of a request, from its header or its query.
import { describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { expect } from "vitest"
import { callerKey } from "#adapters/mcp/CallerKey.ts"

const read = (url: string, authorization?: string, queryKey = true): string =>
  Result.match(callerKey({ authorization, url }, queryKey), {
    onFailure: ({ _tag }) => _tag,
    onSuccess: (key) => `key ${Redacted.value(key)}`
  })

const CASES: ReadonlyArray<readonly [says: string, expected: string, actual: string]> = [
  ["nothing", "MissingApiKey", read("/mcp")],
  ["a bearer", "key a", read("/mcp", "Bearer a")],
  ["a bearer in any case, with spaces around", "key a", read("/mcp", "bEaReR   a ")],
  ["another scheme", "MissingApiKey", read("/mcp", "Basic a")],
  ["a scheme without a token", "MissingApiKey", read("/mcp", "Bearer ")],
  ["two tokens", "MissingApiKey", read("/mcp", "Bearer a b")],
  ["a query key", "key a", read("/mcp?key=a")],
  ["a query key among others", "key a", read("/mcp?x=1&key=a&y=2")],
  ["an escaped query key", "key a", read("/mcp?k%65y=%61")],
  ["an empty query key", "MissingApiKey", read("/mcp?key=")],
  ["a query key beside another scheme", "key a", read("/mcp?key=a", "Basic b")],
  ["the same key twice", "key a", read("/mcp?key=a", "Bearer a")],
  ["two different keys", "ConflictingCredentials", read("/mcp?key=a", "Bearer b")],
  ["two different query keys", "ConflictingCredentials", read("/mcp?key=a&key=b")],
  ["the same query key twice", "key a", read("/mcp?key=a&key=a")],
  ["a key that is no query parameter", "MissingApiKey", read("/mcp;key=a")],
  ["a query key that would break out of a header", "InvalidApiKey", read("/mcp?key=a%0d%0ax:%201")],
  ["a query key that is no ASCII", "InvalidApiKey", read("/mcp?key=%C3%A9")],
  ["a query key that is switched off", "MissingApiKey", read("/mcp?key=a", undefined, false)],
  ["a query key that is switched off, beside a bearer", "key b", read("/mcp?key=a", "Bearer b", false)]
]

describe("the caller's key", () => {
  for (const [says, expected, actual] of CASES) it(`${says}: ${expected}`, () => expect(actual).toBe(expected))
})
