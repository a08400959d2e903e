// Every error as a tool returns it: its suggestion names tools or what to tell the user, never a route or a header.
import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { PUBLIC_ERRORS } from "#adapters/contract/errors/ErrorCode.ts"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { fullTools, tools } from "#adapters/mcp/Tools.ts"
import { inTermsOfAllTools, inTermsOfTools } from "#adapters/mcp/ToolWording.ts"
import { samples } from "#test/adapters/contract/errors/FailureSamples.ts"

const REST_TERMS =
  /\b(GET|POST|PUT|PATCH|DELETE)\b|\/api\/|\/openapi|\bheader\b(?! and in the URL)|Idempotency-Key|Authorization|Bearer|Retry-After|same key/

/** Codes that a client of /mcp causes by its HTTP, or that belong to operations without a tool. */
const WITHOUT_TOOL: ReadonlySet<string> = new Set([
  "delivery_not_found",
  "method_not_allowed",
  "route_not_found",
  "unsupported_media_type",
  "webhook_limit_reached",
  "webhook_not_found",
  "webhook_url_refused"
])

const failures: ReadonlyArray<Failure> = Object.values(samples).flat()

describe.each([
  ["/mcp", inTermsOfTools, tools],
  ["/mcp/full", inTermsOfAllTools, fullTools]
] as const)("errors in terms of the tools of %s", (_, inTerms, listed) => {
  const names = listed.map(({ name }) => name)
  for (const failure of failures) {
    const { body } = toErrorResponse(failure, "req_1")
    const { code } = body.error
    if (!(code in PUBLIC_ERRORS) || WITHOUT_TOOL.has(code)) continue

    it(`${failure._tag} (${code})`, () => {
      const shown = inTerms(body)
      const { suggestion = "", param = "" } = shown.error
      expect(suggestion).not.toMatch(REST_TERMS)
      expect(param).not.toMatch(REST_TERMS)
      expect(suggestion.length, "every refusal says what to do next").toBeGreaterThan(20)
      for (const [named] of suggestion.matchAll(
        /\b(?:(?:search|get|list|check|create|cancel|change)_[a-z_]+|request_top_up)/g
      )) {
        expect(names).toContain(named)
      }
      expect(
        { ...shown, error: { ...shown.error, suggestion, param } },
        "nothing else differs from REST"
      ).toStrictEqual({ ...body, error: { ...body.error, suggestion, param } })
    })
  }
})
