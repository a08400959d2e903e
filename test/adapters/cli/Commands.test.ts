// Every command against a running service: its effect, its text and its JSON.
import { layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { expect } from "vitest"
import * as Accounts from "#adapters/operator/records/AccountRecords.ts"
import { ActivityEvent, ReconciliationReport, Webhook } from "#adapters/operator/records/MonitoringRecords.ts"
import { OrderDetails, Quote } from "#adapters/operator/records/OrderRecords.ts"
import { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { Link } from "#core/domain/ordering/Link.ts"
import { operatorService, TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { buyer, item } from "#test/scenarios/Buyers.ts"
import { createProject, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { BALANCE, call, placedBy, postOrder, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { IssuedKey, refusal, runCommandIn, runJson, succeed } from "./RunCommand.ts"

const readActivityEvent = Schema.decodeUnknownSync(Schema.fromJsonString(ActivityEvent))
const Fulfilment = Schema.Struct({ fulfilment: Schema.String })

/** An order of one link that waits for the operator. */
const order = Effect.fnUntraced(function* () {
  const { accountId, keyId, key } = yield* buyer({ creditCents: 10_000 })
  const { siteId, domain } = yield* listSite({ shelf: "Nautilus" })
  const placed = placedBy(yield* postOrder(key, { items: [item(siteId)] }))
  const { links } = yield* runJson(OrderDetails, "order", "show", placed.order_id ?? "")
  return { accountId, keyId, key, domain, orderId: placed.order_id ?? "", linkId: links[0]?.linkId ?? "" }
})

/** A quote that awaits payment. */
const quote = Effect.fnUntraced(function* () {
  const { key, accountId } = yield* buyer()
  const { siteId } = yield* listSite()
  return { key, accountId, quoteId: placedBy(yield* postOrder(key, { items: [item(siteId)] })).quote_id ?? "" }
})

layer(operatorService(), { excludeTestServices: true })("accounts and keys", (it) => {
  it.effect("account open, list, show, topup and ledger", () =>
    Effect.gen(function* () {
      const opened = yield* succeed("account", "open", "--name", "Ada", "--email", "ada@brand.example")
      const accountId = /acc_\w+/.exec(opened)?.[0] ?? ""
      const topUp = ["account", "topup", accountId, "--eur", "25.10", "--reference", "transfer 1"]
      expect(yield* succeed(...topUp)).toBe(`Booked 25.10 EUR; the balance of ${accountId} was 25.10 EUR then.`)
      expect(yield* succeed(...topUp)).toMatch(
        /^25\.10 EUR were booked already under this reference, at .*; nothing was booked now\.$/
      )
      const debit = [
        "account",
        "debit",
        accountId,
        "--eur",
        "5.00",
        "--reference",
        "transfer 1",
        "--reason",
        "mistyped"
      ]
      expect(yield* succeed(...debit)).toBe(`Took 5.00 EUR; the balance of ${accountId} was 20.10 EUR then.`)
      expect(yield* succeed(...debit)).toMatch(/^5\.00 EUR were taken already/)
      yield* succeed("account", "topup", accountId, "--eur", "5.00", "--reference", "transfer 2")
      expect(yield* succeed("account", "show", accountId)).toMatch(/available +25\.10 EUR/)
      const accounts = yield* runJson(Schema.Array(Accounts.Account), "account", "list")
      expect(accounts.find((account) => account.accountId === accountId)?.wallet.balanceCents).toBe(2_510)
      expect(yield* succeed("account", "list")).toMatch(
        new RegExp(`${accountId} +Ada +ada@brand.example +25\\.10 +0\\.00`)
      )
      yield* succeed("account", "open", "--name", "Bob", "--email", "bob@brand.example")
      const [newest, ...others] = yield* runJson(Schema.Array(Accounts.Account), "account", "list", "--limit", "1")
      expect([newest?.name, others]).toEqual(["Bob", []])
      const ledger = yield* runJson(Schema.Array(Accounts.LedgerEntry), "account", "ledger", accountId)
      expect(ledger.map(({ kind, amountCents }) => ({ kind, amountCents }))).toStrictEqual([
        { kind: "top_up", amountCents: 500 },
        { kind: "adjustment", amountCents: 500 },
        { kind: "top_up", amountCents: 2_510 }
      ])
    })
  )

  it.effect("key issue, list, limit and revoke", () =>
    Effect.gen(function* () {
      const { accountId } = yield* runJson(
        Accounts.Account,
        ...["account", "open", "--name", "Bo", "--email", "bo@brand.example"]
      )
      const text = yield* succeed("key", "issue", accountId, "--label", "agent")
      expect(text).toMatch(/^sn_live_\w{38}$/)
      expect((yield* call("GET", BALANCE, { key: text })).status).toBe(200)

      const narrow = yield* runJson(
        IssuedKey,
        ...["key", "issue", accountId, "--label", "intern", "--mode", "sandbox", "--read-only"],
        ...["--max-order-eur", "20.00", "--max-day-eur", "50", "--daily-cap", "3"],
        ...["--domain", "brand.example", "--domain", "shop.example"],
        ...["--approve-above-eur", "12.50", "--hold-look-alikes", "on", "--always-allow", "brand.example=40"]
      )
      expect(narrow.text).toMatch(/^sn_test_/)
      expect(narrow.key).toMatchObject({
        mode: "sandbox",
        scopes: ["read"],
        limits: {
          maxOrderCents: 2_000,
          maxDayCents: 5_000,
          dailyOrderCap: 3,
          allowedDomains: ["brand.example", "shop.example"],
          approveAboveCents: 1_250,
          holdLookAlikes: true,
          alwaysAllow: [{ domain: "brand.example", upToCents: 4_000 }]
        }
      })
      const { keyId } = narrow.key
      const said = /50\.00 EUR a day, 9 orders a day, .*always brand\.example up to 40\.00 EUR/
      expect(yield* succeed("key", "limit", keyId, "--daily-cap", "9")).toMatch(said)
      expect(yield* succeed("key", "limit", keyId, "--hold-look-alikes", "off")).toContain("approval above 12.50 EUR")
      const twice = ["--always-allow", "shop.example=1", "--always-allow", "shop.example=2"]
      expect(yield* refusal("key", "limit", keyId, ...twice)).toContain("Must name each domain once.")
      expect(yield* succeed("key", "limit", keyId, "--unlimited")).toContain("no limits of its own")
      expect(yield* succeed("key", "revoke", keyId)).toContain(`Key ${keyId} is revoked since`)
      expect((yield* call("GET", BALANCE, { key: narrow.text })).status).toBe(401)
      expect(yield* succeed("key", "list", accountId)).toContain(keyId)
    })
  )

  it.effect("webhook list and deliveries", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const { accountId, keyId, key, linkId, domain } = yield* order()
      const body = { url: `${url}/hook`, events: ["order.published"] }
      expect((yield* call("POST", WEBHOOKS, { key, body })).status).toBe(201)
      yield* succeed("publish", linkId, `https://${domain}/post`)
      const [webhook] = yield* runJson(Schema.Array(Webhook), "webhook", "list", accountId, keyId)
      expect(webhook).toMatchObject({ url: `${url}/hook`, events: ["order.published"] })
      expect(yield* succeed("webhook", "list", accountId, keyId)).toContain(webhook?.webhookId)
      const deliveries = yield* succeed("webhook", "deliveries", accountId, keyId, webhook?.webhookId ?? "")
      expect(deliveries).toMatch(/\ndlv_\w+ +order\.published/)
      expect(yield* refusal("webhook", "deliveries", accountId, keyId, "wh_none")).toContain("(webhook_not_found)")
    })
  )
})

layer(operatorService(), { excludeTestServices: true })("fulfilment", (it) => {
  it.effect("queue, assign, advance, publish and verify", () =>
    Effect.gen(function* () {
      const { linkId, domain } = yield* order()
      expect(yield* succeed("queue")).toContain(linkId)
      const { url } = yield* RunningService
      const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN }
      // No column can be cut short enough for so narrow a terminal; ids are never cut.
      expect((yield* runCommandIn({ env, columns: 40 }, ["queue"])).out).toMatch(new RegExp(`${linkId} .*…`))
      expect(yield* runJson(Schema.Array(Link), "queue", "--status", "approved")).toStrictEqual([])
      expect(yield* succeed("assign", linkId)).toContain(`Link ${linkId} on ${domain} is assigned now. Its text is “`)
      expect(yield* succeed("advance", linkId, "approved")).toContain("is approved now")
      expect((yield* runJson(Link, "publish", linkId, `https://${domain}/post`)).publishedUrl).toBe(
        `https://${domain}/post`
      )
      expect((yield* runJson(Link, "verify", linkId)).status).toBe("verified")
      expect(yield* refusal("assign", linkId)).toContain("(invalid_transition)")
    })
  )

  it.effect("cancel returns the price of a link or an order", () =>
    Effect.gen(function* () {
      const one = yield* order()
      expect(yield* succeed("cancel", one.linkId, "--reason", "the editor declined")).toContain(
        "30.00 EUR back as credit"
      )
      const other = yield* order()
      const cancelled = yield* runJson(OrderDetails, "cancel", other.orderId, "--reason", "as asked")
      expect(cancelled.status).toBe("cancelled")
      expect(cancelled.links[0]?.statusReason).toBe("as asked")
      const show = yield* succeed("account", "show", other.accountId)
      expect(show).toMatch(/available +100\.00 EUR/)
    })
  )

  it.effect("switch shows and sets who assigns Plancton links", () =>
    Effect.gen(function* () {
      expect((yield* runJson(Fulfilment, "switch")).fulfilment).toBe("auto")
      expect(yield* succeed("switch", "manual")).toContain("manual: Plancton links wait for the operator")
      expect((yield* runJson(Fulfilment, "switch")).fulfilment).toBe("manual")
      expect((yield* runJson(Fulfilment, "switch", "auto")).fulfilment).toBe("auto")
    })
  )
})

layer(operatorService(), { excludeTestServices: true })("quotes, catalogue and books", (it) => {
  it.effect("pay and quote abandon", () =>
    Effect.gen(function* () {
      const paid = yield* quote()
      expect(yield* succeed("quote", "show", paid.quoteId)).toMatch(/status +awaiting_payment/)
      expect(yield* succeed("pay", paid.quoteId)).toMatch(new RegExp(`^Quote ${paid.quoteId} is paid: order ord_`))
      expect(yield* succeed("quote", "show", paid.quoteId)).toMatch(/status +paid[\s\S]*LINK +STATUS/)
      const left = yield* quote()
      expect((yield* runJson(Quote, "quote", "abandon", left.quoteId)).status).toBe("abandoned")
    })
  )

  it.effect("site list and show, project list and plan", () =>
    Effect.gen(function* () {
      const { accountId } = yield* buyer()
      const { siteId, domain } = yield* listSite({ open: false })
      const open = yield* listSite()
      expect(yield* succeed("site", "show", String(siteId))).toMatch(new RegExp(`domain +${domain}\\ntakes orders +no`))
      expect(yield* succeed("site", "list", "--limit", "10000")).toContain(open.domain)
      const { projectId } = yield* createProject(accountId)
      expect(yield* succeed("project", "list", accountId)).toContain(projectId)
      expect(yield* succeed("project", "plan", accountId, projectId)).toContain("0.00 EUR before discounts.")
    })
  )

  it.effect("events follows live and resumes from a cursor", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN, OPERATOR_NAME: "Grace" }
      const follow = (...args: ReadonlyArray<string>) =>
        Effect.map(runCommandIn({ env }, ["events", ...args]), ({ status, out, err }) => {
          expect(status, err).toBe(0)
          return out.split("\n")
        })
      // The start of the stream cannot be observed, so events are produced until the command has two.
      const first = yield* Effect.forkChild(follow("--count", "2", "--json"))
      const produceEvent = runCommandIn({ env }, ["switch", "auto"])
      yield* Effect.repeat(produceEvent, { until: () => first.pollUnsafe() !== undefined })
      const seen = (yield* Fiber.join(first)).map((line) => readActivityEvent(line))
      expect(seen.map(({ _tag }) => _tag)).toStrictEqual(["OperatorActed", "OperatorActed"])
      const lines = yield* follow("--after", seen[0]?.cursor ?? "", "--count", "1")
      expect(lines[0]).toMatch(/^\d{4}-\d{2}-\d{2} [\d:]{8} {2}Grace did fulfilment.switch fulfilment fulfilment=auto$/)
    })
  )

  it.effect("audit lists actors and actions, newest first", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN, OPERATOR_NAME: "Grace" }
      yield* runCommandIn({ env }, ["switch", "auto"])
      const [last, ...others] = yield* runJson(Schema.Array(AuditRecord), "audit", "--limit", "1")
      expect(others).toStrictEqual([])
      expect(last).toMatchObject({ actor: "Grace", action: "fulfilment.switch", details: { fulfilment: "auto" } })
      expect(yield* succeed("audit")).toMatch(/AT +WHO +WHAT +TO +DETAILS\n.*Grace +fulfilment.switch/)
    })
  )

  it.effect("reconcile finds no violation in consistent books", () =>
    Effect.gen(function* () {
      yield* order()
      expect(yield* succeed("reconcile")).toContain("All of it agrees.")
      const proof = yield* runJson(ReconciliationReport, "reconcile")
      expect(proof.findings).toStrictEqual([])
      expect(proof.looked.orders).toBeGreaterThan(0)
    })
  )
})
