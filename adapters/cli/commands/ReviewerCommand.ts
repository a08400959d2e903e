// `reviewer`: sign-ins for reviewers of directories, each to an account of the sandbox.
import { Argument, Command, Flag } from "effect/cli"
import type { Reviewer } from "#adapters/operator/records/ReviewerRecords.ts"
import { idColumn, textColumn, timeText, timeTextOrNone } from "../Columns.ts"
import { withClient } from "../Connect.ts"
import { printResult } from "../Output.ts"
import { table } from "../Table.ts"

const nameArgument = Argument.String("name").pipe(
  Argument.withDescription("Name that the reviewer types: 3 to 40 letters, digits, dots and dashes")
)

const DEFAULT_DAYS = 30

const create = Command.make(
  "create",
  {
    name: nameArgument,
    days: Flag.Int("days").pipe(
      Flag.withDescription(`Days that it is good for, ${DEFAULT_DAYS} unless told`),
      Flag.withDefault(DEFAULT_DAYS)
    )
  },
  withClient((client, order) =>
    printResult(client.createReviewer(order), ({ reviewer: { name, accountId, expiresAtMs }, password }) =>
      [
        `Name: ${name}`,
        `Password: ${password}`,
        `The password is not shown again. Both sign in at /account/sign-in/reviewer until ${timeText(expiresAtMs)}, to ${accountId}.`
      ].join("\n")
    )
  )
).pipe(
  Command.withDescription("Open an account of the sandbox for a reviewer, and make its password"),
  Command.withExamples([
    { command: "npm run operator -- reviewer create chatgpt --days 60", description: "Let a directory try the service" }
  ])
)

const columns = [
  textColumn<Reviewer>("NAME", ({ name }) => name),
  idColumn<Reviewer>("ACCOUNT", ({ accountId }) => accountId),
  idColumn<Reviewer>("CREATED", ({ createdAtMs }) => timeText(createdAtMs)),
  idColumn<Reviewer>("EXPIRES", ({ expiresAtMs }) => timeText(expiresAtMs)),
  idColumn<Reviewer>("ENDED", ({ endedAtMs }) => timeTextOrNone(endedAtMs))
]

const list = Command.make(
  "list",
  {},
  withClient((client) =>
    printResult(client.listReviewers({}), (reviewers, width) =>
      reviewers.length === 0 ? "There are no reviewers." : table(columns, reviewers, width)
    )
  )
).pipe(Command.withDescription("List the sign-ins of reviewers, newest first"))

const end = Command.make(
  "end",
  { name: nameArgument },
  withClient((client, { name }) =>
    printResult(
      client.endReviewer({ name }),
      (reviewer) => `${reviewer.name} can no longer sign in, and ${reviewer.accountId} is closed.`
    )
  )
).pipe(Command.withDescription("End a reviewer's sign-in, and close its account with keys, connections and sessions"))

export const reviewerCommand = Command.make("reviewer").pipe(
  Command.withDescription("Sign-ins by password for reviewers of directories, in the sandbox alone"),
  Command.withSubcommands([create, list, end])
)
