// Connections on the operator plane: listed with their clients, limited and revoked, by calls and by commands.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { Connection, ConnectionWithUsage } from "#adapters/operator/records/AccountRecords.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { CLIENT, connected } from "#test/scenarios/ConnectionSteps.ts"
import { BALANCE, call, placedBy, postOrder, QUOTES, refusalIn, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { refusal, runJson, succeed } from "../cli/RunCommand.ts"
import { operatorService } from "./OperatorService.ts"

const Listed = Schema.Array(ConnectionWithUsage)

layer(operatorService(), { excludeTestServices: true })("connections, by the operator", (it) => {
  it.effect("are listed with their client, host, limits and who let them in", () =>
    Effect.gen(function* () {
      const { accountId, keyId, owner, withKey } = yield* connected({ limits: { maxDayCents: 900 } })
      const [one, ...others] = yield* runJson(Listed, "connection", "list", accountId)
      expect(others).toEqual([])
      expect(one?.connection).toMatchObject({
        keyId,
        label: CLIENT.name,
        consent: { clientId: CLIENT.clientId, clientHost: CLIENT.host, memberId: owner.member.memberId }
      })
      expect(one).not.toHaveProperty("connection.hash")
      const text = yield* succeed("connection", "list", accountId)
      for (const shown of [keyId, "Chat", "chat.example", "9.00 EUR a day", "approval above 0.00 EUR"])
        expect(text).toContain(shown)
      const keys = yield* succeed("key", "list", accountId)
      expect([keys.includes(withKey.keyId), keys.includes(keyId)]).toEqual([true, false])
    })
  )

  it.effect("are limited: limits that are not given stay", () =>
    Effect.gen(function* () {
      const { keyId } = yield* connected({ limits: { maxDayCents: 900 } })
      const limited = yield* runJson(Connection, "connection", "limit", keyId, "--max-order-eur", "5")
      expect(limited.limits).toMatchObject({ maxOrderCents: 500, maxDayCents: 900, approveAboveCents: 0 })
      const refused = yield* refusal("connection", "limit", keyId)
      expect(refused).toContain("Give the limits to change, or --unlimited.")
      expect(yield* succeed("connection", "limit", keyId, "--unlimited")).toBe(
        `Connection ${keyId} now has no limits of its own.`
      )
    })
  )

  it.effect("are revoked with what waits for approval, and their webhooks are found by them until then", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const who = yield* connected({ creditCents: 5_000 })
      const { siteId } = yield* listSite()
      const { quote_id } = placedBy(yield* postOrder(who.key, cart([item(siteId)])))
      yield* call("POST", WEBHOOKS, { key: who.key, body: { url: `${url}/healthz`, events: ["order.accepted"] } })
      expect(yield* succeed("webhook", "list", who.accountId, who.keyId)).toContain(`${url}/healthz`)
      expect(yield* succeed("connection", "revoke", who.keyId)).toContain(`Connection ${who.keyId} is revoked since`)
      expect(refusalIn(yield* call("GET", BALANCE, { key: who.key })).code).toBe("revoked_api_key")
      const quote = JSON.parse((yield* call("GET", `${QUOTES}/${quote_id}`, { key: who.withKey.key })).text)
      expect(quote.status).toBe("abandoned")
      expect(yield* succeed("webhook", "list", who.accountId, who.keyId)).not.toContain("/healthz")
    })
  )

  it.effect("are no keys, and keys are no connections", () =>
    Effect.gen(function* () {
      const { withKey } = yield* connected()
      for (const command of [["revoke"], ["limit", "--unlimited"]]) {
        const [verb = "", ...flags] = command
        expect(yield* refusal("connection", verb, withKey.keyId, ...flags)).toContain("There is no")
      }
      expect((yield* call("GET", BALANCE, { key: withKey.key })).status).toBe(200)
    })
  )
})
