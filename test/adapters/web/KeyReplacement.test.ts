// An owner replaces a key on its page: the new one is shown once after a redirect, and the page of keys says how long the former one is good.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { issueKey } from "#test/scenarios/Buyers.ts"
import { call, ME } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp } from "./AuthenticatorApps.ts"
import { openAccount, visit } from "./Visitors.ts"

const shownKey = (text: string): string => /id="key">(?:<span class="long">)?(sn_live_\w+)</.exec(text)?.[1] ?? ""

const formIdIn = (text: string): string => /name="form_id" value="([^"]+)"/.exec(text)?.[1] ?? ""

const statusWith = (key: string) => Effect.map(call("GET", ME, { key }), ({ status }) => status)

layer(RunningService.layer())("a key on its page", (it) => {
  for (const [ends, former] of [
    ["later", 200],
    ["now", 401]
  ] as const) {
    it.effect(`is replaced, and the former one ends ${ends}`, () =>
      Effect.gen(function* () {
        const { account, owner } = yield* openAccount
        const { key, keyId } = yield* issueKey(account.accountId)
        const path = `/account/keys/${keyId}/replace`
        assert.include((yield* visit({ path: "/account/keys", token: owner })).text, `href="${path}"`)
        const asked = yield* visit({ path, token: owner })
        assert.include(asked.text, `…${key.slice(-4)}`)
        const form = { ends, last_four: key.slice(-4), form_id: formIdIn(asked.text) }
        const done = yield* visit({ method: "POST", path, token: owner, form })
        assert.strictEqual(done.status, 303)
        const shown = yield* visit({ path: done.location ?? "", token: owner })
        const next = shownKey(shown.text)
        assert.deepStrictEqual([yield* statusWith(next), yield* statusWith(key)], [200, former])
        const keys = yield* visit({ path: "/account/keys", token: owner })
        assert.include(keys.text, `…${next.slice(-4)}`)
        assert.strictEqual(keys.text.includes("replaced, is active until"), ends === "later")
        // The same form once more, as after a double click, and one that was shown before.
        const twice = yield* visit({ method: "POST", path, token: owner, form })
        assert.deepStrictEqual([twice.status, twice.location], [303, done.location])
        assert.strictEqual(yield* statusWith(next), 200)
        const stale = { ...form, form_id: formIdIn((yield* visit({ path, token: owner })).text) }
        const again = yield* visit({ method: "POST", path, token: owner, form: stale })
        assert.strictEqual(again.status, 409)
        assert.include(again.text, "This key was replaced since you opened this page")
        assert.strictEqual(yield* statusWith(next), 200)
      })
    )
  }

  it.effect("wants a fresh proof in an account with a second factor", () =>
    Effect.gen(function* () {
      const { account, owner } = yield* openAccount
      const { key, keyId } = yield* issueKey(account.accountId)
      yield* addApp(owner)
      const form = { ends: "now", last_four: key.slice(-4) }
      const asked = yield* visit({ method: "POST", path: `/account/keys/${keyId}/replace`, token: owner, form })
      assert.deepStrictEqual([asked.status, yield* statusWith(key)], [403, 200])
    })
  )
})
