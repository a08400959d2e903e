// The consent page for a client that is connected already: what of the connection changes.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import { authorizePath, connect, consent, MAY_ORDER } from "./Flow.ts"

layer(RunningService.layer(), { excludeTestServices: true })("The consent page of a connected client", (it) => {
  it.effect("says what consent gives back, what it takes, and what another kind ends", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const { owner: session, account } = yield* openAccount
      const browser = yield* makeBrowser(session)
      const { request } = yield* connect(browser, { scope: "read order" }, MAY_ORDER)
      const pageOf = Effect.fnUntraced(function* (params: Readonly<Record<string, string>>) {
        const { location } = yield* browser.get(authorizePath({ ...request, params }))
        return (yield* browser.get(location)).text
      })
      const again = yield* pageOf({ scope: "read order" })
      expect(again).toContain("It asks for nothing that you have not allowed before.")
      expect(again).toContain("Leave the tick out, and it may no longer order.")
      expect(again).toContain("Its present connection is live. If you choose the other kind")
      const who = yield* (yield* MemberSessions).authenticate(session)
      const present = Effect.map(
        Effect.flatMap(Credentials, ({ connections }) => connections(account.accountId)),
        ([one]) => one?.connection
      )
      const keyId = (yield* present)?.keyId ?? KeyId.make("")
      yield* (yield* OwnCredentials).setAccountView(who, keyId, false, Effect.never)
      const widened = yield* pageOf({ scope: "read order" })
      expect(widened).toContain("New: it may read all orders of the account again;</strong> until now only its own.")
      expect(widened).not.toContain("It asks for nothing")
      expect(widened).toContain("Read all orders of this account")
      // The catalogue never shows more than the client placed itself, and consent to it gives nothing back.
      const params = { resource: `${url}/mcp/catalog`, scope: "read" }
      const catalogue = yield* pageOf(params)
      expect(catalogue).not.toContain("Read all orders of this account")
      expect(catalogue).not.toContain("all orders of the account again")
      expect(catalogue).toContain("It may order now, and does not ask to")
      yield* consent(browser, { ...request, params })
      expect((yield* present)?.consent.seesAccount).toBe(false)
      yield* consent(browser, { ...request, params: { scope: "read" } })
      expect((yield* present)?.consent.seesAccount).toBe(true)
    })
  )
})
