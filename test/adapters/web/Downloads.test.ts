// Lists that people download: spreadsheets read their letters as they are.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { webRoutes } from "#adapters/web/WebPages.ts"
import { topUp } from "#test/scenarios/Buyers.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const lists = webRoutes.flatMap(({ method, path }) => (method === "GET" && path.endsWith(".csv") ? [path] : []))

layer(RunningService.layer())("the lists of the member area", (it) => {
  it.effect("begin with one byte order mark, before the name of the first column", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      yield* topUp(account.accountId, 700)
      assert.includeMembers([...lists], ["/account/orders.csv", "/account/credit.csv"])
      for (const path of lists) {
        const { text, headers } = yield* visit({ path, token: owner })
        assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8", path)
        assert.match(text, /^\uFEFF[a-z_]+,/i, path)
        assert.strictEqual(text.lastIndexOf("\uFEFF"), 0, path)
      }
    })
  )
})
