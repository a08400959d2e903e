// Steps of scenarios with top-ups over Stripe.
import { randomUUID } from "node:crypto"
import { Effect, Redacted } from "effect"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { sessionIdIn } from "#test/adapters/payments/StripeStandIn.ts"
import { movements } from "../core/BookReads.ts"
import { by } from "./Buyers.ts"
import { RunningService } from "./RunningService.ts"

export const CENTS = 2_500

/** An owner who began a top-up of 25.00 EUR; without a payment page where Stripe is away. */
export const begun = Effect.gen(function* () {
  const email = `${randomUUID()}@brand.example`
  const { accountId } = yield* (yield* ManageAccounts).open({ name: "Ada", email }, by)
  const known = yield* (yield* Members).byEmail(email)
  if (known === null) throw new Error(`${email} is no member`)
  const sessions = yield* MemberSessions
  const { token } = yield* sessions.start(known, "link", { network: "192.0.2.0/24", userAgent: "", who: null })
  const who = yield* sessions.authenticate(Redacted.value(token))
  const topUps = yield* TopUpCredit
  const { topUpId, paymentUrl } = yield* topUps.start(who, { topUpId: yield* topUps.newId, cents: CENTS })
  const view = Effect.map(topUps.view(who, topUpId), ({ status }) => status)
  return { who, accountId, topUpId, paymentUrl, view }
})

/** The same, which has its session at Stripe. */
export const opened = Effect.map(begun, (topUp) => ({ ...topUp, sessionId: sessionIdIn(topUp.paymentUrl ?? "") }))

export const booked = Effect.fnUntraced(function* ({ accountId }: { readonly accountId: AccountId }) {
  const { books } = yield* RunningService
  return movements(yield* books, accountId)
})
