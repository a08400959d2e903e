// A connection as caller: what it buys, which limits hold, what belongs to it alone, and how it ends.
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { expect } from "vitest"
import { Me } from "#adapters/contract/access/Me.ts"
import { webCredentialId } from "#core/domain/access/WebCredential.ts"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { CloseAccount } from "#core/usecases/members/CloseAccount.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, ordersOf, quotesOf } from "../core/BookReads.ts"
import { creditOf, operator, statusOf } from "./ApprovalSteps.ts"
import { buyer, by, cart, clientOf, freshKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { CLIENT, confirmedBy, connected, connectTo, letIn, ownerOf, tokenOf } from "./ConnectionSteps.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { BALANCE, call, isReplay, ME, ORDERS, placedBy, postOrder, read, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

/** Buys from credit without asking. */
const free = { approveAboveCents: null, holdLookAlikes: false }

const oneLink = Effect.map(listSite(), ({ siteId }) => cart([item(siteId)]))

const statusOfCall = (key: string) => Effect.map(call("GET", BALANCE, { key }), ({ status }) => status)

export const connectionsSuite = scenarios("a connection", {}, (it) => {
  it.effect("asks for every order unless its owner said otherwise, and buys once it is approved", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const who = yield* connected({ creditCents: 5_000 })
      const body = yield* oneLink
      const key = freshKey()
      const asked = placedBy(yield* postOrder(who.key, body, key))
      expect(asked).toMatchObject({ status: "awaiting_approval", payment_url: null, sandbox: false })
      yield* (yield* DecideApproval).approve(asked.quote_id ?? QuoteId.make(""), operator)
      const bought = yield* postOrder(who.key, body, key)
      expect([isReplay(bought), placedBy(bought).status]).toEqual([true, "paid"])
      const [order] = ordersOf(yield* books, who)
      expect([order?.orderId, order?.accountId]).toEqual([placedBy(bought).order_id, who.accountId])
      const listed = JSON.parse((yield* call("GET", ORDERS, { key: who.key })).text)
      expect(listed).toMatchObject({ count: 1, orders: [{ order_id: order?.orderId }] })
      expect(JSON.parse((yield* call("GET", ORDERS, { key: who.withKey.key })).text).count).toBe(0)
    })
  )

  it.effect("is told what it is, with the scopes of its token and what is left of its limits", () =>
    Effect.gen(function* () {
      const who = yield* connected({ creditCents: 5_000, limits: { ...free, maxDayCents: 900, dailyOrderCap: 3 } })
      placedBy(yield* postOrder(who.key, yield* oneLink))
      const { key, account } = yield* read(Me, who.key, ME)
      expect(account.account_id).toBe(who.accountId)
      expect(key).toMatchObject({ key_id: who.keyId, kind: "connection", label: "Chat", scopes: ["read", "order"] })
      expect(key.limits).toMatchObject({ max_day_cents: 900, daily_order_cap: 3, approve_above_cents: null })
      expect(key.left_today).toMatchObject({ orders: 2, cents: 400 })
      const reading = yield* clientOf(who.connection, yield* tokenOf(who.connection, { scopes: ["read"] }))
      expect((yield* read(Me, reading.key, ME)).key.scopes).toEqual(["read"])
    })
  )

  it.effect("orders once its owner let it, with another token, and keeps what it has", () =>
    Effect.gen(function* () {
      const { accountId } = yield* buyer({ creditCents: 5_000 })
      const reading = yield* connectTo(accountId, { scopes: ["read"], limits: free })
      const body = yield* oneLink
      const refused = refusalIn(yield* postOrder(reading.key, body))
      expect([refused.code, refused.details]).toEqual(["insufficient_scope", { required: "order", held: ["read"] }])
      const ordering = yield* connectTo(accountId, { limits: free })
      expect(ordering.keyId).toBe(reading.keyId)
      expect(placedBy(yield* postOrder(ordering.key, body)).status).toBe("paid")
      expect((yield* postOrder(reading.key, body)).status).toBe(403)
    })
  )

  it.effect("has its own daily cap and spend beside the account's keys, and shares their idempotency keys", () =>
    Effect.gen(function* () {
      const who = yield* connected({ creditCents: 5_000, limits: { ...free, dailyOrderCap: 1, maxOrderCents: 700 } })
      const { siteId } = yield* listSite()
      const body = cart([item(siteId)])
      const key = freshKey()
      const mine = placedBy(yield* postOrder(who.key, body, key))
      const other = cart([item(siteId, { anchor_text: "another page" })])
      const replayed = yield* postOrder(who.withKey.key, body, key)
      expect([isReplay(replayed), placedBy(replayed).order_id]).toEqual([true, mine.order_id])
      const { code, message } = refusalIn(yield* postOrder(who.withKey.key, other, key))
      expect([code, message]).toEqual([
        "idempotency_key_reused",
        expect.stringContaining("a connection of this account")
      ])
      expect(placedBy(yield* postOrder(who.withKey.key, other, freshKey())).order_id).not.toBe(mine.order_id)
      expect(refusalIn(yield* postOrder(who.key, other)).code).toBe("daily_order_cap_reached")
      yield* (yield* MovableClock).advance("24 hours")
      const dear = refusalIn(yield* postOrder(who.key, cart([item(siteId), item(siteId)])))
      expect([dear.code, dear.details]).toMatchObject(["spend_policy_refused", { rule: "max_order_cents" }])
      expect(placedBy(yield* postOrder(who.withKey.key, cart([item(siteId), item(siteId)]))).status).toBe("paid")
    })
  )

  it.effect("of the sandbox buys nothing", () =>
    Effect.gen(function* () {
      const who = yield* connected({ creditCents: 5_000, mode: "sandbox", limits: free })
      const placed = placedBy(yield* postOrder(who.key, yield* oneLink))
      expect([placed.sandbox, placed.status]).toEqual([true, "paid"])
      expect((yield* creditOf(who)).available_cents).toBe(5_000)
    })
  )

  it.effect("orders nothing while agents are stopped", () =>
    Effect.gen(function* () {
      const who = yield* connected({ creditCents: 5_000, limits: free })
      const agents = yield* StopAgents
      const body = yield* oneLink
      yield* agents.stop(who.owner)
      const { code, details } = refusalIn(yield* postOrder(who.key, body))
      expect([code, details]).toMatchObject(["spend_policy_refused", { rule: "agents_stopped" }])
      yield* agents.resume(who.owner, yield* confirmedBy(who.owner))
      expect(placedBy(yield* postOrder(who.key, body)).status).toBe("paid")
    })
  )

  it.effect("is limited by its owner: less at once, more by confirmation; by another account's not at all", () =>
    Effect.gen(function* () {
      const { limit, revoke } = yield* OwnCredentials
      const who = yield* connected({ creditCents: 5_000, limits: free })
      const never = Effect.die("asked for a confirmation")
      yield* limit(who.owner, who.keyId, { maxOrderCents: 100 }, never)
      const body = yield* oneLink
      expect(refusalIn(yield* postOrder(who.key, body)).code).toBe("spend_policy_refused")
      const confirmed = yield* confirmedBy(who.owner)
      yield* limit(who.owner, who.keyId, { maxOrderCents: 5_000 }, Effect.succeed(confirmed))
      expect(placedBy(yield* postOrder(who.key, body)).status).toBe("paid")
      const stranger = yield* ownerOf((yield* buyer()).accountId)
      for (const tried of [limit(stranger, who.keyId, {}, never), revoke(stranger, who.keyId)])
        expect(yield* Effect.flip(tried)).toMatchObject({ _tag: "KeyNotFound" })
      const ofShop = webCredentialId(who.accountId)
      expect(yield* Effect.flip(limit(who.owner, ofShop, {}, never))).toMatchObject({ _tag: "KeyNotFound" })
    })
  )

  it.effect("ends with its revocation: within a second on every instance, and what waits for approval comes back", () =>
    Effect.gen(function* () {
      const who = yield* connected({ creditCents: 5_000 })
      const waits = placedBy(yield* postOrder(who.key, yield* oneLink))
      // Every instance has the token and the connection in its caches now.
      for (const status of yield* concurrently(times(6, () => statusOfCall(who.key)))) expect(status).toBe(200)
      yield* (yield* OwnCredentials).revoke(who.owner, who.keyId)
      expect(yield* statusOf(who.withKey, waits.quote_id ?? QuoteId.make(""))).toMatchObject({
        status: "abandoned",
        paid: false
      })
      expect(yield* creditOf(who.withKey)).toMatchObject({ available_cents: 5_000, held_cents: 0 })
      expect((yield* postOrder(who.key, yield* oneLink)).status).toBe(401)
      yield* Effect.promise(() => sleep(1_000))
      for (const answer of yield* concurrently(times(6, () => call("GET", BALANCE, { key: who.key })))) {
        expect(refusalIn(answer).code).toBe("revoked_api_key")
      }
      const again = yield* letIn(who.owner)
      expect(again.keyId).not.toBe(who.keyId)
    })
  )

  it.effect("revoked in the middle of its orders: each order is there as a whole, or not at all", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { revoke } = yield* OwnCredentials
      const body = yield* oneLink
      for (const limits of [free, {}]) {
        const who = yield* connected({ creditCents: 50_000, limits })
        const order = Effect.suspend(() => postOrder(who.key, body, freshKey()))
        const first = yield* order
        const [during] = yield* Effect.all([concurrently(times(20, () => order)), revoke(who.owner, who.keyId)], {
          concurrency: 2
        })
        yield* (yield* SweepQuotes).sweep()
        const answers = [first, ...during]
        expect(
          Object.keys(countEach(answers.map(({ status }) => status))).every((one) => /^(201|401)$/.test(one))
        ).toBe(true)
        const placed = answers.flatMap((answer) => (answer.status === 201 ? [placedBy(answer)] : []))
        const now = yield* books
        const paid = placed
          .filter(({ status }) => status === "paid")
          .map(({ order_id }) => order_id ?? OrderId.make(""))
        expect(
          ordersOf(now, who)
            .map(({ orderId }) => orderId)
            .toSorted()
        ).toEqual(paid.toSorted())
        expect(quotesOf(now, who)).toHaveLength(placed.length)
        expect(quotesOf(now, who).filter(({ status }) => status === "awaiting_approval")).toEqual([])
        expect(yield* creditOf(who.withKey)).toMatchObject({
          available_cents: 50_000 - 500 * paid.length,
          held_cents: 0
        })
      }
    })
  )

  it.effect("ends with its account", () =>
    Effect.gen(function* () {
      const who = yield* connected({ creditCents: 5_000 })
      placedBy(yield* postOrder(who.key, yield* oneLink))
      const { abandoned } = yield* (yield* CloseAccount).close({ accountId: who.accountId, reason: "a test" }, by)
      expect(abandoned).toBe(1)
      expect(refusalIn(yield* postOrder(who.key, yield* oneLink)).code).toBe("revoked_api_key")
      expect(yield* Effect.flip(letIn(who.owner))).toMatchObject({ _tag: "AccountClosed" })
    })
  )

  it.effect("is neither listed nor counted as a key, and no text of it is one", () =>
    Effect.gen(function* () {
      const who = yield* connected()
      const keys = yield* (yield* Credentials).list(who.accountId)
      expect(keys.map(({ key }) => key.keyId)).toEqual([who.withKey.keyId])
      const connections = yield* (yield* Credentials).connections(who.accountId)
      expect(connections).toMatchObject([{ connection: { keyId: who.keyId, label: CLIENT.name } }])
      expect(refusalIn(yield* call("GET", BALANCE, { key: who.keyId })).code).toBe("invalid_api_key")
      const gone = yield* tokenOf(who.connection, { expiresAtMs: 1 })
      const catalogue = yield* tokenOf(who.connection, { resource: "catalog", scopes: ["read"] })
      for (const text of [gone, catalogue]) {
        const { key } = yield* clientOf(who.connection, text)
        expect(refusalIn(yield* call("GET", BALANCE, { key })).code).toBe("invalid_api_key")
      }
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
