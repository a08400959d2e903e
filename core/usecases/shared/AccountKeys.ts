// The keys and connections of an account as its people see them: together, whichever of them ordered.
import { Effect } from "effect"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"

/** The ids of those that order in this mode. */
export const keyIdsIn = (keys: ReadonlyArray<{ readonly key: ApiKey }>, mode: Mode): ReadonlyArray<KeyId> =>
  keys.flatMap(({ key }) => (key.mode === mode ? [key.keyId] : []))

/** The live orders by these keys, all of an account, whose links are not all online, newest first. */
export const ordersUnderWay = Effect.map(
  Orders,
  (orders) => (keys: ReadonlyArray<{ readonly key: ApiKey }>, limit: number) =>
    orders.ofKeys({ keyIds: keyIdsIn(keys, "live"), statuses: ["paid", "in_progress"], limit, beforeId: null })
)
