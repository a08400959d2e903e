// A start with DEMO=off ends the demo that the in-memory store has: its keys, and what its members made.
import { layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { demoKeys, revokeDemo } from "#adapters/demo/Demo.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import { AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { buyer, issueKey } from "#test/scenarios/Buyers.ts"
import { connectTo } from "#test/scenarios/ConnectionSteps.ts"
import { BALANCE, call, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import * as TestService from "#test/scenarios/RunningService.ts"

layer(TestService.layer({ DEMO: "on" }), { excludeTestServices: true })("the demo keys", (it) => {
  it.effect("are refused once they are revoked, and each revocation is logged once", () =>
    Effect.gen(function* () {
      const { url } = yield* TestService.RunningService
      const { lines } = yield* TestService.LogLines
      const statuses = Effect.promise(() =>
        Promise.all(
          demoKeys.map(({ text }) =>
            fetch(`${url}/api/v1/agent/balance`, { headers: { authorization: `Bearer ${text}` } }).then(
              ({ status }) => status
            )
          )
        )
      )
      expect(yield* statuses).toEqual(demoKeys.map(() => 200))
      yield* revokeDemo
      yield* revokeDemo
      expect(yield* statuses).toEqual(demoKeys.map(() => 401))
      expect(lines.filter((line) => line.includes("Revoked key_"))).toHaveLength(demoKeys.length)
    })
  )
})

layer(TestService.layer({ DEMO: "on", WEBHOOK_INSECURE_TARGETS: "true" }), { excludeTestServices: true })(
  "the demo",
  (it) => {
    it.effect(
      "ends with all that a member made: a key, its webhook, a connection, an invitation; other accounts keep theirs",
      () =>
        Effect.gen(function* () {
          const credentials = yield* Credentials
          const [{ text = "" } = {}] = demoKeys
          const { accountId = AccountId.make("") } = (yield* credentials.withText(Redacted.make(text))) ?? {}
          const mine = yield* issueKey(accountId)
          const others = yield* buyer()
          const connection = yield* connectTo(accountId)
          const { url } = yield* TestService.RunningService
          const webhook = { url: `${url}/healthz`, events: ["order.accepted"] }
          const made = yield* call("POST", WEBHOOKS, { key: mine.key, body: webhook })
          expect(made.status, made.text).toBe(201)
          const owners = yield* ManageMembers
          yield* joinAs({ accountId, email: "someone@else.example", role: "owner" })
          const [owner] = yield* owners.list(accountId)
          const by = { memberId: owner?.memberId ?? MemberId.make("") } as Confirmed // The demo has no second factor.
          yield* owners.invite({ accountId, email: "friend@else.example", role: "owner" }, by)
          const invitesElsewhere = {
            accountId: others.accountId,
            email: "friend@else.example",
            role: "viewer"
          } as const
          yield* owners.invite(invitesElsewhere, { operator: "test" })
          yield* revokeDemo
          expect((yield* owners.list(accountId)).filter(({ removedAtMs }) => removedAtMs === null)).toEqual([])
          expect(yield* owners.invitations(accountId)).toEqual([])
          expect(yield* owners.invitations(others.accountId)).toHaveLength(1)
          for (const key of [mine.key, connection.key]) expect((yield* call("GET", BALANCE, { key })).status).toBe(401)
          expect((yield* call("GET", BALANCE, { key: others.key })).status).toBe(200)
          const active = yield* (yield* Subscriptions).activeAfter({ after: null, limit: 10 })
          expect(active).toEqual([])
        })
    )
  }
)
