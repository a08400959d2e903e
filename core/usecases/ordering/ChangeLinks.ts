// Changes the text of a bought link until it is written: for the agent that placed the order, and for owners of the account.
import { Context, Effect, Layer } from "effect"
import { type ChangeLink, changeLink } from "#core/decisions/ordering/ChangeLink.ts"
import type { ExpiredApiKey, RevokedApiKey, SpendPolicyRefused } from "#core/domain/access/AccessRefusal.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { LinkNotChangeable, LinkTextChanged } from "#core/domain/ordering/ChangeRefusal.ts"
import type { ChangedLink } from "#core/domain/ordering/LinkChange.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import { type InvalidTransition, LinkNotFound, OrderNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { NoteRefusals } from "../shared/NoteRefusals.ts"

/** What is asked for: which link of which order, and its new text. */
export type LinkChangeRequest = Omit<ChangeLink, "by" | "render" | "revision">

type Fault = InvalidTransition | LinkNotChangeable | LinkNotFound | OrderNotFound | StoreUnavailable

/** Whose orders are found: of an agent, those of its mode. */
interface Owner {
  readonly accountId: AccountId
  readonly keyId: KeyId | null
  readonly mode?: Mode
}

const owns = ({ accountId, mode }: Owner, order: Order): boolean =>
  order.accountId === accountId && (mode === undefined || order.mode === mode)

export class ChangeLinks extends Context.Service<
  ChangeLinks,
  {
    /** Only in an order that the caller placed and no human decided, within the limits of its key. */
    readonly byAgent: (
      caller: Caller,
      request: LinkChangeRequest
    ) => Effect.Effect<ChangedLink, Fault | ExpiredApiKey | RevokedApiKey | SpendPolicyRefused>
    /** In any order of the account. */
    readonly byOwner: (
      signedIn: SignedIn,
      request: LinkChangeRequest & { readonly revision: number }
    ) => Effect.Effect<ChangedLink, Fault | LinkTextChanged | OwnerOnly>
  }
>()("backlinks/usecases/ordering/ChangeLinks") {
  static readonly layer = Layer.effect(
    ChangeLinks,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const orders = yield* Orders
      const { noting } = yield* NoteRefusals
      const { render } = yield* ServiceContext

      const change = Effect.fnUntraced(function* (owner: Owner, input: Omit<ChangeLink, "render">) {
        const { orderId, linkId, text } = input
        const { accountId, keyId } = owner
        const found = yield* orders.byId(orderId)
        if (found === null || !owns(owner, found.order)) return yield* new OrderNotFound({ orderId })
        const link = found.links.find((one) => one.linkId === linkId)
        if (link === undefined) return yield* new LinkNotFound({ linkId })
        // A change of the target between this read and the decision can only make its warning too many or too few.
        const target = { siteId: link.siteId, host: targetHost({ targetUrl: text.targetUrl ?? link.targetUrl }) }
        return yield* book.transact(
          { _tag: "ForChange", orderId, accountId, keyId, target },
          changeLink({ ...input, render })
        )
      })

      // Agents are not asked for a revision or a role, and owners not for a key: each is refused only what it can meet.
      return ChangeLinks.of({
        byAgent: Effect.fn("ChangeLinks.byAgent")((caller, request) => {
          const changed = Effect.catchTag(
            change(caller, { ...request, by: { caller } }),
            ["LinkTextChanged", "OwnerOnly"],
            Effect.die
          )
          const { targetUrl } = request.text
          const target = () => (targetUrl === undefined ? null : targetHost({ targetUrl }))
          return request.dryRun ? changed : noting(changed, caller, target)
        }),
        byOwner: Effect.fn("ChangeLinks.byOwner")(({ member: { memberId, accountId } }, request) =>
          Effect.catchTag(
            change({ accountId, keyId: null }, { ...request, by: { memberId } }),
            ["ExpiredApiKey", "RevokedApiKey", "SpendPolicyRefused"],
            Effect.die
          )
        )
      })
    })
  )
}
