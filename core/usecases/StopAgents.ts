// Stops all agents of an account, until an owner lets them order again. The order of a key or a connection whose transaction comes after
// the answer is refused, because each placement looks at its account.
import { Context, Effect, Layer } from "effect"
import { stopAgents } from "#core/decisions/AccountState.ts"
import type { Account } from "#core/domain/Account.ts"
import type { AccountClosed, OwnerOnly } from "#core/domain/MemberRefusal.ts"
import type { AccountNotFound } from "#core/domain/Refusal.ts"
import type { SignedIn } from "#core/domain/Session.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"

type Change = (
  signedIn: SignedIn
) => Effect.Effect<Account, AccountClosed | AccountNotFound | OwnerOnly | StoreUnavailable>

export class StopAgents extends Context.Service<StopAgents, { readonly stop: Change; readonly resume: Change }>()(
  "backlinks/usecases/StopAgents"
) {
  static readonly layer = Layer.effect(
    StopAgents,
    Effect.map(OrderBook, (book) => {
      const change = ({ member: { memberId }, account: { accountId } }: SignedIn, stopped: boolean) =>
        book.transact({ _tag: "ForAccount", accountId }, stopAgents({ accountId, stopped, by: { memberId } }))
      return StopAgents.of({
        stop: Effect.fn("StopAgents.stop")((signedIn) => change(signedIn, true)),
        resume: Effect.fn("StopAgents.resume")((signedIn) => change(signedIn, false))
      })
    })
  )
}
