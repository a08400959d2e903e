// What every store promises of mails on orders that wait for approval: which orders are told to whom, and to one caller at a time.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { addMember, removeMember } from "#core/decisions/members/Members.ts"
import { declineQuote } from "#core/decisions/ordering/ApproveQuote.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { type DueApprovalMail, WAITING_SHOWN } from "#core/domain/mails/ApprovalMail.ts"
import { MemberId } from "#core/domain/shared/Ids.ts"
import { ApprovalMails } from "#core/ports/mails/ApprovalMails.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { render } from "#test/core/Given.ts"
import { abandon } from "../ordering/OrderSteps.ts"
import { type Buyer, buyer, issueKeyTo, linksOn, listSite, order } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

/** Every quote of the test counts, also one of this millisecond. */
const LAG_MS = -60_000

const limits = { ...noLimits, approveAboveCents: 0 }

/** All that is due `afterMs` from now, of this account and of `others`. */
const claim = Effect.fnUntraced(function* (
  { account }: Pick<Buyer, "account">,
  afterMs = 0,
  { others = [], lagMs = LAG_MS }: { readonly others?: ReadonlyArray<string>; readonly lagMs?: number } = {}
) {
  const members = yield* (yield* Members).ofAccount(account.accountId)
  const owners = new Set([...members.map(({ memberId }) => memberId), ...others])
  const nowMs = (yield* Clock.currentTimeMillis) + afterMs
  const mails = yield* ApprovalMails
  const found = yield* mails.claim({ nowMs, untilMs: nowMs + 60_000, lagMs: lagMs + afterMs, limit: 10_000 })
  return found.filter(({ memberId }) => owners.has(memberId))
})

/** One Plancton link that waits. */
const ask = Effect.fnUntraced(function* ({ caller }: Pick<Buyer, "caller">, sandboxCreditCents?: number) {
  const pretended = sandboxCreditCents === undefined ? {} : { sandboxCreditCents }
  const { quote } = yield* order(caller, { items: linksOn(yield* listSite()), ...pretended })
  return quote
})

const ownerOf = ({ account }: Pick<Buyer, "account">) =>
  Effect.map(
    Effect.flatMap(Members, ({ ofAccount }) => ofAccount(account.accountId)),
    ([owner]) => owner?.memberId ?? MemberId.make("")
  )

const quotesIn = (mails: ReadonlyArray<DueApprovalMail>): ReadonlyArray<string> =>
  mails.flatMap(({ orders }) => orders.map(({ quoteId }) => quoteId))

/** Beyond the lease of a claim. */
const LATER_MS = 120_000

export const approvalMailsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Mails on approvals of ${name}`, store, (it) => {
    it.effect("tell an owner what waits, once, oldest first", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(5_000, { label: "Assistant", limits })
        const mails = yield* ApprovalMails
        const quoteIds = [(yield* ask(someone)).quoteId, (yield* ask(someone)).quoteId]
        const [mail, ...others] = yield* claim(someone)
        expect(others).toEqual([])
        expect(mail).toMatchObject({
          ...{ email: someone.account.email, accountName: "Ada", count: 2, attempts: 0, upTo: quoteIds[1] }
        })
        expect(mail?.orders).toMatchObject(
          quoteIds.map((quoteId) => ({ quoteId, credential: "Assistant", totalCents: 500 }))
        )
        expect(mail?.orders[0]?.links).toMatchObject([{ targetUrl: expect.stringContaining("https://") }])
        if (mail !== undefined) yield* mails.sent(mail, 0)
        expect(yield* claim(someone, LATER_MS)).toEqual([])
        const next = yield* ask(someone)
        expect(quotesIn(yield* claim(someone, LATER_MS))).toEqual([next.quoteId])
      })
    )

    it.effect("do not tell of what is decided, lapsed, of the sandbox, of payment, or too young", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const someone = yield* buyer(5_000, { limits })
        const declined = yield* ask(someone)
        const decline = declineQuote({ quoteId: declined.quoteId, by: null, reason: "", render })
        yield* book.transact({ _tag: "ForApproval", quoteId: declined.quoteId }, decline)
        yield* abandon(yield* ask(someone), "agent")
        const { accountId } = someone.account
        const sandbox = yield* issueKeyTo({ accountId, mode: "sandbox", limits })
        yield* ask({ caller: { ...someone.caller, keyId: sandbox.keyId, mode: "sandbox" } }, 900)
        const free = yield* issueKeyTo({ accountId })
        yield* ask({ caller: { ...someone.caller, keyId: free.keyId } })
        expect(yield* claim(someone)).toEqual([])
        const waiting = yield* ask(someone)
        expect(yield* claim(someone, 0, { lagMs: 3_600_000 })).toEqual([])
        expect(yield* claim(someone, waiting.expiresAtMs - waiting.createdAtMs + LATER_MS)).toEqual([])
        expect(quotesIn(yield* claim(someone))).toEqual([waiting.quoteId])
      })
    )

    it.effect("reach the owners of the account alone, and none who was removed", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(5_000, { limits })
        const { accountId } = someone.account
        const book = yield* OrderBook
        const by = { memberId: yield* ownerOf(someone) }
        const number = yield* (yield* UniqueNumbers).next
        const add = (email: string, role: "owner" | "viewer") =>
          book.transact({ _tag: "ForEmail", email, accountId }, addMember({ accountId, email, role, by }))
        const second = yield* add(`asked-${number}@example.com`, "owner")
        const removed = yield* add(`gone-${number}@example.com`, "owner")
        yield* add(`looks-${number}@example.com`, "viewer")
        yield* ask(someone)
        yield* book.transact(
          { _tag: "ForAccount", accountId },
          removeMember({ accountId, memberId: removed.memberId, by })
        )
        const mails = yield* claim(someone, 0, { others: [removed.memberId] })
        expect(new Set(mails.map(({ email }) => email))).toEqual(new Set([someone.account.email, second.email]))
      })
    )

    it.effect("are claimed by one of 20 callers at once, and again after the lease", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(5_000, { limits })
        yield* ask(someone)
        const claims = yield* concurrently(times(20, () => claim(someone)))
        expect(claims.flat()).toHaveLength(1)
        expect(yield* claim(someone, 1_000)).toEqual([])
        expect(yield* claim(someone, LATER_MS)).toHaveLength(1)
      })
    )

    it.effect("that failed come again with what waits by then, and one of which nothing waits any more is empty", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(5_000, { limits })
        const mails = yield* ApprovalMails
        const memberId = yield* ownerOf(someone)
        const first = yield* ask(someone)
        yield* claim(someone)
        yield* mails.failed(memberId, (yield* Clock.currentTimeMillis) + 30_000)
        const second = yield* ask(someone)
        expect(yield* claim(someone)).toEqual([])
        const again = yield* claim(someone, LATER_MS)
        expect(quotesIn(again)).toEqual([first.quoteId, second.quoteId])
        expect(again[0]?.attempts).toBe(1)
        for (const quote of [first, second]) yield* abandon(quote, "human")
        expect(yield* claim(someone, 2 * LATER_MS)).toEqual([])
      })
    )

    it.effect("list the first of many orders, and count them all", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(50_000, { limits })
        const made = yield* Effect.forEach(
          times(WAITING_SHOWN + 3, () => 0),
          () => ask(someone)
        )
        const [mail] = yield* claim(someone)
        expect(mail?.count).toBe(WAITING_SHOWN + 3)
        expect(mail?.upTo).toBe(made.at(-1)?.quoteId)
        expect(mail?.orders.map(({ quoteId }) => quoteId)).toEqual(
          made.slice(0, WAITING_SHOWN).map(({ quoteId }) => quoteId)
        )
      })
    )

    it.effect("are wanted until told otherwise, and what still waits once they are wanted again is told then", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(5_000, { limits })
        const mails = yield* ApprovalMails
        const memberId = yield* ownerOf(someone)
        expect(yield* mails.isWanted(memberId)).toBe(true)
        yield* mails.want(memberId, false)
        expect(yield* mails.isWanted(memberId)).toBe(false)
        const waiting = yield* ask(someone)
        expect(yield* claim(someone)).toEqual([])
        yield* mails.want(memberId, true)
        expect(quotesIn(yield* claim(someone))).toEqual([waiting.quoteId])
      })
    )
  })
