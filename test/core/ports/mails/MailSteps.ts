// The kinds of mails to owners, with what tests do to get one.
import { Clock, Effect, HashMap, Result } from "effect"
import { audit, Draft } from "#core/decisions/Draft.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { type DueApprovalMail, WAITING_SHOWN } from "#core/domain/mails/ApprovalMail.ts"
import type { DueExpiryMail } from "#core/domain/mails/ExpiryMail.ts"
import type { DueLinkMail } from "#core/domain/mails/LinkMail.ts"
import { type DueNoticeMail, NOTICES_SHOWN } from "#core/domain/mails/NoticeMail.ts"
import { type DuePurchaseMail, PURCHASES_SHOWN } from "#core/domain/mails/PurchaseMail.ts"
import type { DueReceiptMail } from "#core/domain/mails/ReceiptMail.ts"
import type { DueTopUpMail } from "#core/domain/mails/TopUpMail.ts"
import { MemberId } from "#core/domain/shared/Ids.ts"
import { OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { actor, type Buyer, buyer, linksOn, listSite, order } from "../ShopSetup.ts"
import { UniqueNumbers } from "../StoreSuite.ts"
import { newsKinds } from "./NewsSteps.ts"

/** What is of this millisecond counts, too, at each time to which a test looks ahead. */
export const LAG_MS = -600_000

const LEASE_MS = 60_000
export const LATER_MS = 2 * LEASE_MS

export const limits = { ...noLimits, approveAboveCents: 0 }

export type Due =
  | DueApprovalMail
  | DuePurchaseMail
  | DueNoticeMail
  | DueLinkMail
  | DueExpiryMail
  | DueReceiptMail
  | DueTopUpMail

/** The ids by which a mail of each kind tells its news. */
const idsOf = (mail: Due): ReadonlyArray<string> => {
  if ("notices" in mail) return mail.notices.map(({ auditId }) => auditId)
  if ("orders" in mail) return mail.orders.map(({ quoteId }) => quoteId)
  if ("purchases" in mail) return mail.purchases.map(({ orderId }) => orderId)
  if ("links" in mail) return mail.links.map(({ auditId }) => auditId)
  if ("expiries" in mail) return mail.expiries.map(({ auditId }) => auditId)
  if ("receipts" in mail) return mail.receipts.map(({ orderId }) => orderId)
  return mail.topUps.map(({ entryId }) => entryId)
}

/** Notes in the audit log that somebody was invited, however often it happened today. */
const noteInvitation = Effect.fnUntraced(function* ({ account: { accountId } }: Pick<Buyer, "account">) {
  const number = yield* (yield* UniqueNumbers).next
  const details = { email: `invited-${number}@example.com`, role: "viewer" }
  return yield* (yield* OrderBook).transact({ _tag: "ForAccount", accountId }, (books, context) => {
    const draft = new Draft(books, context)
    audit(draft, actor, { action: "member.invite", subject: "ivt_1", accountId, details })
    const id = draft.nextId("aud_")
    const [record] = HashMap.values(draft.books.audit)
    return Result.succeed(draft.decided(record?.auditId ?? id))
  })
})

export const kinds = {
  notices: {
    shown: NOTICES_SHOWN,
    // That its key was made is not told.
    someone: buyer(0, { actor: null }),
    order: Effect.fnUntraced(function* (someone: Pick<Buyer, "account">) {
      const id: string = yield* noteInvitation(someone)
      return id
    })
  },
  approvals: {
    shown: WAITING_SHOWN,
    someone: buyer(50_000, { label: "Assistant", limits }),
    /** One Plancton link that waits. */
    order: Effect.fnUntraced(function* ({ caller }: Pick<Buyer, "caller">) {
      const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
      const id: string = quote.quoteId
      return id
    })
  },
  purchases: {
    shown: PURCHASES_SHOWN,
    someone: buyer(50_000, { label: "Assistant" }),
    /** A Plancton link from credit. */
    order: Effect.fnUntraced(function* ({ caller }: Pick<Buyer, "caller">) {
      const placed = yield* order(caller, { items: linksOn(yield* listSite()) })
      const id: string = placed.order?.orderId ?? "not paid from credit"
      return id
    })
  },
  ...newsKinds
} as const

export type Kind = keyof typeof kinds

export const ownerOf = ({ account }: Pick<Buyer, "account">) =>
  Effect.map(
    Effect.flatMap(Members, ({ ofAccount }) => ofAccount(account.accountId)),
    ([owner]) => owner?.memberId ?? MemberId.make("")
  )

interface Wish {
  readonly afterMs?: number
  readonly lagMs?: number
  /** Whose mails are returned beside those of the account's members. */
  readonly others?: ReadonlyArray<string>
}

/** All that is due `afterMs` from now to this account. */
export const claim = Effect.fnUntraced(function* (
  kind: Kind,
  { account }: Pick<Buyer, "account">,
  { afterMs = 0, lagMs = LAG_MS, others = [] }: Wish = {}
) {
  const members = yield* (yield* Members).ofAccount(account.accountId)
  const owners = new Set([...members.map(({ memberId }) => memberId), ...others])
  const nowMs = (yield* Clock.currentTimeMillis) + afterMs
  const query = { nowMs, leaseMs: LEASE_MS, lagMs: lagMs + afterMs, limit: 10_000 }
  const mails = yield* OwnerMails
  const found: ReadonlyArray<Due> = yield* mails[kind].claim(query)
  return found.filter(({ memberId }) => owners.has(memberId))
})

export const idsIn = (mails: ReadonlyArray<Due>): ReadonlyArray<string> => mails.flatMap(idsOf)
