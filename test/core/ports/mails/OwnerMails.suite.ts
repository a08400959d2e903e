// What every store promises of mails to owners: what is told to whom, in what size, and to one caller at a time.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { openWebCredential } from "#core/decisions/members/AccountState.ts"
import { acceptInvitation, inviteMember } from "#core/decisions/members/Invitations.ts"
import { removeMember } from "#core/decisions/members/Members.ts"
import { declineQuote } from "#core/decisions/ordering/ApproveQuote.ts"
import { changeWebhook } from "#core/decisions/webhooks/Subscriptions.ts"
import { OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { render } from "#test/core/Given.ts"
import { outboxPromises } from "../OutboxPromises.ts"
import { abandon, addSubscription } from "../ordering/OrderSteps.ts"
import { buyer, issueKeyTo, linksOn, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"
import { answered, queueTests, recordOutcome, scopedSubscription } from "../webhooks/DeliverySteps.ts"
import { claim, type Due, idsIn, type Kind, kinds, LAG_MS, LATER_MS, limits, ownerOf } from "./MailSteps.ts"
import { chooseZone, ZONE, zonesOf } from "./MailZones.ts"

const trial = (kind: Kind) =>
  Effect.gen(function* () {
    const queue = (yield* OwnerMails)[kind]
    const someone = yield* kinds[kind].someone
    const memberId = yield* ownerOf(someone)
    return {
      add: Effect.map(kinds[kind].order(someone), (id) => [id]),
      claim: Effect.fnUntraced(function* (query) {
        const found: ReadonlyArray<Due> = yield* queue.claim({ ...query, lagMs: LAG_MS })
        return found
          .filter((mail) => mail.memberId === memberId)
          .map((mail) => {
            const settle = (upTo: string | null, nextAtMs: number, attempts: number) =>
              queue.settle(memberId, { upTo, nextAtMs, attempts })
            return {
              ids: idsIn([mail]),
              done: settle(mail.upTo, 0, 0),
              release: settle(null, 0, mail.attempts),
              fail: Effect.gen(function* () {
                const nextAtMs = (yield* Clock.currentTimeMillis) + 30_000
                yield* settle(null, nextAtMs, mail.attempts + 1)
                return nextAtMs
              })
            }
          })
      })
    } satisfies Effect.Success<Parameters<typeof outboxPromises>[1]>
  })

const mailsSuite = (kind: Kind, name: string, store: StoreLayer): void =>
  storeSuite(`Mails on ${kind} of ${name}`, store, (it) => {
    outboxPromises(it, trial(kind))

    it.effect("tell an owner what is new, oldest first, and count the attempts that failed", () =>
      Effect.gen(function* () {
        const someone = yield* kinds[kind].someone
        const ids = [yield* kinds[kind].order(someone), yield* kinds[kind].order(someone)]
        const [mail, ...others] = yield* claim(kind, someone)
        expect(others).toEqual([])
        const { email } = someone.account
        expect(mail).toMatchObject({ email, accountName: "Ada", count: 2, attempts: 0, upTo: ids[1] })
        const links = [{ targetUrl: expect.stringContaining("https://"), domain: expect.any(String) }]
        const told = { credential: "Assistant", totalCents: 500, links }
        const anchored = links.map((link) => ({ ...link, anchorText: expect.any(String) }))
        const orders = ids.map((quoteId) => ({ quoteId, ...told, links: anchored }))
        if (mail !== undefined && "orders" in mail)
          expect(mail).toMatchObject({ totalCents: 1_000, firstExpiresAtMs: mail.orders[0]?.expiresAtMs, orders })
        const purchases = ids.map((orderId) => ({ orderId, ...told, approvedBy: null, links: [{ netCents: 500 }] }))
        if (mail !== undefined && "purchases" in mail) expect(mail).toMatchObject({ totalCents: 1_000, purchases })
        if (mail !== undefined && "notices" in mail)
          expect(mail.notices).toMatchObject(
            ids.map((auditId) => ({ auditId, action: "member.invite", role: "viewer", by: null }))
          )
        const { settle } = (yield* OwnerMails)[kind]
        yield* settle(yield* ownerOf(someone), { upTo: null, nextAtMs: 0, attempts: 1 })
        expect(yield* claim(kind, someone)).toMatchObject([{ attempts: 1 }])
      })
    )

    it.effect("reach the owners of the account alone, and none who was removed", () =>
      Effect.gen(function* () {
        const someone = yield* kinds[kind].someone
        const { accountId } = someone.account
        const book = yield* OrderBook
        const by = { memberId: yield* ownerOf(someone) }
        const number = yield* (yield* UniqueNumbers).next
        const add = (email: string, role: "owner" | "viewer") => joinAs({ accountId, email, role })
        const second = yield* Effect.tap(add(`second-${number}@example.com`, "owner"), chooseZone)
        const removed = yield* add(`removed-${number}@example.com`, "owner")
        yield* add(`viewer-${number}@example.com`, "viewer")
        yield* kinds[kind].order(someone)
        // Noted while the member was still an owner.
        const nowMs = yield* Clock.currentTimeMillis
        yield* (yield* OwnerMails)[kind].claim({ nowMs, leaseMs: 0, lagMs: LAG_MS, limit: 0 })
        yield* book.transact(
          { _tag: "ForAccount", accountId },
          removeMember({ accountId, memberId: removed.memberId, by })
        )
        const mails = yield* claim(kind, someone, { others: [removed.memberId] })
        expect(new Set(mails.map(({ email }) => email))).toEqual(new Set([someone.account.email, second.email]))
        expect(zonesOf(mails)).toEqual(new Set(kind === "approvals" ? [null, ZONE] : []))
      })
    )

    it.effect("list the first of many, and count them all", () =>
      Effect.gen(function* () {
        const someone = yield* kinds[kind].someone
        const { shown } = kinds[kind]
        const ids = yield* Effect.forEach(
          times(shown + 3, () => 0),
          () => kinds[kind].order(someone)
        )
        const mails = yield* claim(kind, someone)
        expect(mails).toMatchObject([{ count: shown + 3, upTo: ids.at(-1) }])
        expect(idsIn(mails)).toEqual(ids.slice(0, shown))
        if (kind === "purchases") expect(mails).toMatchObject([{ totalCents: 500 * (shown + 3) }])
      })
    )
  })

export const ownerMailsSuite = (name: string, store: StoreLayer): void => {
  for (const kind of ["approvals", "purchases", "notices", "links", "expiries", "receipts", "topUps"] as const)
    mailsSuite(kind, name, store)

  storeSuite(`What mails to owners of ${name} tell`, store, (it) => {
    it.effect("of approvals: the largest total first, and of equal ones the oldest", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.approvals.someone
        const small = yield* kinds.approvals.order(someone)
        const items = linksOn(yield* listSite(), yield* listSite())
        const { quoteId } = (yield* order(someone.caller, { items })).quote
        const second = yield* kinds.approvals.order(someone)
        const mails = yield* claim("approvals", someone)
        expect(mails).toMatchObject([{ count: 3, upTo: second }])
        expect(idsIn(mails)).toEqual([quoteId, small, second])
      })
    )

    it.effect("of approvals: not what is decided, expired, of the sandbox, of payment, or too young", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const someone = yield* buyer(5_000, { limits })
        const ask = kinds.approvals.order
        const declined = (yield* order(someone.caller, { items: linksOn(yield* listSite()) })).quote.quoteId
        const decline = declineQuote({ quoteId: declined, by: null, reason: "", render })
        yield* book.transact({ _tag: "ForApproval", quoteId: declined }, decline)
        const { quote } = yield* order(someone.caller, { items: linksOn(yield* listSite()) })
        yield* abandon(quote, "agent")
        const { accountId } = someone.account
        const sandbox = yield* issueKeyTo({ accountId, mode: "sandbox", limits })
        const pretender = { ...someone.caller, keyId: sandbox.keyId, mode: "sandbox" as const }
        yield* order(pretender, { items: linksOn(yield* listSite()), sandboxCreditCents: 900 })
        const free = yield* issueKeyTo({ accountId })
        yield* ask({ caller: { ...someone.caller, keyId: free.keyId } })
        expect(yield* claim("approvals", someone)).toEqual([])
        const waiting = (yield* order(someone.caller, { items: linksOn(yield* listSite()) })).quote
        expect(yield* claim("approvals", someone, { lagMs: 3_600_000 })).toEqual([])
        const afterMs = waiting.expiresAtMs - waiting.createdAtMs + LATER_MS
        expect(yield* claim("approvals", someone, { afterMs })).toEqual([])
        expect(idsIn(yield* claim("approvals", someone))).toEqual([waiting.quoteId])
      })
    )

    it.effect("of accounts: who invited whom, and who joined, to all owners but the one who joined", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.notices.someone
        const { account } = someone
        const memberId = yield* ownerOf(someone)
        const book = yield* OrderBook
        const email = `joins-${yield* (yield* UniqueNumbers).next}@example.com`
        const { accountId } = account
        const inviting = inviteMember({ accountId, email, role: "owner", by: { memberId } })
        const { invitationId } = yield* book.transact({ _tag: "ForAccount", accountId }, inviting)
        const role = "owner"
        const invited = { action: "member.invite", email, role, by: account.email }
        const [first, ...others] = yield* claim("notices", someone)
        expect(others).toEqual([])
        expect(first).toMatchObject({ email: account.email, notices: [invited] })
        yield* (yield* OwnerMails).notices.settle(memberId, { upTo: first?.upTo ?? "", nextAtMs: 0, attempts: 0 })
        const accepting = acceptInvitation({ invitationId, email })
        yield* book.transact({ _tag: "ForInvitation", invitationId }, accepting)
        const mails = yield* claim("notices", someone, { afterMs: LATER_MS })
        const told = mails.filter(({ count }) => count > 0)
        expect(told).toMatchObject([
          { email: account.email, count: 1, notices: [{ action: "member.join", email, role, by: email }] }
        ])
      })
    )

    it.effect("of accounts: which webhook is told of all orders, and none of one for its key's alone", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.notices.someone
        const url = "https://hooks.example/all"
        yield* addSubscription(someone.caller)
        expect(yield* claim("notices", someone)).toEqual([])
        yield* addSubscription(someone.caller, { url, scope: "account" })
        const [mail] = yield* claim("notices", someone)
        expect(mail).toMatchObject({
          count: 1,
          notices: [{ action: "webhook.add_account", label: "test", url, by: null, email: "", role: "" }]
        })
      })
    )

    it.effect("of accounts: which webhook was disabled, once, and not what its owner disabled", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.notices.someone
        const [own, paused] = [yield* scopedSubscription(someone.caller), yield* scopedSubscription(someone.caller)]
        const change = changeWebhook({ ...paused, change: { active: false } })
        yield* (yield* OrderBook).transact({ _tag: "ForSubscription", webhookId: paused.webhookId }, change)
        for (const { deliveryId } of yield* queueTests(own, 2)) yield* recordOutcome(deliveryId, answered(410))
        const told = { action: "webhook.disable", url: "https://hooks.example/in", by: null }
        expect(yield* claim("notices", someone)).toMatchObject([{ count: 1, notices: [told] }])
      })
    )

    it.effect("of approvals: nothing once what failed to be told is decided", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.approvals.someone
        const { quote } = yield* order(someone.caller, { items: linksOn(yield* listSite()) })
        yield* claim("approvals", someone)
        yield* abandon(quote, "human")
        expect(yield* claim("approvals", someone, { afterMs: LATER_MS })).toEqual([])
      })
    )

    it.effect("of purchases: no quotes, nothing of the Shop or the sandbox, and nothing that a card paid", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(700)
        const { accountId } = someone.account
        const site = yield* listSite()
        const book = yield* OrderBook
        const by = { memberId: yield* ownerOf(someone) }
        const web = yield* book.transact({ _tag: "ForAccount", accountId }, openWebCredential(accountId, by))
        yield* order({ ...someone.caller, keyId: web }, { items: linksOn(site) })
        yield* order(someone.caller, { items: linksOn(site) })
        const sandbox = yield* issueKeyTo({ accountId, mode: "sandbox" })
        const caller = { ...someone.caller, keyId: sandbox.keyId, mode: "sandbox" as const }
        yield* order(caller, { items: linksOn(site), sandboxCreditCents: 900 })
        expect(yield* claim("purchases", someone)).toEqual([])
      })
    )
  })
}
