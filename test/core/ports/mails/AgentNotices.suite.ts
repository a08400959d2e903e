// What every store promises of mails that tell owners of their agents: what they may do, and that they come to a limit.
import { Effect } from "effect"
import { expect } from "vitest"
import { limitKey } from "#core/decisions/access/Keys.ts"
import { stopAgents } from "#core/decisions/members/AccountState.ts"
import { noLimits, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { actor, issueKeyTo, linksOn, listSite, order } from "../ShopSetup.ts"
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
            { ...told, action: "agents.stop", label: "", by: null }
          ]
        })
      })
    )
  })
