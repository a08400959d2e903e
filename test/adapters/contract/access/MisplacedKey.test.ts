// Where a key is found that came in another dress, and what of it is shown: never more than its owner is shown in the member area.
import { describe, it } from "@effect/vitest"
import fc from "fast-check"
import { expect } from "vitest"
import { misplacedKey } from "#adapters/contract/access/MisplacedKey.ts"
import { formatKey, KEY_ENTROPY_BYTES } from "#core/domain/access/ApiKeyFormat.ts"
import { property } from "#test/Property.ts"

const KEY = formatKey("live", new Uint8Array(KEY_ENTROPY_BYTES).fill(7))
const MASKED = `sn_live_…${KEY.slice(-4)}`

const at = (headers: Readonly<Record<string, string>>, query = "") => {
  const found = misplacedKey({ headers, url: `/api/v1/agent/balance${query}` })
  return found === undefined ? undefined : [found.place, found.shown]
}

const AUTHORIZATION = "the Authorization header"

const CASES: ReadonlyArray<readonly [says: string, found: ReturnType<typeof at>, expected: ReturnType<typeof at>]> = [
  ["nothing", at({}), undefined],
  ["no scheme", at({ authorization: ` ${KEY} ` }), [`${AUTHORIZATION} without a scheme`, MASKED]],
  ["a token without a scheme", at({ authorization: "a".repeat(43) }), [`${AUTHORIZATION} without a scheme`, null]],
  ["another scheme", at({ authorization: `ApiKey ${KEY}` }), [`${AUTHORIZATION} with another scheme`, MASKED]],
  ["a scheme with a colon", at({ authorization: `Bearer: ${KEY}` }), [`${AUTHORIZATION} with another scheme`, MASKED]],
  ["two keys", at({ authorization: `${KEY} ${KEY}` }), [`${AUTHORIZATION} with another scheme`, MASKED]],
  ["Basic", at({ authorization: `basic ${btoa(`${KEY}:`)}` }), [`${AUTHORIZATION} with the scheme Basic`, MASKED]],
  [
    "a password",
    at({ authorization: `Basic ${btoa(`a:${KEY}`)}` }),
    [`${AUTHORIZATION} with the scheme Basic`, MASKED]
  ],
  ["Basic of somebody else", at({ authorization: `Basic ${btoa("a:b")}` }), undefined],
  ["Basic that is none", at({ authorization: "Basic %%%" }), undefined],
  ["Bearer alone", at({ authorization: "Bearer" }), undefined],
  ["another scheme's credentials", at({ authorization: "Negotiate YIIJ" }), undefined],
  ["X-API-Key", at({ "x-api-key": KEY }), ["the header X-API-Key", MASKED]],
  ["X-API-Key with what is no key", at({ "x-api-key": "abc" }), ["the header X-API-Key", null]],
  ["X-API-Key that is empty", at({ "x-api-key": " " }), undefined],
  ["X-API-Key with the scheme", at({ "x-api-key": `Bearer ${KEY}` }), ["the header X-API-Key", MASKED]],
  ["another header", at({ "x-auth-token": KEY }), ["the header x-auth-token", MASKED]],
  ["a header whose name is a key", at({ [KEY.toLowerCase()]: KEY }), ["a header", MASKED]],
  ["the page before", at({ referer: `https://a.example/?key=${KEY}` }), undefined],
  ["the query", at({}, `?key=${KEY}`), ["the query of the URL", MASKED]],
  ["the query, escaped", at({}, `?k=%73${KEY.slice(1)}`), ["the query of the URL", MASKED]],
  ["the name of a parameter", at({}, `?${KEY}`), ["the query of the URL", MASKED]],
  ["a token in the query", at({}, "?access_token=abc"), ["the query of the URL", null]],
  ["another query", at({}, "?limit=5&cursor=key"), undefined],
  ["a mistyped key", at({ "x-api-key": `${KEY}0` }), ["the header X-API-Key", null]]
]

describe("a key in another dress", () => {
  for (const [says, found, expected] of CASES) it(`${says}`, () => expect(found).toStrictEqual(expected))

  const key = fc
    .uint8Array({ minLength: KEY_ENTROPY_BYTES, maxLength: KEY_ENTROPY_BYTES })
    .map((bytes) => formatKey("sandbox", bytes))
  const name = fc.constantFrom("authorization", "x-api-key", "cookie", "x-anything", "api-key")
  const around = fc.string({ maxLength: 12 })

  property("is never shown in full", [key, name, around, around], (secret, header, before, after) => {
    const texts = [`${before}${secret}${after}`, `Basic ${btoa(unescape(encodeURIComponent(`${before}${secret}`)))}`]
    for (const text of texts) {
      const found = at({ [header]: text }, `?${encodeURIComponent(before)}=${encodeURIComponent(text)}`)
      const shown = JSON.stringify(found ?? "")
      expect(shown).not.toContain(secret.slice("sn_test_".length, -6))
      expect(shown.replace(/sn_test_…\w{4}/, "")).not.toContain("sn_test_")
    }
  })
})
