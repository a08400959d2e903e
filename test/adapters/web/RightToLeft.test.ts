// Names that are written from right to left: the words and the numbers beside them stay where they are.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ALL_SCOPES, noLimits } from "#core/domain/access/ApiKey.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const LABEL = "מפתח 12!"

layer(RunningService.layer())("a name from right to left", (it) => {
  it.effect("is isolated on the pages of a key, in what was done and among activities", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      const wanted = { accountId: account.accountId, mode: "live", label: LABEL, scopes: ALL_SCOPES } as const
      const { key } = yield* (yield* Credentials).issue({ ...wanted, limits: noLimits }, "test")
      const at = (path: string) => Effect.map(visit({ path, token: owner }), ({ text }) => text)
      const revoke = `/account/keys/${key.keyId}/revoke`
      assert.include(yield* at("/account/keys"), `<bdi>${LABEL}</bdi>`)
      assert.include(yield* at(revoke), `<h1>Revoke \u2068${LABEL}\u2069?</h1>`)
      const { cookies } = yield* visit({ method: "POST", path: revoke, token: owner })
      assert.include(decodeURIComponent(cookies.join()), `The key \u2068${LABEL}\u2069 is revoked`)
      assert.include(yield* at("/account/settings/activity"), `“\u2068${LABEL}\u2069”`)
    })
  )
})
