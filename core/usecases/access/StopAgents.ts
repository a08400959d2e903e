// Stops all agents of an account, until an owner lets them order again. The order of a key or a connection whose transaction comes after
// the answer is refused, because each placement looks at its account.
import { Context, Effect, Layer } from "effect"
import { stopAgents } from "#core/decisions/members/AccountState.ts"
import type { MadeBy } from "#core/decisions/members/Members.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { AccountClosed, AccountNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

type Changed = Effect.Effect<Account, AccountClosed | AccountNotFound | OwnerOnly | StoreUnavailable>

export class StopAgents extends Context.Service<
  StopAgents,
  {
    /** Never wants a confirmation, so that it is done at once. */
    readonly stop: (signedIn: SignedIn) => Changed
    readonly resume: (signedIn: SignedIn, by: Confirmed) => Changed
    /** For a human who asks the operator to. */
    readonly setStopped: (
      accountId: AccountId,
      stopped: boolean,
      operator: Actor
    ) => Effect.Effect<Account, AccountClosed | AccountNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/access/StopAgents") {
  static readonly layer = Layer.effect(
    StopAgents,
    Effect.map(OrderBook, (book) => {
      const change = (accountId: AccountId, stopped: boolean, by: MadeBy) =>
        book.transact({ _tag: "ForAccount", accountId }, stopAgents({ accountId, stopped, by }))
      return StopAgents.of({
        stop: Effect.fn("StopAgents.stop")(({ account, member: { memberId } }) =>
          change(account.accountId, true, { memberId })
        ),
        resume: Effect.fn("StopAgents.resume")(({ account }, { memberId }) =>
          change(account.accountId, false, { memberId })
        ),
        setStopped: Effect.fn("StopAgents.setStopped")((accountId, stopped, operator) =>
          change(accountId, stopped, { operator }).pipe(Effect.catchTag("OwnerOnly", Effect.die))
        )
      })
    })
  )
}
