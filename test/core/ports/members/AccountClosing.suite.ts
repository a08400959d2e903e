// What every store promises of accounts that an owner renames and closes: nothing is open in a closed one, whatever is ordered meanwhile.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { closeOwnAccount, renameAccount } from "#core/decisions/members/AccountState.ts"
import { isOpen } from "#core/domain/ordering/Quote.ts"
import { type AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { claim, kinds } from "../mails/MailSteps.ts"
import { abandon, addSubscription, cancelOrderById, moveLinkTo } from "../ordering/OrderSteps.ts"
import { buyer, issueKeyTo, linksOn, listSite, order, submitOrder } from "../ShopSetup.ts"
import { concurrently, countOutcomes, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

/** The member that the account was opened with. */
const ownerOf = (accountId: AccountId) => ({ memberId: MemberId.make(accountId.replace("acc_", "mem_")) })

const close = Effect.fnUntraced(function* (accountId: AccountId, by = ownerOf(accountId)) {
  return yield* (yield* OrderBook).transact({ _tag: "ForClosing", accountId }, closeOwnAccount(accountId, by))
})

const rename = Effect.fnUntraced(function* (accountId: AccountId, name: string, by = ownerOf(accountId)) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForAccount", accountId }, renameAccount({ accountId, name, by }))
})

const audited = Effect.fnUntraced(function* (accountId: AccountId, action: string) {
  const { records } = yield* (yield* AuditLog).ofAccount({ accountId, limit: 50, beforeId: null })
  return records.filter((record) => record.action === action)
})

const openIn = Effect.fnUntraced(function* (accountId: AccountId) {
  return (yield* (yield* Quotes).open({ accountId, mode: "live", limit: 50 })).filter(isOpen)
})

export const accountClosingSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Closing accounts of ${name}`, store, (it) => {
    it.effect("an owner renames the account, which the audit tells once; the same name is no change", () =>
      Effect.gen(function* () {
        const { account } = yield* buyer(500)
        const { accountId } = account
        const renamed = yield* rename(accountId, "Ünï 🐢 Ltd")
        expect(renamed).toEqual({ ...account, name: "Ünï 🐢 Ltd", wallet: renamed.wallet })
        expect(yield* rename(accountId, "Ünï 🐢 Ltd")).toEqual(renamed)
        expect((yield* (yield* Wallets).of(accountId))?.account).toEqual(renamed)
        expect(yield* audited(accountId, "account.rename")).toMatchObject([
          { actor: ownerOf(accountId).memberId, details: { from: account.name, to: "Ünï 🐢 Ltd" } }
        ])
        const stranger = ownerOf((yield* buyer()).account.accountId)
        expect((yield* Effect.flip(rename(accountId, "Theirs", stranger)))._tag).toBe("OwnerOnly")
        expect((yield* Effect.flip(close(accountId, stranger)))._tag).toBe("OwnerOnly")
        yield* close(accountId)
        expect((yield* Effect.flip(rename(accountId, "Late")))._tag).toBe("AccountClosed")
      })
    )

    it.effect(
      "is refused while a live quote or order is open; what is online, cancelled or of the sandbox hinders nothing",
      () =>
        Effect.gen(function* () {
          const { account, caller } = yield* buyer(2_000)
          const { accountId } = account
          const items = linksOn(yield* listSite())
          const refused = Effect.map(Effect.flip(close(accountId)), ({ _tag }) => _tag)
          const paid = yield* order(caller, { items })
          expect(yield* refused).toBe("AccountInUse")
          for (const { linkId } of paid.links ?? []) {
            for (const to of ["drafted", "published"] as const) {
              expect(yield* refused).toBe("AccountInUse")
              yield* moveLinkTo(linkId, to)
            }
          }
          const second = yield* order(caller, { items })
          if (second.order == null) throw new Error("credit did not pay")
          expect(yield* refused).toBe("AccountInUse")
          yield* cancelOrderById(second.order.orderId)
          const { quote } = yield* order(caller, { items: times(5, () => items).flat() })
          expect(isOpen(quote)).toBe(true)
          expect(yield* refused).toBe("AccountInUse")
          yield* abandon(quote, "human")
          const sandbox = yield* issueKeyTo({ accountId, mode: "sandbox" })
          const practice = { ...caller, keyId: sandbox.keyId, mode: "sandbox" as const }
          yield* order(practice, { items, sandboxCreditCents: 0 })
          yield* order(practice, { items, sandboxCreditCents: 10_000 })
          yield* addSubscription(caller)
          const closed = yield* close(accountId)
          expect(closed.closedAtMs).toBeGreaterThan(0)
          expect(closed.wallet.balanceCents).toBe(1_500)
          const keys = yield* (yield* ApiKeys).ofAccount(accountId)
          expect(keys.map(({ key }) => key.revokedAtMs)).toEqual([closed.closedAtMs, closed.closedAtMs])
        })
    )

    it.effect("is told to all owners, whose sign-ins have ended, and to no viewer", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.notices.someone
        const { accountId } = someone.account
        yield* joinAs({ accountId, email: `${accountId}@viewer.example`, role: "viewer" })
        const { email } = yield* joinAs({ accountId, email: `${accountId}@second.example`, role: "owner" })
        yield* close(accountId)
        const mails = yield* claim("notices", someone)
        expect(mails.map((mail) => mail.email).sort()).toEqual([someone.account.email, email].sort())
        for (const mail of mails)
          expect(mail).toMatchObject({ notices: [{ action: "account.close", by: someone.account.email }] })
      })
    )
  })

export const accountClosingRacesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Races of closing accounts of ${name}`, store, (it) => {
    it.effect("twenty closings, and one after them, are one closing", () =>
      Effect.gen(function* () {
        const { accountId } = (yield* buyer(500)).account
        const closed = yield* concurrently(times(20, () => close(accountId)))
        expect(new Set(closed.map(({ closedAtMs }) => closedAtMs)).size).toBe(1)
        expect(yield* close(accountId)).toEqual(closed[0])
        expect(yield* audited(accountId, "account.close")).toHaveLength(1)
      })
    )

    for (const creditCents of [0, 100_000])
      it.effect(
        `a closing races with orders ${creditCents === 0 ? "to be paid by card" : "paid from credit"}: one side is refused`,
        () =>
          Effect.gen(function* () {
            const items = linksOn(yield* listSite())
            const rounds = times(8, (round) =>
              Effect.gen(function* () {
                const { account, caller } = yield* buyer(creditCents)
                const { accountId } = account
                const orders = times(4, () => Effect.result(submitOrder(caller, { items })))
                const closing = Effect.result(close(accountId))
                const all = [...orders.slice(0, round % 5), closing, ...orders.slice(round % 5)]
                const results: ReadonlyArray<Result.Result<unknown, { readonly _tag: string }>> =
                  yield* concurrently(all)
                const {
                  placed = 0,
                  RevokedApiKey: tooLate = 0,
                  ...other
                } = countOutcomes(
                  results.filter((_, index) => index !== round % 5),
                  () => "placed"
                )
                const ended = yield* Effect.result(close(accountId))
                expect(other).toEqual({})
                expect([placed, tooLate]).toEqual(Result.isSuccess(ended) ? [0, 4] : [4, 0])
                if (creditCents === 0) expect(yield* openIn(accountId)).toHaveLength(placed)
                return Result.isSuccess(ended)
              })
            )
            // Where the closing is last, the orders are there.
            expect((yield* Effect.all(rounds)).filter((isClosed) => !isClosed).length).toBeGreaterThan(0)
          })
      )
  })
