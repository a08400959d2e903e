// The operator's command line: all commands, and the exit status of one invocation.
import { type Config, Console, Effect } from "effect"
import { CliConfig, Command, GlobalFlag } from "effect/cli"
import { VERSION } from "#adapters/contract/shared/ServiceDescription.ts"
import { Url } from "./Connect.ts"
import { accountCommand } from "./commands/AccountCommand.ts"
import { backupCommand, restoreCommand } from "./commands/BackupCommands.ts"
import {
  auditCommand,
  encryptionCommand,
  reconcileCommand,
  retentionCommand,
  switchCommand
} from "./commands/BooksCommands.ts"
import { projectCommand, siteCommand } from "./commands/CatalogueCommands.ts"
import { eventsCommand } from "./commands/EventsCommand.ts"
import { importCommand } from "./commands/ImportCommand.ts"
import { invoiceCommand, sellerCommand } from "./commands/InvoiceCommand.ts"
import { connectionCommand, keyCommand } from "./commands/KeyCommand.ts"
import { linkCommands } from "./commands/LinkCommands.ts"
import { memberCommand } from "./commands/MembersCommand.ts"
import { cancelCommand, orderCommand, payCommand, quoteCommand } from "./commands/OrderCommands.ts"
import { paymentsCommand } from "./commands/PaymentsCommand.ts"
import { promoCommand } from "./commands/PromoCommand.ts"
import { reviewerCommand } from "./commands/ReviewerCommand.ts"
import { webhookCommand } from "./commands/WebhookCommand.ts"
import { failureText } from "./Failures.ts"
import { Json, presenter } from "./Output.ts"

export const operator = Command.make("operator").pipe(
  Command.withDescription(
    "Operate the service at OPERATOR_URL with OPERATOR_TOKEN: accounts, keys, catalogue, orders."
  ),
  Command.withSubcommands([
    {
      group: "Accounts",
      commands: [accountCommand, memberCommand, reviewerCommand, keyCommand, connectionCommand, webhookCommand]
    },
    { group: "Catalogue", commands: [importCommand, promoCommand, siteCommand, projectCommand] },
    { group: "Work", commands: [...linkCommands, cancelCommand, switchCommand] },
    {
      group: "Orders",
      commands: [orderCommand, quoteCommand, payCommand, paymentsCommand, invoiceCommand, sellerCommand]
    },
    {
      group: "Books",
      commands: [
        eventsCommand,
        auditCommand,
        reconcileCommand,
        encryptionCommand,
        backupCommand,
        restoreCommand,
        retentionCommand
      ]
    }
  ]),
  Command.withGlobalFlags([Json, Url])
)

const builtIns = [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]

const FAILED = 1
const SUCCEEDED = 0

/** Runs one command line and returns its exit status. */
export const runOperator = (args: ReadonlyArray<string>) =>
  Command.runWith(operator, { version: VERSION })(args).pipe(
    Effect.scoped,
    Effect.as(SUCCEEDED),
    Effect.catchTags({
      // No errors: help was requested, for example by a bare `operator key`. The presenter has printed any errors.
      ShowHelp: ({ errors }) => Effect.succeed(errors.length === 0 ? SUCCEEDED : FAILED),
      ConfigError: (error: Config.ConfigError) => Effect.as(Console.error(error.message), FAILED)
    }),
    Effect.catchTag(["CommandFailed", "OperatorError"], (failure) =>
      Effect.as(Console.error(failureText(failure)), FAILED)
    ),
    Effect.provide([presenter, CliConfig.layer({ builtIns })])
  )
