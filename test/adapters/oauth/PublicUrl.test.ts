// Behind a proxy: every address that the authorization server tells is of PUBLIC_URL, whatever the request's headers say, and cookies are
// for https alone.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { exchange as send } from "#test/adapters/http/server/RawHttp.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { authorizePath, newVerifier, registeredId } from "./Flow.ts"

const PUBLIC_URL = "https://shop.example"

/** Forged in every header that could name another host. */
const forged = (path: string) =>
  Effect.flatMap(RunningService.RunningService, ({ port }) =>
    send(
      port,
      [
        `GET ${path} HTTP/1.1`,
        "Host: evil.example",
        "X-Forwarded-Host: evil.example",
        "X-Forwarded-Proto: gopher",
        "Forwarded: host=evil.example;proto=http",
        "",
        ""
      ].join("\r\n")
    )
  )

layer(RunningService.layer({ PUBLIC_URL }), { excludeTestServices: true })("Behind a proxy", (it) => {
  it.effect("metadata and challenges name the public URL alone", () =>
    Effect.gen(function* () {
      for (const path of [
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/api/v1/agent/me"
      ]) {
        const { headers, body } = yield* forged(path)
        const text = `${[...headers]} ${body}`
        expect(text).toContain(PUBLIC_URL)
        expect(text).not.toContain("evil.example")
      }
    })
  )

  it.effect("the browser is kept on the public URL, with cookies for https alone", () =>
    Effect.gen(function* () {
      const clientId = yield* registeredId()
      const { status, headers } = yield* forged(authorizePath({ clientId, verifier: newVerifier() }))
      expect(status).toBe(303)
      expect(`${[...headers]}`).not.toContain("evil.example")
      const cookies = headers.getSetCookie()
      expect(cookies).toHaveLength(4)
      for (const cookie of cookies) expect([/; HttpOnly/i.test(cookie), /; Secure/i.test(cookie)]).toEqual([true, true])
    })
  )
})
