// An agent that has the approval URL, its own key, the owner's mailbox and a session by a mail link, in an account with a second factor:
// it approves nothing, makes no key, loosens no limit. Declining and tightening want nothing.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, codeOf, madeUpProofs, nextCode } from "./AuthenticatorApps.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"
import { agentOf, pageOf } from "./WaitingOrder.ts"

type Form = Readonly<Record<string, string>>

const post = (path: string, token: string, form: Form = {}) => visit({ method: "POST", path, token, form })

const looser = { max_order: "", max_day: "500", daily_cap: "", domains: "", approve_above: "100" }

/** All that may not be had without a factor: each with its form. */
const wishes = (keyId: string, path: string, form: Form): ReadonlyArray<readonly [path: string, form: Form]> => [
  [`${path}/approve`, form],
  [`${path}/approve`, { ...form, always: "on", up_to: "100" }],
  ["/account/keys", { label: "Mine", mode: "live", may_read: "on", may_order: "on" }],
  [`/account/keys/${keyId}/limits`, looser],
  [`/account/keys/${keyId}/limits`, { ...looser, max_day: "20", daily_cap: "3", approve_above: "" }],
  [`/account/keys/${keyId}/limits`, { ...looser, max_day: "20", daily_cap: "3", approve_above: "0.01" }]
]

layer(RunningService.layer())("an agent with the approval URL and the owner's mailbox", (it) => {
  const setUp = Effect.gen(function* () {
    const people = yield* openAccount
    const app = yield* addApp(people.owner)
    const agent = yield* agentOf(people)
    const waits = pageOf(yield* agent.order())
    // Stands for a use of the mail link before the app was added: the session itself is active.
    const attacker = yield* signIn(people.ownerEmail)
    return { ...people, ...agent, ...waits, app, attacker }
  })

  it.effect("approves nothing, makes no key and loosens no limit, whatever it sends along", () =>
    Effect.gen(function* () {
      const { app, attacker, key, path, form, ask, quoteId } = yield* setUp
      const { books } = yield* RunningService.RunningService
      const before = yield* books
      for (const proof of yield* madeUpProofs(app)) {
        for (const [to, wish] of wishes(key.keyId, path, form)) {
          const { status } = yield* post(to, attacker, { ...wish, ...proof })
          assert.deepStrictEqual([to, status], [to, 403])
        }
      }
      const after = yield* books
      assert.deepStrictEqual([after.keys, after.quotes, after.orders], [before.keys, before.quotes, before.orders])
      assert.strictEqual((yield* ask(`/quotes/${quoteId}`)).status, "awaiting_approval")
    })
  )

  it.effect("gets nowhere by its key, without a session, from another site, or by the controls of the sandbox", () =>
    Effect.gen(function* () {
      const { secret, path, form, ask, quoteId, attacker } = yield* setUp
      const bearer = { authorization: `Bearer ${secret}` }
      for (const what of ["approve", "decline"]) {
        for (const headers of [{}, bearer]) {
          const { status } = yield* visit({ method: "POST", path: `${path}/${what}`, form, headers })
          assert.strictEqual(status, 401)
        }
        const forged = { "sec-fetch-site": "cross-site" }
        const { status } = yield* visit({
          method: "POST",
          path: `${path}/${what}`,
          token: attacker,
          form,
          headers: forged
        })
        assert.strictEqual(status, 403)
        const { url } = yield* RunningService.RunningService
        const control = yield* Effect.promise(() =>
          fetch(new URL(`/api/v1/agent/sandbox/quotes/${quoteId}/${what}`, url), {
            method: "POST",
            headers: { ...bearer, "content-type": "application/json" },
            body: "{}"
          })
        )
        assert.strictEqual(control.status, 404)
      }
      assert.strictEqual((yield* ask(`/quotes/${quoteId}`)).status, "awaiting_approval")
    })
  )

  it.effect("cannot use a code that the owner has used, nor the owner of another account its own", () =>
    Effect.gen(function* () {
      const { app, attacker, owner, path, form, ask, quoteId, order } = yield* setUp
      const next = pageOf(yield* order({ anchor_text: "another" }))
      const code = yield* nextCode(app)
      assert.strictEqual((yield* post(`${next.path}/approve`, owner, { ...next.form, code })).status, 303)
      assert.strictEqual((yield* post(`${path}/approve`, attacker, { ...form, code })).status, 403)
      const other = yield* openAccount
      const own = yield* addApp(other.owner)
      const theirs = { ...form, code: yield* codeOf(own) }
      assert.strictEqual((yield* post(`${path}/approve`, attacker, theirs)).status, 403)
      assert.strictEqual((yield* post(`${path}/approve`, other.owner, theirs)).status, 404)
      assert.strictEqual((yield* ask(`/quotes/${quoteId}`)).status, "awaiting_approval")
    })
  )

  it.effect("can decline and tighten, as anyone who signs in: that costs nothing", () =>
    Effect.gen(function* () {
      const { attacker, key, path, ask, quoteId } = yield* setUp
      const tighter = { ...looser, max_day: "10", daily_cap: "1", approve_above: "0" }
      assert.strictEqual((yield* post(`/account/keys/${key.keyId}/limits`, attacker, tighter)).status, 303)
      assert.strictEqual((yield* post(`${path}/decline`, attacker, {})).status, 303)
      assert.strictEqual((yield* ask(`/quotes/${quoteId}`)).status, "abandoned")
    })
  )
})
