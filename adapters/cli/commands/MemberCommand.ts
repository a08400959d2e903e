// `member`: people who sign in to accounts.
import { Command, Flag } from "effect/cli"
import { withClient } from "../Connect.ts"
import { printResult } from "../Output.ts"

const factorReset = Command.make(
  "factor-reset",
  { email: Flag.String("email").pipe(Flag.withDescription("The address that the member signs in with")) },
  withClient((client, { email }) =>
    printResult(client.issueFactorCode({ email }), ({ code, email, accountId }) =>
      [
        `One-time code for ${email} of ${accountId}: ${code}`,
        "It counts once, within 24 hours, and is not shown again. Make sure that you hand it to the person, and not into the mailbox:",
        "beside a sign-in link it removes the member's passkeys and app, and in the settings it removes or adds one."
      ].join("\n")
    )
  )
).pipe(
  Command.withDescription("Make a one-time code for a member who lost a passkey or an authenticator app"),
  Command.withExamples([
    {
      command: "npm run operator -- member factor-reset --email ada@brand.example",
      description: "Let Ada in without her lost app"
    }
  ])
)

export const memberCommand = Command.make("member").pipe(
  Command.withDescription("People who sign in to accounts"),
  Command.withSubcommands([factorReset])
)
