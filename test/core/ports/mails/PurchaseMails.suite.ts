// What every store promises of mails on purchases: which orders are told to whom, in what size, and to one caller at a time.
import { Effect } from "effect"
import { expect } from "vitest"
import { openWebCredential } from "#core/decisions/members/AccountState.ts"
import { addMember, removeMember } from "#core/decisions/members/Members.ts"
import { type DuePurchaseMail, PURCHASES_SHOWN } from "#core/domain/mails/PurchaseMail.ts"
import { MemberId, OrderId } from "#core/domain/shared/Ids.ts"
import { PurchaseMails } from "#core/ports/mails/PurchaseMails.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { type Buyer, buyer, issueKeyTo, linksOn, listSite, order } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

/** Every order of the test is examined, also one of this millisecond. */
const LAG_MS = -60_000

const NOW_MS = 1_000_000

const collect = Effect.flatMap(PurchaseMails, ({ collect }) =>
  Effect.repeat(collect({ lagMs: LAG_MS }), { while: (more) => more })
)

/** All that is due at that time, of this account and of `others`. */
const claim = Effect.fnUntraced(function* (
  { account }: Pick<Buyer, "account">,
  nowMs = NOW_MS,
  others: ReadonlyArray<string> = []
) {
  yield* collect
  const members = yield* (yield* Members).ofAccount(account.accountId)
  const owners = new Set([...members.map(({ memberId }) => memberId), ...others])
  const found = yield* (yield* PurchaseMails).claim({ nowMs, untilMs: nowMs + 1_000, limit: 10_000 })
  return found.filter(({ memberId }) => owners.has(memberId))
})

/** A Plancton link from the credit of the caller's account. */
const buy = Effect.fnUntraced(function* ({ caller }: Pick<Buyer, "caller">) {
  const placed = yield* order(caller, { items: linksOn(yield* listSite()) })
  return placed.order?.orderId ?? OrderId.make("")
})

const ownerOf = ({ account }: Pick<Buyer, "account">) =>
  Effect.map(
    Effect.flatMap(Members, ({ ofAccount }) => ofAccount(account.accountId)),
    ([owner]) => owner?.memberId ?? MemberId.make("")
  )

const ordersIn = (mails: ReadonlyArray<DuePurchaseMail>): ReadonlyArray<string> =>
  mails.flatMap(({ purchases }) => purchases.map(({ orderId }) => orderId))

export const purchaseMailsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Mails on purchases of ${name}`, store, (it) => {
    it.effect("tell an owner what was bought from credit, once, oldest first", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(5_000, { label: "Assistant" })
        const orderIds = [yield* buy(someone), yield* buy(someone)]
        const [mail, ...others] = yield* claim(someone)
        expect(others).toEqual([])
        expect(mail).toMatchObject({
          ...{ email: someone.account.email, accountName: "Ada", count: 2, totalCents: 1_000, attempts: 0 },
          upTo: orderIds[1]
        })
        expect(mail?.purchases.map(({ orderId, credential, totalCents }) => [orderId, credential, totalCents])).toEqual(
          orderIds.map((orderId) => [orderId, "Assistant", 500])
        )
        expect(mail?.purchases[0]?.links).toMatchObject([{ netCents: 500 }])
        if (mail !== undefined) yield* (yield* PurchaseMails).sent(mail, 0)
        expect(yield* claim(someone, NOW_MS + 10_000)).toEqual([])
        const next = yield* buy(someone)
        expect(ordersIn(yield* claim(someone, NOW_MS + 20_000))).toEqual([next])
      })
    )

    it.effect("do not tell of quotes, of the Shop, of the sandbox, or of what a card paid", () =>
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
        expect(yield* claim(someone)).toEqual([])
      })
    )

    it.effect("reach the owners of the account alone, and none who was removed", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(5_000)
        const { accountId } = someone.account
        const book = yield* OrderBook
        const by = { memberId: yield* ownerOf(someone) }
        const number = yield* (yield* UniqueNumbers).next
        const add = (email: string, role: "owner" | "viewer") =>
          book.transact({ _tag: "ForEmail", email, accountId }, addMember({ accountId, email, role, by }))
        const second = yield* add(`second-${number}@example.com`, "owner")
        const removed = yield* add(`removed-${number}@example.com`, "owner")
        yield* add(`viewer-${number}@example.com`, "viewer")
        yield* buy(someone)
        yield* collect
        yield* book.transact(
          { _tag: "ForAccount", accountId },
          removeMember({ accountId, memberId: removed.memberId, by })
        )
        const mails = yield* claim(someone, NOW_MS, [removed.memberId])
        expect(new Set(mails.map(({ email }) => email))).toEqual(new Set([someone.account.email, second.email]))
      })
    )

    it.effect("are claimed by one of 20 callers at once, and again after the lease", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(5_000)
        yield* buy(someone)
        yield* collect
        const claims = yield* concurrently(times(20, () => claim(someone)))
        expect(claims.flat()).toHaveLength(1)
        expect(yield* claim(someone, NOW_MS + 999)).toEqual([])
        expect(yield* claim(someone, NOW_MS + 1_000)).toHaveLength(1)
      })
    )

    it.effect("that failed come again, with what was bought meanwhile, and count the attempts", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(5_000)
        const mails = yield* PurchaseMails
        const first = yield* buy(someone)
        yield* claim(someone)
        yield* mails.failed(yield* ownerOf(someone), NOW_MS + 5_000)
        const second = yield* buy(someone)
        expect(yield* claim(someone, NOW_MS + 4_999)).toEqual([])
        const again = yield* claim(someone, NOW_MS + 5_000)
        expect(ordersIn(again)).toEqual([first, second])
        expect(again[0]?.attempts).toBe(1)
      })
    )

    it.effect("list the first of many purchases, and count them all", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(50_000)
        const orderIds = yield* Effect.forEach(
          times(PURCHASES_SHOWN + 3, () => 0),
          () => buy(someone)
        )
        const [mail] = yield* claim(someone)
        expect(mail?.count).toBe(PURCHASES_SHOWN + 3)
        expect(mail?.totalCents).toBe(500 * (PURCHASES_SHOWN + 3))
        expect(mail?.purchases.map(({ orderId }) => orderId)).toEqual(orderIds.slice(0, PURCHASES_SHOWN))
      })
    )

    it.effect("are wanted until a member says otherwise; what was bought meanwhile is not told later", () =>
      Effect.gen(function* () {
        const someone = yield* buyer(5_000)
        const mails = yield* PurchaseMails
        const memberId = yield* ownerOf(someone)
        expect(yield* mails.isWanted(memberId)).toBe(true)
        yield* mails.want(memberId, false)
        expect(yield* mails.isWanted(memberId)).toBe(false)
        yield* buy(someone)
        expect(yield* claim(someone)).toEqual([])
        yield* mails.want(memberId, true)
        expect(yield* claim(someone)).toEqual([])
        const next = yield* buy(someone)
        expect(ordersIn(yield* claim(someone, NOW_MS + 10_000))).toEqual([next])
      })
    )
  })
