// Stops all agents of an account, until an owner lets them order again. The order of a key or a connection whose transaction comes after
// the answer is refused, because each placement looks at its account.
import { Context, Effect, Layer } from "effect"
import { stopAgents } from "#core/decisions/AccountState.ts"
import type { Account } from "#core/domain/Account.ts"
import type { Confirmed } from "#core/domain/Confirmation.ts"
import type { AccountClosed, OwnerOnly } from "#core/domain/MemberRefusal.ts"
import type { AccountNotFound } from "#core/domain/Refusal.ts"
import type { SignedIn } from "#core/domain/Session.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"

type Changed = Effect.Effect<Account, AccountClosed | AccountNotFound | OwnerOnly | StoreUnavailable>

export class StopAgents extends Context.Service<
  StopAgents,
  {
    /** Never wants a confirmation, so that it is done at once. */
    readonly stop: (signedIn: SignedIn) => Changed
    readonly resume: (signedIn: SignedIn, by: Confirmed) => Changed
  }
>()("backlinks/usecases/StopAgents") {
  static readonly layer = Layer.effect(
    StopAgents,
    Effect.map(OrderBook, (book) => {
      const change = (
        { account: { accountId } }: SignedIn,
        stopped: boolean,
        { memberId }: { readonly memberId: string }
      ) => book.transact({ _tag: "ForAccount", accountId }, stopAgents({ accountId, stopped, by: { memberId } }))
      return StopAgents.of({
        stop: Effect.fn("StopAgents.stop")((signedIn) => change(signedIn, true, signedIn.member)),
        resume: Effect.fn("StopAgents.resume")((signedIn, by) => change(signedIn, false, by))
      })
    })
  )
}
