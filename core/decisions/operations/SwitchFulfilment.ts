// Switches who assigns Plancton links: the service or the operator.
import { Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import { audit, type Decide, Draft } from "../Draft.ts"

/** For links that are ordered from now on: with `manual`, the operator assigns Plancton links too. */
export const switchFulfilment =
  (fulfilment: Fulfilment, actor: Actor | null): Decide<Fulfilment, never> =>
  (books, context) => {
    const draft = new Draft(books, context)
    draft.record({ _tag: "FulfilmentSwitched", fulfilment })
    audit(draft, actor, {
      action: "fulfilment.switch",
      subject: "fulfilment",
      accountId: null,
      details: { fulfilment }
    })
    return Result.succeed(draft.decided(fulfilment))
  }
