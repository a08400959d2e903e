// What every store promises of mails that tell owners of their agents: what they may do, and that they come to a limit.
import { Effect } from "effect"
import { expect } from "vitest"
import { limitKey, pauseKey } from "#core/decisions/access/Keys.ts"
import { closeAccount, editAccount, stopAgents } from "#core/decisions/members/AccountState.ts"
import { debitOnce } from "#core/decisions/wallet/AdjustCredit.ts"
import { noLimits, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { cancelLinkById } from "../ordering/OrderSteps.ts"
import { actor, issueKeyTo, linksOn, listSite, order, topUpAccount } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { claim, kinds, ownerOf } from "./MailSteps.ts"

export const agentNoticesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Mails on agents of ${name}`, store, (it) => {
    it.effect("tell that one was made, may do more, has used most of its day, and that all were stopped", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.notices.someone
        const { account } = someone
        const { accountId } = account
        const memberId = yield* ownerOf(someone)
        const book = yield* OrderBook
        const wish = { accountId, label: "Claude", limits: { ...noLimits, maxDayCents: 625 } }
        const { keyId } = yield* issueKeyTo({ ...wish, actor: memberId })
        const limited = (limits: Partial<SpendLimits>) =>
          book.transact({ _tag: "ForKey", keyId }, limitKey(keyId, limits, memberId))
        yield* limited({ maxDayCents: 600 })
        yield* limited({ maxDayCents: 620 })
        yield* order({ ...someone.caller, keyId }, { items: linksOn(yield* listSite()) })
        const stop = stopAgents({ accountId, stopped: true, by: { operator: actor } })
        yield* book.transact({ _tag: "ForAccount", accountId }, stop)
        const [mail] = yield* claim("notices", someone)
        const told = { label: "Claude", near: null, by: account.email, email: "", url: "" }
        expect(mail?.count).toBe(4)
        expect(mail).toMatchObject({
          notices: [
            { ...told, action: "key.issue" },
            { ...told, action: "key.limit" },
            { ...told, action: "key.near_limit", by: null, near: { limit: "cents", used: 500, of: 620 } },
            { ...told, action: "agents.stop", label: "", by: null, isOfOperator: true }
          ]
        })
      })
    )

    it.effect("tell everything that the operator did, and nothing of the same by a member", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.notices.someone
        const { account, caller } = someone
        const { accountId } = account
        const memberId = yield* ownerOf(someone)
        const book = yield* OrderBook
        const keyId = (yield* issueKeyTo({ accountId, label: "Claude", actor: null })).keyId
        const ofAccount = { _tag: "ForAccount", accountId } as const
        for (const by of [memberId, actor]) {
          yield* book.transact({ _tag: "ForKey", keyId }, limitKey(keyId, { maxDayCents: 60_000 }, by))
          yield* book.transact({ _tag: "ForKey", keyId }, pauseKey(keyId, true, by))
          yield* book.transact({ _tag: "ForKey", keyId }, pauseKey(keyId, false, by))
        }
        yield* topUpAccount(accountId, 1_000)
        const { links } = yield* order({ ...caller, keyId }, { items: linksOn(yield* listSite()) })
        for (const { linkId } of links) yield* cancelLinkById(linkId)
        const debit = { accountId, cents: 300, reference: "r1", reason: "booked twice", actor }
        yield* book.transact(ofAccount, debitOnce(debit))
        yield* book.transact(ofAccount, editAccount({ accountId, note: "pays late", actor }))
        yield* book.transact(ofAccount, editAccount({ accountId, name: "Garden", actor }))
        yield* book.transact(ofAccount, closeAccount(accountId, "asked for", actor))
        const [mail] = yield* claim("notices", someone)
        const done = { isOfOperator: true, by: null }
        expect(mail).toMatchObject({
          count: 8,
          notices: [
            { ...done, action: "key.limit", label: "Claude" },
            { ...done, action: "key.pause", label: "Claude" },
            { ...done, action: "key.resume", label: "Claude" },
            { ...done, action: "account.top_up", cents: 1_000, reason: "" },
            { ...done, action: "link.cancel", label: links[0]?.domain, cents: 500, outcome: "" },
            { ...done, action: "account.debit", cents: 300, reason: "booked twice" },
            { ...done, action: "account.edit", label: "Garden", reason: "" },
            { ...done, action: "account.close", reason: "asked for" }
          ]
        })
      })
    )
  })
