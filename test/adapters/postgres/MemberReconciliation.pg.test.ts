// Each law of members, sessions, top-ups and self-opened accounts, broken behind the constraints of the tables.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { accountNo } from "#adapters/postgres/rows/AccountRows.ts"
import { openTopUp, settleTopUp } from "#core/decisions/wallet/TopUps.ts"
import type { Invariant } from "#core/domain/operations/Invariant.ts"
import { type AccountId, MemberId, PaymentId, SessionId, TopUpId } from "#core/domain/shared/Ids.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { buyer } from "#test/core/ports/ShopSetup.ts"
import { corrupt, store, violationsAbout } from "./BrokenDatabase.ts"

const topUpOf = Effect.fnUntraced(function* (
  accountId: AccountId,
  memberId: MemberId,
  topUpId: TopUpId,
  isPaid: boolean
) {
  const book = yield* OrderBook
  const reads = { _tag: "ForTopUp" as const, topUpId, accountId, reference: `pay_${topUpId}` }
  yield* book.transact(reads, openTopUp({ topUpId, accountId, memberId, cents: 2_500 }))
  if (!isPaid) return
  const payment = { paymentId: PaymentId.make(`pay_${topUpId}`), quoteId: topUpId, amountCents: 2_500, currency: "EUR" }
  yield* book.transact(reads, settleTopUp(payment))
})

/** Two accounts, each with its owner; the first with a session, a paid top-up and an open one. */
const facts = Effect.gen(function* () {
  const [one, other] = [(yield* buyer()).account, (yield* buyer()).account]
  const { accountId } = one
  const memberId = accountId.replace("acc_", "mem_")
  const suffix = accountId.slice("acc_".length)
  const sessionId = SessionId.make(`ses_${suffix}`)
  const times = { createdAtMs: 1_000, lastUsedAtMs: 1_000, endedAtMs: null }
  const hash = Buffer.from(suffix).toString("hex").padEnd(64, "0").slice(0, 64)
  const from = { method: "link" as const, network: "", userAgent: "", confirmedAtMs: null, cart: null }
  yield* (yield* Sessions).start({ sessionId, hash, memberId: MemberId.make(memberId), ...from, ...times }, null)
  const [paid, open] = [`top_a${suffix}`, `top_b${suffix}`]
  yield* topUpOf(accountId, MemberId.make(memberId), TopUpId.make(paid), true)
  yield* topUpOf(accountId, MemberId.make(memberId), TopUpId.make(open), false)
  const otherMemberId = other.accountId.replace("acc_", "mem_")
  return { accountId, memberId, otherAccountId: other.accountId, otherMemberId, sessionId, paid, open }
})

type Facts = Effect.Success<typeof facts>

interface Break {
  readonly what: string
  readonly invariant: Invariant
  readonly about: (facts: Facts) => string
  readonly sql: (facts: Facts) => ReadonlyArray<string>
}

const account = ({ accountId }: Facts): string => accountId
const topUp = ({ paid }: Facts): string => paid
const changeTopUp = ({ paid }: Facts, set: string): string => `UPDATE top_ups SET ${set} WHERE top_up_id = '${paid}'`
const changeEntry = ({ paid }: Facts, set: string): string => `UPDATE ledger SET ${set} WHERE reference = 'pay_${paid}'`

const inviteTo = ({ accountId }: Facts, count: number): string => `
INSERT INTO invitations (invitation_id, account_id, email, role, created_at_ms, expires_at_ms)
SELECT 'ivt_${accountId}' || n, '${accountId}', n || '@brand.example', 'viewer', 0, 9e15::bigint FROM generate_series(1, ${count}) n`

/** A quote that was paid as soon as it was made. */
const orderOf = (id: string, atMs: number): string =>
  `INSERT INTO quotes (quote_id, account_no, key_id, mode, lines, items_digest, gross_cents, discount, total_cents, credit_cents,
     card_cents, warnings, status, order_id, ordered_at_ms, order_status, credited_cents, payment_token, created_at_ms, expires_at_ms)
   VALUES ('q_${id}', 0, 'key_none', 'sandbox', '[]', '', 0, '{}', 0, 0, 0, '[]', 'paid', 'ord_${id}', ${atMs}, 'paid', 0, '', ${atMs}, ${atMs})`

const BREAKS: ReadonlyArray<Break> = [
  {
    what: "an account without any member",
    invariant: "account_has_members",
    about: account,
    sql: ({ memberId }) => [`DELETE FROM members WHERE member_id = '${memberId}'`]
  },
  {
    what: "an account with viewers alone",
    invariant: "account_has_members",
    about: account,
    sql: ({ memberId }) => [`UPDATE members SET role = 'viewer' WHERE member_id = '${memberId}'`]
  },
  {
    what: "an account with eleven members",
    invariant: "account_has_members",
    about: account,
    sql: ({ accountId, memberId }) => [
      `INSERT INTO members SELECT '${memberId}' || n, '${accountId}', '${memberId}' || n || '@brand.example', 'viewer', 0, NULL
       FROM generate_series(1, 10) n`
    ]
  },
  {
    what: "ten open invitations beside a member",
    invariant: "invitations_are_few",
    about: account,
    sql: (all) => [inviteTo(all, 10)]
  },
  {
    what: "an open invitation to a closed account",
    invariant: "invitations_are_few",
    about: account,
    sql: (all) => [inviteTo(all, 1), `UPDATE accounts SET closed_at_ms = 1 WHERE account_id = '${all.accountId}'`]
  },
  {
    what: "two members with one address",
    invariant: "address_signs_in_once",
    about: ({ memberId }) => memberId,
    sql: ({ accountId, memberId }) => [
      "DROP INDEX IF EXISTS members_by_email",
      `INSERT INTO members SELECT '${memberId}b', '${accountId}', upper(email), 'viewer', 0, NULL
       FROM members WHERE member_id = '${memberId}'`
    ]
  },
  {
    what: "a member with the address of another account",
    invariant: "address_signs_in_once",
    about: ({ memberId }) => `${memberId}c`,
    sql: ({ accountId, memberId, otherAccountId, otherMemberId }) => [
      `UPDATE members SET removed_at_ms = 1 WHERE member_id = '${otherMemberId}'`,
      `INSERT INTO members SELECT '${memberId}c', '${accountId}', email, 'viewer', 0, NULL
       FROM accounts WHERE account_id = '${otherAccountId}'`
    ]
  },
  {
    what: "a session of a member who was never there",
    invariant: "session_is_a_members",
    about: ({ sessionId }) => sessionId,
    sql: ({ sessionId }) => [`UPDATE sessions SET member_id = 'mem_none' WHERE session_id = '${sessionId}'`]
  },
  {
    what: "a session that keeps its token itself",
    invariant: "session_is_a_members",
    about: ({ sessionId }) => sessionId,
    sql: ({ sessionId }) => [`UPDATE sessions SET hash = 'the token ' || session_id WHERE session_id = '${sessionId}'`]
  },
  {
    what: "two sessions under one token",
    invariant: "session_is_a_members",
    about: ({ sessionId }) => sessionId,
    sql: ({ sessionId }) => [
      "ALTER TABLE sessions DROP CONSTRAINT IF EXISTS sessions_hash_key",
      `INSERT INTO sessions SELECT session_id || 'b', hash, member_id, method, network, user_agent, created_at_ms, last_used_at_ms,
         ended_at_ms, cart FROM sessions WHERE session_id = '${sessionId}'`
    ]
  },
  {
    what: "a paid top-up without its entry",
    invariant: "top_up_is_booked_once",
    about: topUp,
    sql: (all) => [`DELETE FROM ledger WHERE reference = 'pay_${all.paid}'`]
  },
  {
    what: "a paid top-up that was booked with another amount",
    invariant: "top_up_is_booked_once",
    about: topUp,
    sql: (all) => [changeEntry(all, "amount_cents = 2600, balance_delta_cents = 2600")]
  },
  {
    what: "a paid top-up that was booked for another account",
    invariant: "top_up_is_booked_once",
    about: topUp,
    sql: (all) => [changeEntry(all, `account_no = ${accountNo(`'${all.otherAccountId}'`)}`)]
  },
  {
    what: "a paid top-up that was booked twice",
    invariant: "top_up_is_booked_once",
    about: topUp,
    sql: ({ paid }) => [
      "DROP INDEX topped_up_once",
      `INSERT INTO ledger SELECT account_no, entry_id || 'b', kind, amount_cents, balance_delta_cents, held_delta_cents,
         balance_after_cents, held_after_cents, quote_id, order_id, link_id, hold_id, at_ms, reference
       FROM ledger WHERE reference = 'pay_${paid}'`
    ]
  },
  {
    what: "a paid top-up that names no payment",
    invariant: "top_up_is_booked_once",
    about: topUp,
    sql: (all) => [changeTopUp(all, "payment_id = NULL")]
  },
  {
    what: "an open top-up that has a payment",
    invariant: "top_up_is_booked_once",
    about: topUp,
    sql: (all) => [changeTopUp(all, "status = 'open'")]
  },
  {
    what: "two top-ups that one payment paid",
    invariant: "top_up_is_booked_once",
    about: ({ open }) => open,
    sql: ({ open, paid }) => [
      "DROP INDEX IF EXISTS top_ups_by_payment",
      `UPDATE top_ups SET status = 'paid', payment_id = 'pay_${paid}' WHERE top_up_id = '${open}'`
    ]
  },
  {
    what: "a debt that no top-up accounts for",
    invariant: "owed_is_what_is_missing",
    about: account,
    sql: ({ accountId }) => [`UPDATE accounts SET owed_cents = 1 WHERE account_id = '${accountId}'`]
  },
  {
    what: "a top-up that gives back what no reversal names",
    invariant: "owed_is_what_is_missing",
    about: topUp,
    sql: (all) => [changeTopUp(all, "reversed_cents = 1")]
  },
  {
    what: "a refund that nothing was taken for",
    invariant: "owed_is_what_is_missing",
    about: topUp,
    sql: ({ paid }) => [
      `INSERT INTO top_up_reversals VALUES ('ch_${paid}', '${paid}', 'ch_${paid}', 'refund', 1, 'final', 0)`
    ]
  },
  {
    what: "two accounts that opened themselves and spent the offer for one domain",
    invariant: "welcome_is_once_per_domain",
    about: account,
    sql: ({ accountId, otherAccountId, paid }) => [
      `UPDATE accounts SET self_opened = true WHERE account_id IN ('${accountId}', '${otherAccountId}')`,
      orderOf(`2${paid}`, 2_000),
      orderOf(`1${paid}`, 1_000),
      `INSERT INTO welcome_uses VALUES ('example.${paid}.', '${accountId}', 'q_2${paid}', NULL, true)`,
      `INSERT INTO welcome_uses VALUES ('example.${paid}.shop.', '${otherAccountId}', 'q_1${paid}', NULL)`
    ]
  },
  {
    what: "a top-up of a member who was never there",
    invariant: "named_is_there",
    about: () => "mem_unknown",
    sql: (all) => [changeTopUp(all, "member_id = 'mem_unknown'")]
  }
]

layer(store, { excludeTestServices: true })("reconciliation of the people of accounts reports", (it) => {
  for (const { what, invariant, about, sql } of BREAKS) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const broken = yield* facts
        expect(yield* violationsAbout(about(broken))).toEqual(new Set())
        yield* corrupt(...sql(broken))
        expect(yield* violationsAbout(about(broken))).toContain(invariant)
      })
    )
  }
})
