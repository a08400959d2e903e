// `account stop-agents` and `account resume-agents`: the button of the member area, for a human who asks for it.
import { Command } from "effect/cli"
import { withClient } from "../Connect.ts"
import { printResult } from "../Output.ts"
import { accountArgument } from "./Parameters.ts"

export const stopAgents = Command.make(
  "stop-agents",
  { account: accountArgument },
  withClient((client, { account: accountId }) =>
    printResult(
      client.stopAgents({ accountId, stopped: true }),
      () => `No key and no connection of ${accountId} orders any more, until account resume-agents.`
    )
  )
).pipe(Command.withDescription("Stop all agents of an account at once; what is open can still be paid"))

export const resumeAgents = Command.make(
  "resume-agents",
  { account: accountArgument },
  withClient((client, { account: accountId }) =>
    printResult(
      client.stopAgents({ accountId, stopped: false }),
      () => `Keys and connections of ${accountId} order again, within their limits.`
    )
  )
).pipe(Command.withDescription("Let the agents of an account order again"))
