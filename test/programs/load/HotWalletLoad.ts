// Orders of one account, which compete for one wallet, beside the same written by hand and as one statement.
import { Effect } from "effect"
import type { Load } from "./Load.ts"
import { optionsFrom } from "./Options.ts"
import { compareOrders } from "./OrderComparison.ts"

export const load: Load = (args) =>
  Effect.flatMap(optionsFrom(args), (options) =>
    compareOrders({ name: "hot-wallet", accounts: 1, pgbenchClients: 2, floors: { pgbench: 1 } }, options)
  )
