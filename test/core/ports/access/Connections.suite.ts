// What every store promises of connections: they are kept and found among the keys, are at most twenty under concurrent consent, and
// end at once.
import { Effect } from "effect"
import { expect } from "vitest"
import { type ConsentTo, consentTo } from "#core/decisions/access/Connections.ts"
import { limitKey, revokeKey } from "#core/decisions/access/Keys.ts"
import { closeAccount } from "#core/decisions/members/AccountState.ts"
import { MAX_ACTIVE_KEYS } from "#core/domain/access/ApiKey.ts"
import { consentLimits, isConnection, MAX_CONNECTIONS } from "#core/domain/access/Connection.ts"
import { type KeyId, MemberId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { addSubscription } from "../ordering/OrderSteps.ts"
import { actor, type Buyer, buyer, issueKeyTo } from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

const clientNamed = (name: string) => ({ clientId: `https://${name}.example/client`, name, host: `${name}.example` })

const consent = Effect.fnUntraced(function* ({ account }: Pick<Buyer, "account">, over: Partial<ConsentTo> = {}) {
  const { accountId } = account
  const [owner] = yield* (yield* Members).ofAccount(accountId)
  const given: ConsentTo = {
    ...{ accountId, memberId: owner?.memberId ?? MemberId.make(""), client: clientNamed("chat") },
    ...{ scopes: ["read"], mode: "live", limits: consentLimits }
  }
  return yield* (yield* OrderBook).transact({ _tag: "ForAccount", accountId }, consentTo({ ...given, ...over }))
})

const revoke = Effect.fnUntraced(function* (keyId: KeyId) {
  return yield* (yield* OrderBook).transact({ _tag: "ForKey", keyId }, revokeKey(keyId, actor))
})

/** The account's connections that are not revoked, by id. */
const active = Effect.fnUntraced(function* ({ account }: Pick<Buyer, "account">) {
  const keys = yield* (yield* ApiKeys).ofAccount(account.accountId)
  return keys.flatMap(({ key }) => (isConnection(key.keyId) && key.revokedAtMs === null ? [key.keyId] : []))
})

export const connectionsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Connections of ${name}`, store, (it) => {
    it.effect("a connection is found by its id and listed among the keys, as it was made", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const one = yield* buyer()
        const limits = { ...consentLimits, maxOrderCents: 1, allowedDomains: ["brand.example"] }
        const connection = yield* consent(one, { client: clientNamed("Clé 🔑"), limits, mode: "sandbox" })
        expect(yield* keys.byHash(connection.keyId)).toEqual(connection)
        const listed = (yield* keys.ofAccount(one.account.accountId)).map(({ key }) => key)
        expect(listed).toEqual([connection, one.key])
      })
    )

    it.effect("what is consented to again, a limit and a revocation show as soon as they are committed", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const book = yield* OrderBook
        const one = yield* buyer()
        const { keyId } = yield* consent(one)
        yield* keys.byHash(keyId)
        const client = { ...clientNamed("chat"), name: "Chat 2", host: "www.chat.example" }
        const again = yield* consent(one, { client, scopes: ["read", "order"] })
        expect(again).toMatchObject({ keyId, label: "Chat 2", scopes: ["read", "order"] })
        expect(yield* keys.byHash(keyId)).toEqual(again)
        const limited = yield* book.transact({ _tag: "ForKey", keyId }, limitKey(keyId, { maxDayCents: 9 }, actor))
        expect(limited).toEqual({ ...again, limits: { ...again.limits, maxDayCents: 9 } })
        expect(yield* keys.byHash(keyId)).toEqual(limited)
        const revoked = yield* revoke(keyId)
        expect(yield* keys.byHash(keyId)).toEqual(revoked)
        expect(revoked).toEqual({ ...limited, revokedAtMs: revoked.revokedAtMs, revokedBy: actor })
      })
    )

    it.effect("30 clients at once get twenty connections, beside five keys", () =>
      Effect.gen(function* () {
        const one = yield* buyer()
        const { accountId } = one.account
        const clients = times(30, (index) => Effect.result(consent(one, { client: clientNamed(`c${index}`) })))
        const issues = times(9, () => Effect.result(issueKeyTo({ accountId })))
        const [made, issued] = yield* Effect.all([concurrently(clients), concurrently(issues)], {
          concurrency: "unbounded"
        })
        expect(countOutcomes(made, () => "made")).toEqual({ made: MAX_CONNECTIONS, ConnectionLimitReached: 10 })
        expect(countOutcomes(issued, () => "issued")).toEqual({ issued: MAX_ACTIVE_KEYS - 1, KeyLimitReached: 5 })
        expect(yield* active(one)).toHaveLength(MAX_CONNECTIONS)
      })
    )

    it.effect("one client that is let in twenty times at once has one connection", () =>
      Effect.gen(function* () {
        const one = yield* buyer()
        const made = yield* concurrently(times(20, () => consent(one)))
        const ids = new Set(made.map(({ keyId }) => keyId))
        expect(yield* active(one)).toEqual([...ids])
        expect(ids.size).toBe(1)
      })
    )

    it.effect("consents and revocations at once leave one connection at most, and each revoked one stays so", () =>
      Effect.gen(function* () {
        const one = yield* buyer()
        const { keyId } = yield* consent(one)
        yield* concurrently([...times(5, () => revoke(keyId)), ...times(15, () => consent(one))])
        const left = yield* active(one)
        expect(left.length).toBeLessThanOrEqual(1)
        expect(left).not.toContain(keyId)
      })
    )

    it.effect("the close of the account ends its connections with their webhooks, and it gets no further one", () =>
      Effect.gen(function* () {
        const one = yield* buyer()
        const { accountId } = one.account
        const { keyId, scopes } = yield* consent(one)
        yield* addSubscription({ accountId, keyId, mode: "live", scopes })
        const close = closeAccount(accountId, "test", actor)
        const closed = yield* (yield* OrderBook).transact({ _tag: "ForAccount", accountId }, close)
        expect((yield* (yield* ApiKeys).byHash(keyId))?.revokedAtMs).toBe(closed.closedAtMs)
        expect(yield* (yield* Subscriptions).ofKey(keyId)).toEqual([])
        expect((yield* Effect.flip(consent(one)))._tag).toBe("AccountClosed")
        expect((yield* (yield* Reconciliation).reconcile(100)).violations).toEqual([])
      })
    )
  })
