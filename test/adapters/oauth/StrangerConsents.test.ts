// An agent that has the owner's mailbox and its own client, in an account with a second factor: it connects no client, and loosens the
// limits of none that is connected. Refusing takes no factor.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { addApp, madeUpProofs, nextCode } from "#test/adapters/web/AuthenticatorApps.ts"
import { linkTo, openAccount, signIn } from "#test/adapters/web/Visitors.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { makeBrowser } from "./Browser.ts"
import {
  authorizePath,
  callApi,
  exchange,
  formOf,
  leave,
  MAY_ORDER,
  newVerifier,
  registeredId,
  tokensOf
} from "./Flow.ts"

const LOOSER = { max_order: "", max_day: "", approve_above: "" }

/** An account whose owner has an app and let one client in; the agent has a session by a mail link that was used before the app was added. */
const setUp = Effect.gen(function* () {
  const people = yield* openAccount
  const app = yield* addApp(people.owner)
  const owner = yield* makeBrowser(people.owner)
  const request = { clientId: yield* registeredId(), verifier: newVerifier(), params: { scope: "read order" } }
  const { location } = yield* owner.get(authorizePath(request))
  const form = formOf(yield* owner.get(location), { ...MAY_ORDER, max_order: "5", code: yield* nextCode(app) })
  const answer = yield* leave(owner, yield* owner.post(`${location}/allow`, form))
  const tokens = tokensOf(yield* exchange(request, answer.searchParams.get("code") ?? ""))
  const agent = yield* makeBrowser(yield* signIn(people.ownerEmail))
  return { ...people, app, request, tokens, agent }
})

layer(RunningService.layer(), { excludeTestServices: true })("an agent with a client and the owner's mailbox", (it) => {
  it.effect("lets in no client, neither its own nor a known one with looser limits", () =>
    Effect.gen(function* () {
      const { account, app, request, tokens, agent } = yield* setUp
      const connections = (yield* Credentials).connections(account.accountId)
      const before = (yield* connections).map(({ connection }) => connection)
      expect(before).toHaveLength(1)
      const own = { clientId: yield* registeredId(), verifier: newVerifier(), params: { scope: "read order" } }
      for (const asked of [own, request]) {
        const { location } = yield* agent.get(authorizePath(asked))
        for (const proof of yield* madeUpProofs(app)) {
          const form = formOf(yield* agent.get(location), { ...LOOSER, ...proof })
          expect((yield* agent.post(`${location}/allow`, form)).status).toBe(403)
        }
        // The keys that it has do not help either, without the page.
        const bearer = { authorization: `Bearer ${tokens.access}` }
        const stranger = yield* makeBrowser()
        expect((yield* stranger.post(`${location}/allow`, LOOSER, bearer)).location).not.toContain("/continue")
        const went = yield* agent.get(location.replace("/account/consent/", "/oauth/authorize/"))
        expect(went.location).not.toContain("code=")
      }
      const [left] = before
      for (const proof of yield* madeUpProofs(app)) {
        const { status } = yield* agent.post(`/account/connections/${left?.keyId}/limits`, { ...LOOSER, ...proof })
        expect(status).toBe(403)
      }
      expect((yield* connections).map(({ connection }) => connection)).toEqual(before)
      expect((yield* callApi(tokens.access)).body["key"]).toMatchObject({
        limits: { max_order_cents: 500, approve_above_cents: 0 }
      })
    })
  )

  it.effect("is not even signed in by a new mail link, without the code that goes with it", () =>
    Effect.gen(function* () {
      const { ownerEmail, app } = yield* setUp
      const stranger = yield* makeBrowser()
      const asked = { clientId: yield* registeredId(), verifier: newVerifier() }
      const { location } = yield* stranger.get(authorizePath(asked))
      const token = yield* linkTo(ownerEmail)
      for (const proof of yield* madeUpProofs(app)) {
        expect((yield* stranger.post("/account/sign-in/use", { token, ...proof })).status).not.toBe(303)
      }
      expect([...stranger.cookies.keys()].filter((name) => name.startsWith("session"))).toEqual([])
      expect((yield* stranger.get(location)).location).toMatch(/\/account\/sign-in$/)
    })
  )

  it.effect("can refuse, and tighten", () =>
    Effect.gen(function* () {
      const { account, agent, tokens } = yield* setUp
      const asked = { clientId: yield* registeredId(), verifier: newVerifier() }
      const { location } = yield* agent.get(authorizePath(asked))
      const answer = yield* leave(agent, yield* agent.post(`${location}/refuse`))
      expect(answer.searchParams.get("error")).toBe("access_denied")
      const [made] = yield* (yield* Credentials).connections(account.accountId)
      const tighter = {
        max_order: "1",
        max_day: "2",
        domains: "",
        approve_above: "0",
        hold_look_alikes: "on"
      }
      const path = `/account/connections/${made?.connection.keyId}/limits`
      expect((yield* agent.post(path, tighter)).status).toBe(303)
      expect((yield* callApi(tokens.access)).body["key"]).toMatchObject({ limits: { max_order_cents: 100 } })
    })
  )
})
