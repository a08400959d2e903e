// A reviewer of a directory connects an assistant: signed in by password on the way, in the sandbox and nowhere else.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { openReview } from "#test/adapters/web/Visitors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import { authorizePath, callApi, exchange, formOf, leave, newVerifier, registeredId, tokensOf } from "./Flow.ts"

layer(RunningService.layer(), { excludeTestServices: true })("A client that a reviewer lets in", (it) => {
  it.effect("is asked for on the way through the sign-in, and works in the sandbox", () =>
    Effect.gen(function* () {
      const { reviewer, password } = yield* openReview
      const browser = yield* makeBrowser()
      const request = { clientId: yield* registeredId(), verifier: newVerifier() }
      const { location: asking } = yield* browser.get(authorizePath(request))
      expect((yield* browser.get(asking)).location).toMatch(/\/account\/sign-in$/)
      const signedIn = yield* browser.post("/account/sign-in/reviewer", { name: reviewer.name, password })
      expect([signedIn.status, signedIn.location]).toEqual([303, new URL(asking, "http://x").pathname])
      const page = yield* browser.get(signedIn.location)
      expect(page.text).toContain('<option value="sandbox"')
      expect(page.text).not.toContain('<option value="live"')
      const answer = yield* leave(
        browser,
        yield* browser.post(`${signedIn.location}/allow`, formOf(page, { mode: "sandbox" }))
      )
      const tokens = tokensOf(yield* exchange(request, answer.searchParams.get("code") ?? ""))
      const me = yield* callApi(tokens.access)
      expect(me.body).toMatchObject({ key: { label: "An assistant", mode: "sandbox" }, sandbox: true })
    })
  )

  it.effect("is not let into live orders, whatever the form says", () =>
    Effect.gen(function* () {
      const { token } = yield* openReview
      const browser = yield* makeBrowser(token)
      const request = { clientId: yield* registeredId(), verifier: newVerifier() }
      const { location: asking } = yield* browser.get(authorizePath(request))
      const page = yield* browser.get(asking)
      const path = new URL(asking, "http://x").pathname
      const refused = yield* browser.post(`${path}/allow`, formOf(page, { mode: "live" }))
      expect([refused.status, refused.text.includes("Only an owner")]).toEqual([403, true])
      expect((yield* browser.get(asking)).text, "the request still waits").toContain("Allow")
    })
  )
})
