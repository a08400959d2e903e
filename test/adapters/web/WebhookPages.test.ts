// Tests and redeliveries of a webhook, asked for on its page: as many as the API allows, then a sentence with the time of the next one.
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { webhookFacts, whatToDo } from "#adapters/web/agents/WebhookFacts.ts"
import { endpointState } from "#adapters/web/Wording.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { DISABLE_AFTER_MS } from "#core/domain/webhooks/DeliverySchedule.ts"
import { healthAfter, healthy, switched } from "#core/domain/webhooks/EndpointHealth.ts"
import { WatchActivity } from "#core/usecases/operations/WatchActivity.ts"
import { receiver } from "#test/adapters/outbound/Receiver.ts"
import { subscription } from "#test/core/Given.ts"
import { issueKey, item, order } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const DAILY = 20

it("a webhook that has sent nothing, works, fails or is off says so, and what to do", () => {
  const served = { atMs: 1_000, httpStatus: 200, fault: null, durationMs: 20 } as const
  const failed = { atMs: 2_000, httpStatus: 503, fault: "http_status", durationMs: 30 } as const
  const silent = { atMs: 2_000 + DISABLE_AFTER_MS, httpStatus: null, fault: "timeout", durationMs: 10_000 } as const
  const works = healthAfter(healthy, served, "webhook.test")
  const failing = healthAfter(works, failed, "order.accepted")
  const off = switched(works, { isActive: false, byOwner: true, atMs: 3_000 })
  const given = (health: typeof healthy) => subscription("wh_1", { health })
  const factsOf = (health: typeof healthy) => webhookFacts(given(health), "Assistant", []).text
  assert.include(endpointState(given(healthy)).text, '<span class="pill off">nothing sent yet')
  for (const health of [healthy, works]) assert.strictEqual(whatToDo(given(health)).text, "")
  assert.notMatch(factsOf(healthy), /Last (?:success|failure)/)
  assert.match(factsOf(works), /<dt>Last success<\/dt>.*answered HTTP 200, after 20 ms/)
  assert.match(factsOf(failing), /<dt>Last failure<\/dt>.*answered HTTP 503, after 30 ms/)
  assert.notInclude(factsOf(failing), "Last success")
  assert.match(
    whatToDo(given(failing)).text,
    /Deliveries fail\..*Then send a test.*switched off, and owners are told by mail/s
  )
  const ended = healthAfter(failing, silent, "order.accepted")
  assert.include(factsOf(ended), "no answer in time, after 10.0 s")
  assert.include(whatToDo(given(ended)).text, "Once the program at this address answers again, turn it on again")
  assert.include(whatToDo(given(off)).text, "Nothing is sent now.</strong> Turn it on again")
})

layer(RunningService.layer({ WEBHOOK_INSECURE_TARGETS: "true" }), { excludeTestServices: true })(
  "a webhook's page",
  (it) => {
    it.effect("turns a webhook off and on again, and sends what it missed", () =>
      Effect.gen(function* () {
        const { account, owner: token } = yield* openAccount
        const { api } = yield* issueKey(account.accountId)
        const { url, next } = yield* receiver()
        const hook = yield* api.webhooks.createWebhook({ payload: { url, events: ["quote.abandoned"] } })
        const page = `/account/webhooks/${hook.id}`
        const press = (what: string) => visit({ method: "POST", path: `${page}/${what}`, token })
        assert.include((yield* visit({ path: page, token })).text, "Turn off")
        assert.strictEqual((yield* press("off")).status, 303)
        const off = (yield* visit({ path: page, token })).text
        assert.include(off, "turned off")
        assert.include(off, "Turn on again")
        const enabled = yield* Effect.flip(
          api.webhooks.changeWebhook({ params: { id: hook.id }, payload: { active: true } })
        )
        assert.deepInclude(JSON.parse(JSON.stringify(enabled)).error, { code: "not_changeable", status: 409 })
        const { records } = yield* (yield* WatchActivity).audit({ limit: 200, beforeId: null })
        const changed = records.find(({ action, subject }) => action === "webhook.change" && subject === hook.id)
        assert.match(String(changed?.actor), /^mem_/)
        const { siteId } = yield* listSite()
        const { quote_id } = yield* order({ api }, [item(siteId)])
        yield* api.quotes.abandonQuote({ params: { id: quote_id ?? QuoteId.make("") } })
        assert.strictEqual((yield* press("on")).status, 303)
        assert.strictEqual((yield* press("replay")).location, page)
        assert.strictEqual((yield* next).headers["service-event"], "quote.abandoned")
        const shown = (yield* visit({ path: page, token })).text
        assert.include(shown, "Send what it missed")
        assert.notInclude(shown, "replay</button>")
      })
    )

    it.effect("sends 20 tests and 20 redeliveries within 24 hours, and then says when the next one is possible", () =>
      Effect.gen(function* () {
        const { account, owner: token } = yield* openAccount
        const { api } = yield* issueKey(account.accountId)
        const { url } = yield* receiver()
        const hook = yield* api.webhooks.createWebhook({ payload: { url, events: ["order.accepted"] } })
        const { delivery_id } = yield* api.deliveries.testWebhook({ params: { id: hook.id } })
        const page = `/account/webhooks/${hook.id}`
        const asked = [
          { path: `${page}/test`, before: 1, what: "20 tests" },
          { path: `${page}/deliveries/${delivery_id}/redeliver`, before: 0, what: "20 redeliveries" }
        ]
        for (const { path, before, what } of asked) {
          for (let sent = before; sent < DAILY; sent++) {
            const { status, location } = yield* visit({ method: "POST", path, token })
            assert.deepStrictEqual([status, location], [303, page])
          }
          const refused = yield* visit({ method: "POST", path, token })
          assert.strictEqual(refused.status, 429)
          assert.include(refused.text, `Nothing was sent. This webhook had ${what} within 24 hours`)
          assert.include(refused.text, `<a href="${page}">`)
          assert.notInclude(refused.text, "/api/v1")
        }
      })
    )
  }
)
