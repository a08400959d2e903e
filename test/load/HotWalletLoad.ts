// Orders of one account, which all want the same wallet, beside the same written by hand and as one statement.
import { Effect } from "effect"
import type { Load } from "./Load.ts"
import { optionsFrom } from "./Options.ts"
import { orderContest } from "./OrderComparison.ts"

export const load: Load = (args) =>
  Effect.flatMap(optionsFrom(args), (options) =>
    orderContest({ name: "hot-wallet", accounts: 1, pgbenchClients: 2, floors: { pgbench: 1 } }, options)
  )
