// Reads top-ups. They are opened, paid and ended through the order book.
import { Context, type Effect } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, TopUpId } from "#core/domain/shared/Ids.ts"
import type { TopUp } from "#core/domain/wallet/TopUp.ts"
import type { PageRequest } from "../shared/PageRequest.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface TopUpPage {
  /** Newest first. */
  readonly topUps: ReadonlyArray<TopUp>
  readonly nextBeforeId: TopUpId | null
}

export class TopUps extends Context.Service<
  TopUps,
  {
    readonly byId: (topUpId: TopUpId) => Effect.Effect<TopUp | null, StoreUnavailable>
    readonly byPaymentToken: (token: string) => Effect.Effect<TopUp | null, StoreUnavailable>
    readonly ofAccount: (
      query: PageRequest<TopUpId> & { readonly accountId: AccountId }
    ) => Effect.Effect<TopUpPage, StoreUnavailable>
    /** All open ones of an account, oldest first. */
    readonly openOf: (accountId: AccountId) => Effect.Effect<ReadonlyArray<TopUp>, StoreUnavailable>
    /** Open ones past their expiry or of a closed account, oldest expiry first; after another one, if given. */
    readonly due: (query: {
      readonly nowMs: Millis
      readonly limit: number
      readonly after?: TopUpId | null
    }) => Effect.Effect<ReadonlyArray<TopUpId>, StoreUnavailable>
    /**
     * Open ones made until `beforeMs` that have no session, have not expired and are of no closed account, oldest expiry first; after another
     * one, if given.
     */
    readonly unopened: (query: {
      readonly beforeMs: Millis
      readonly nowMs: Millis
      readonly limit: number
      readonly after?: TopUpId | null
    }) => Effect.Effect<ReadonlyArray<TopUpId>, StoreUnavailable>
  }
>()("backlinks/ports/wallet/TopUps") {}
