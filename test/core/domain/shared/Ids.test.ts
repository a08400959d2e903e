// Ids of one kind given for another do not compile; at run time an id is its text.
import { HashMap } from "effect"
import { expect, it } from "vitest"
import { emptyBooks, find } from "#core/decisions/Books.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import { makeId } from "#core/domain/shared/DecisionContext.ts"
import {
  AccountId,
  type KeyId,
  type PaymentSessionId,
  QuoteId,
  SessionId,
  type TopUpId
} from "#core/domain/shared/Ids.ts"

const accountId = AccountId.make("acc_1")
const sessionId = SessionId.make("ses_1")

it("of one kind are not given for another", () => {
  // @ts-expect-error An account's id is not a quote's.
  const quoteId: QuoteId = accountId
  // @ts-expect-error Text outside any schema is not an id.
  const keyId: KeyId = "key_1"
  // @ts-expect-error A member's session is not the payment processor's.
  const paymentSessionId: PaymentSessionId = sessionId
  // @ts-expect-error A decision reads a quote by the id of a quote.
  const reads: Reads = { _tag: "ForQuote", quoteId: accountId }
  // @ts-expect-error A table of the books is looked up by its own ids.
  const quote = find(emptyBooks.quotes, accountId)
  // @ts-expect-error The prefix says what an id names.
  const topUpId: TopUpId = makeId("q_", "live", "01", 0)
  expect([quoteId, keyId, paymentSessionId, reads, quote, topUpId]).toHaveLength(6)
})

it("are their text at run time", () => {
  expect(QuoteId.make("q_1")).toBe("q_1")
  expect(HashMap.has(HashMap.make([QuoteId.make("q_1"), 1]), QuoteId.make("q_1"))).toBe(true)
})
