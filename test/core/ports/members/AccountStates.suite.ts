// What every store promises of accounts whose agents are stopped, which are closed or edited, and of the Shop's credential.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { closeAccount, editAccount, openWebCredential, stopAgents } from "#core/decisions/members/AccountState.ts"
import type { SpendPolicyRefused } from "#core/domain/access/AccessRefusal.ts"
import { MAX_ACTIVE_KEYS } from "#core/domain/access/ApiKey.ts"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { addSubscription } from "../ordering/OrderSteps.ts"
import { actor, buyer, issueKeyTo, linksOn, listSite, order, plainSettings, submitOrder } from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

const byOperator = { operator: actor }

const setStopped = Effect.fnUntraced(function* (accountId: AccountId, stopped: boolean) {
  const book = yield* OrderBook
  const decide = stopAgents({ accountId, stopped, by: byOperator })
  return yield* book.transact({ _tag: "ForAccount", accountId }, decide)
})

const close = Effect.fnUntraced(function* (accountId: AccountId) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForAccount", accountId }, closeAccount(accountId, "test", actor))
})

/** The caller that orders of the Shop come from. */
const shopOf = Effect.fnUntraced(function* (accountId: AccountId) {
  const book = yield* OrderBook
  const keyId = yield* book.transact({ _tag: "ForAccount", accountId }, openWebCredential(accountId, byOperator))
  return { accountId, keyId, mode: "live" as const, scopes: ["order" as const] }
})

const accountOf = (accountId: AccountId) =>
  Effect.flatMap(Wallets, (wallets) => Effect.map(wallets.of(accountId), (view) => view?.account))

export const accountStatesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`States of accounts of ${name}`, store, (it) => {
    it.effect(
      "stopped agents order nothing, in live and sandbox, until they may again; the Shop orders all the while",
      () =>
        Effect.gen(function* () {
          const { account, caller } = yield* buyer(5_000)
          const { accountId } = account
          const sandbox = yield* issueKeyTo({ accountId, mode: "sandbox" })
          const items = linksOn(yield* listSite())
          const stopped = yield* setStopped(accountId, true)
          expect(stopped.agentsStoppedAtMs).toBeGreaterThan(0)
          expect(yield* accountOf(accountId)).toEqual(stopped)
          expect(yield* setStopped(accountId, true)).toEqual(stopped)
          const callers = [caller, { ...caller, keyId: sandbox.keyId, mode: "sandbox" as const }]
          for (const one of callers) {
            for (const dryRun of [false, true]) {
              expect(yield* Effect.flip(submitOrder(one, { items, dryRun }))).toMatchObject({
                _tag: "SpendPolicyRefused",
                rule: "agents_stopped"
              } satisfies Partial<SpendPolicyRefused>)
            }
          }
          const { quote } = yield* order(yield* shopOf(accountId), { items })
          expect(isWebCredential(quote.keyId)).toBe(true)
          expect(yield* setStopped(accountId, false)).toEqual(yield* accountOf(accountId))
          yield* order(caller, { items })
          expect((yield* accountOf(accountId))?.agentsStoppedAtMs).toBe(undefined)
        })
    )

    it.effect("no order of an agent comes after the answer that agents are stopped, under load", () =>
      Effect.gen(function* () {
        const { account, caller } = yield* buyer(100_000)
        const items = linksOn(yield* listSite())
        let answered = false
        let late = 0
        const orders = times(60, () =>
          Effect.suspend(() => {
            const wasAnswered = answered
            return Effect.map(Effect.result(submitOrder(caller, { items })), (result) => {
              if (wasAnswered && Result.isSuccess(result)) late++
              return result
            })
          })
        )
        const stop = Effect.map(setStopped(account.accountId, true), () => {
          answered = true
          return answered
        })
        const [, , spent] = yield* Effect.all(
          [
            concurrently(orders.slice(0, 30)),
            Effect.yieldNow,
            Effect.andThen(
              stop,
              Effect.map(accountOf(account.accountId), (now) => now?.wallet)
            ),
            concurrently(orders.slice(30))
          ],
          { concurrency: "unbounded" }
        )
        expect(late).toBe(0)
        // Nothing was bought between the answer and now.
        expect((yield* accountOf(account.accountId))?.wallet).toEqual(spent)
        const after = yield* concurrently(times(20, () => Effect.result(submitOrder(caller, { items }))))
        expect(countOutcomes(after, () => "placed")).toEqual({ SpendPolicyRefused: 20 })
      })
    )

    it.effect("the Shop's credential is made once, has no daily cap, and is not one of the five keys", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer(20_000)
        const { accountId } = account
        const made = yield* concurrently(times(10, () => shopOf(accountId)))
        const [shop] = made
        expect(new Set(made.map(({ keyId }) => keyId)).size).toBe(1)
        const results = yield* concurrently(times(10, () => Effect.result(issueKeyTo({ accountId }))))
        expect(countOutcomes(results, () => "issued")).toEqual({ issued: MAX_ACTIVE_KEYS - 1, KeyLimitReached: 6 })
        expect(yield* (yield* ApiKeys).ofAccount(accountId)).toHaveLength(MAX_ACTIVE_KEYS + 1)
        const items = linksOn(yield* listSite())
        const settings = { ...plainSettings, dailyOrderCap: 1 }
        if (shop === undefined) throw new Error("no credential")
        for (const _ of times(3, () => 0)) yield* order(shop, { items, settings })
      })
    )

    it.effect(
      "a closed account has no active key or subscription, and neither orders nor gets a key; its money stays",
      () =>
        Effect.gen(function* () {
          const { account, caller } = yield* buyer(5_000)
          const { accountId } = account
          yield* addSubscription(caller)
          const shop = yield* shopOf(accountId)
          const items = linksOn(yield* listSite())
          const closed = yield* close(accountId)
          expect(yield* close(accountId)).toEqual(closed)
          const keys = yield* (yield* ApiKeys).ofAccount(accountId)
          const agents = keys.filter(({ key }) => !isWebCredential(key.keyId))
          expect(agents.map(({ key }) => key.revokedAtMs)).toEqual([closed.closedAtMs])
          for (const one of [caller, shop]) {
            expect((yield* Effect.flip(submitOrder(one, { items })))._tag).toBe("RevokedApiKey")
          }
          expect((yield* Effect.flip(issueKeyTo({ accountId })))._tag).toBe("AccountClosed")
          expect((yield* Effect.flip(shopOf(accountId)))._tag).toBe("AccountClosed")
          expect((yield* accountOf(accountId))?.wallet.balanceCents).toBe(5_000)
          expect((yield* (yield* Members).byEmail(account.email))?.account).toEqual(closed)
        })
    )

    it.effect("an edit changes the name and the note, and an empty note takes it away", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer()
        const { accountId } = account
        const book = yield* OrderBook
        const edit = (change: { readonly name?: string; readonly note?: string }) =>
          book.transact({ _tag: "ForAccount", accountId }, editAccount({ accountId, ...change, actor }))
        const noted = yield* edit({ note: "Pays late" })
        expect(noted).toEqual({ ...account, note: "Pays late" })
        expect(yield* edit({ name: "Ada & Co" })).toEqual({ ...noted, name: "Ada & Co" })
        expect(yield* edit({ note: "" })).toEqual({ ...account, name: "Ada & Co" })
        expect(yield* accountOf(accountId)).toEqual({ ...account, name: "Ada & Co" })
      })
    )
  })
