// Errors name what the caller presented, over REST and in terms of tools: for every failure, the text for a connection mentions no key as
// the caller's, and the text for a key no connection or token.
import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { credentialKindOf } from "#adapters/contract/errors/CredentialNouns.ts"
import { PUBLIC_ERRORS } from "#adapters/contract/errors/ErrorCode.ts"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { inTermsOfTools } from "#adapters/mcp/ToolWording.ts"
import { samples } from "./FailureSamples.ts"

/** What calls without a credential, or with two keys, and what is the operator's. */
const NOT_OF_A_CALLER: ReadonlySet<string> = new Set(["missing_api_key", "conflicting_credentials"])

const OWN_KEY = /\b(this|your|an?|the|new|sandbox|live) (API )?keys?\b(?! or connection)/i
const IDEMPOTENCY = /idempotency[-_ ]key|new key\. GET|same key/gi
const OWN_TOKEN = /\b(this|the) (connection|access token)\b/i

const failures: ReadonlyArray<Failure> = Object.values(samples).flat()

const textsOf = (failure: Failure, by: "key" | "connection"): string => {
  const { body } = toErrorResponse(failure, "req_1", true, by)
  return [body, inTermsOfTools(body, by)]
    .map(({ error }) => `${error.message} ${error.suggestion}`)
    .join("\n")
    .replaceAll(IDEMPOTENCY, "…")
}

describe("the texts of errors", () => {
  for (const failure of failures) {
    const { code } = toErrorResponse(failure, "req_1").body.error
    if (!(code in PUBLIC_ERRORS) || NOT_OF_A_CALLER.has(code)) continue
    it(`name a connection to a connection, and a key to a key: ${failure._tag} (${code})`, () => {
      expect(textsOf(failure, "connection")).not.toMatch(OWN_KEY)
      expect(textsOf(failure, "key")).not.toMatch(OWN_TOKEN)
    })
  }

  it("take what has the text of a token for one, and what is mistyped for a key", () => {
    const [key] = demoKeys
    for (const text of [key?.text ?? "", `${key?.text}x`, "sn_live_", "x", ""]) {
      expect([text, credentialKindOf(text)]).toEqual([text, "key"])
    }
    expect(credentialKindOf("a".repeat(43))).toBe("connection")
  })
})
