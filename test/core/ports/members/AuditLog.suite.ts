// What every store promises of AuditLog: every action of an operator, newest first, page by page; a repeated top-up is one record.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { pauseKey } from "#core/decisions/access/Keys.ts"
import { stopAgents } from "#core/decisions/members/AccountState.ts"
import { debitOnce, topUpOnce } from "#core/decisions/wallet/AdjustCredit.ts"
import { PROCESSOR, SERVICE } from "#core/domain/members/Actor.ts"
import type { DoerKind } from "#core/domain/operations/ActivityKind.ts"
import { AccountId, AuditId, MemberId } from "#core/domain/shared/Ids.ts"
import { type AuditConditions, AuditLog, type AuditPage } from "#core/ports/members/AuditLog.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { actor, buyer, topUpAccount } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { ledgerOf } from "../wallet/LedgerChecks.ts"

const depositOnce = Effect.fnUntraced(function* (accountId: AccountId, cents: number, reference: string) {
  const book = yield* OrderBook
  const reads = { _tag: "ForAccount" as const, accountId, reference }
  return yield* book.transact(reads, topUpOnce({ accountId, cents, reference, actor }))
})

const adjustOnce = Effect.fnUntraced(function* (accountId: AccountId, cents: number, reference: string) {
  const book = yield* OrderBook
  const reads = { _tag: "ForAccount" as const, accountId, reference }
  return yield* book.transact(reads, debitOnce({ accountId, cents, reference, reason: "mistyped", actor }))
})

export const auditLogSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`AuditLog of ${name}`, store, (it) => {
    it.effect("pages through records newest first, none twice and none skipped while more are written", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const { accountId } = (yield* buyer()).account
        yield* Effect.all(times(12, (index) => topUpAccount(accountId, index + 1)))
        const seen: Array<AuditPage["records"][number]> = []
        let beforeId: AuditId | null = null
        do {
          const page: AuditPage = yield* log.page({ limit: 5, beforeId })
          seen.push(...page.records)
          beforeId = page.nextBeforeId
          yield* topUpAccount(accountId, 1_000)
        } while (beforeId !== null)
        const mine = seen.filter(({ subject, action }) => subject === accountId && action === "account.top_up")
        expect(mine.map(({ details }) => details["cents"])).toEqual(times(12, (index) => 12 - index))
        expect(mine[0]).toEqual({
          auditId: expect.stringMatching(/^aud_/),
          actor,
          action: "account.top_up",
          subject: accountId,
          accountId,
          details: { cents: 12, reference: "test" },
          atMs: expect.any(Number)
        })
        expect(seen.map(({ auditId }) => auditId)).toEqual(
          seen
            .map(({ auditId }) => auditId)
            .sort()
            .reverse()
        )
      })
    )

    it.effect("has the records of one account, newest first, page by page", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const { accountId } = (yield* buyer()).account
        const other = (yield* buyer(100)).account.accountId
        yield* Effect.all(times(7, (index) => topUpAccount(accountId, index + 1)))
        const first = yield* log.ofAccount({ accountId, limit: 4, beforeId: null })
        const rest = yield* log.ofAccount({ accountId, limit: 100, beforeId: first.nextBeforeId })
        const actions = [...first.records, ...rest.records].map(
          ({ action, details }) => `${action} ${details["cents"]}`
        )
        expect(actions.slice(0, 7)).toEqual(times(7, (index) => `account.top_up ${7 - index}`))
        expect([first.records.length, rest.nextBeforeId]).toEqual([4, null])
        expect(first.records.every((record) => record.accountId === accountId)).toBe(true)
        const theirs = yield* log.ofAccount({ accountId: other, limit: 100, beforeId: null })
        expect(theirs.records.map(({ action }) => action)).toEqual(["key.issue", "account.top_up", "account.open"])
        const none = yield* log.ofAccount({ accountId: AccountId.make("acc_none"), limit: 100, beforeId: null })
        expect(none).toEqual({ records: [], nextBeforeId: null })
      })
    )

    it.effect("narrows the records of one account by kind, doer and time, and examines no more than it may", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const { account, key } = yield* buyer(700)
        const { accountId } = account
        const { keyId } = key
        const book = yield* OrderBook
        const by = { memberId: MemberId.make(accountId.replace("acc_", "mem_")) }
        for (const stopped of [true, false, true, false]) {
          yield* book.transact({ _tag: "ForAccount", accountId }, stopAgents({ accountId, stopped, by }))
          yield* topUpAccount(accountId, 1)
        }
        yield* book.transact({ _tag: "ForKey", keyId }, pauseKey(keyId, true, keyId))
        const ask = (conditions: Partial<AuditConditions>, limit = 100, beforeId: AuditId | null = null) =>
          log.ofAccount({
            ...{ accountId, limit, beforeId },
            conditions: { agents: [keyId], afterId: AuditId.make("aud_"), ...conditions }
          })
        const actions = (page: AuditPage) => page.records.map(({ action }) => action)
        const stops = ["agents.resume", "agents.stop", "agents.resume", "agents.stop"]
        expect(actions(yield* ask({ by: "member" }))).toEqual(stops)
        expect(actions(yield* ask({ by: "agent" }))).toEqual(["key.pause"])
        expect(actions(yield* ask({ kind: "agents" }))).toEqual(["key.pause", ...stops, "key.issue"])
        expect(actions(yield* ask({ kind: "money" }))).toEqual(times(5, () => "account.top_up"))
        expect(actions(yield* ask({ kind: "money", by: "member" }))).toEqual([])
        expect(actions(yield* ask({ kind: "account", by: "operator" }))).toEqual(["account.open"])
        for (const by of ["processor", "service"] as const) expect(actions(yield* ask({ by }))).toEqual([])
        const { records } = yield* ask({})
        expect(records).toHaveLength(12)
        const [newest, oldest] = [records[0], records.at(-1)]
        expect((yield* ask({ fromMs: oldest?.atMs ?? 0, toMs: newest?.atMs ?? 0 })).records).toEqual(records)
        expect((yield* ask({ fromMs: (newest?.atMs ?? 0) + 1 })).records).toEqual([])
        expect((yield* ask({ toMs: (oldest?.atMs ?? 0) - 1 })).records).toEqual([])
        expect((yield* ask({ afterId: records[3]?.auditId ?? AuditId.make("") })).records).toEqual(records.slice(0, 3))
        // Short pages, which end where the search did, have every match once.
        for (const [limit, examine] of [
          [2, 3],
          [100, 1],
          [1, 100],
          [3, 12]
        ] as const) {
          const seen: Array<string> = []
          let beforeId: AuditId | null = null
          do {
            const page: AuditPage = yield* ask({ by: "member", examine }, limit, beforeId)
            expect(page.records.length).toBeLessThanOrEqual(Math.min(limit, examine))
            seen.push(...actions(page))
            beforeId = page.nextBeforeId
          } while (beforeId !== null)
          expect(seen).toEqual(stops)
        }
      })
    )

    it.effect("tells the payment processor and the service from operators", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const { account, key } = yield* buyer()
        const { accountId } = account
        const { keyId } = key
        const book = yield* OrderBook
        for (const [paused, by] of [
          [true, PROCESSOR],
          [false, SERVICE]
        ] as const)
          yield* book.transact({ _tag: "ForKey", keyId }, pauseKey(keyId, paused, by))
        const doneBy = (by: DoerKind) =>
          Effect.map(
            log.ofAccount({
              ...{ accountId, limit: 100, beforeId: null },
              conditions: { agents: [keyId], afterId: AuditId.make("aud_"), by }
            }),
            ({ records }) => records.map(({ action }) => action)
          )
        expect(yield* doneBy("processor")).toEqual(["key.pause"])
        expect(yield* doneBy("service")).toEqual(["key.resume"])
        expect(yield* doneBy("operator")).toEqual(["key.issue", "account.open"])
      })
    )

    it.effect("records a top-up repeated under one reference once", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const wallets = yield* Wallets
        const { accountId } = (yield* buyer()).account
        const other = (yield* buyer()).account.accountId
        const entries = yield* concurrently(times(20, () => depositOnce(accountId, 250, "transfer 7")))
        expect(new Set(entries.map(({ entry }) => entry.entryId)).size).toBe(1)
        expect(entries.filter(({ repeated }) => !repeated).length).toBe(1)
        expect(entries[0]?.entry).toMatchObject({ kind: "top_up", amountCents: 250, reference: "transfer 7" })
        for (const cents of [249, 251]) {
          const changed = yield* Effect.flip(depositOnce(accountId, cents, "transfer 7"))
          expect(changed).toMatchObject({ _tag: "ReferenceReused", bookedCents: 250 })
        }
        yield* depositOnce(accountId, 250, "transfer 8")
        yield* depositOnce(other, 250, "transfer 7")
        yield* topUpAccount(accountId, 1)
        expect(yield* ledgerOf(accountId)).toMatchObject([
          { amountCents: 250, reference: "transfer 7" },
          { amountCents: 250, reference: "transfer 8" },
          { amountCents: 1 }
        ])
        expect((yield* wallets.of(accountId))?.account.wallet.balanceCents).toBe(501)
        expect((yield* wallets.of(other))?.account.wallet.balanceCents).toBe(250)
        const { records } = yield* log.page({ limit: 1_000, beforeId: null })
        const topUps = records.filter(({ subject, action }) => subject === accountId && action === "account.top_up")
        expect(topUps.length).toBe(3)
      })
    )

    it.effect("records an adjustment repeated under one reference once, beside the top-up that it corrects", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const { accountId } = (yield* buyer()).account
        yield* depositOnce(accountId, 2_500, "transfer 7")
        const entries = yield* concurrently(times(20, () => adjustOnce(accountId, 2_250, "transfer 7")))
        expect(new Set(entries.map(({ entry }) => entry.entryId)).size).toBe(1)
        expect(entries.filter(({ repeated }) => !repeated).length).toBe(1)
        expect(yield* Effect.flip(adjustOnce(accountId, 1, "transfer 7"))).toMatchObject({ bookedCents: 2_250 })
        expect(yield* ledgerOf(accountId)).toMatchObject([
          { kind: "top_up", balanceAfterCents: 2_500 },
          { kind: "adjustment", amountCents: 2_250, balanceDeltaCents: -2_250, balanceAfterCents: 250 }
        ])
        const { records } = yield* log.page({ limit: 1_000, beforeId: null })
        expect(
          records.filter(({ subject, action }) => subject === accountId && action === "account.debit")
        ).toMatchObject([{ details: { cents: 2_250, reference: "transfer 7", reason: "mistyped" } }])
      })
    )

    it.effect("never takes more than is available when adjustments race", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const { accountId } = (yield* buyer(1_000)).account
        const outcomes = yield* concurrently(
          times(20, (nth) => Effect.result(adjustOnce(accountId, 300, `mistake ${nth}`)))
        )
        expect(outcomes.filter(Result.isSuccess).length).toBe(3)
        expect(outcomes.filter(Result.isFailure)[0]?.failure).toMatchObject({ _tag: "BalanceTooLow", cents: 300 })
        expect((yield* wallets.of(accountId))?.account.wallet).toEqual({ balanceCents: 100, heldCents: 0 })
      })
    )
  })
