// `connection`: assistants that owners of an account connected, and their limits.
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { ConnectionWithUsage } from "#adapters/operator/records/AccountRecords.ts"
import { idColumn, textColumn, timeText, timeTextOrNone } from "../Columns.ts"
import { connect, withClient } from "../Connect.ts"
import { print, printResult } from "../Output.ts"
import { table } from "../Table.ts"
import { changedLimits, limitFlags, limitsText, unlimitedFlag } from "./LimitFlags.ts"
import { accountArgument, connectionArgument } from "./Parameters.ts"

const connectionColumns = [
  idColumn<ConnectionWithUsage>("CONNECTION", ({ connection }) => connection.keyId),
  textColumn<ConnectionWithUsage>("CLIENT", ({ connection }) => connection.label),
  textColumn<ConnectionWithUsage>("HOST", ({ connection }) => connection.consent.clientHost),
  idColumn<ConnectionWithUsage>("MODE", ({ connection }) => connection.mode),
  idColumn<ConnectionWithUsage>("SCOPES", ({ connection }) => connection.scopes.join(" ")),
  textColumn<ConnectionWithUsage>("LIMITS", ({ connection }) => limitsText(connection)),
  idColumn<ConnectionWithUsage>("LET IN BY", ({ connection }) => connection.consent.memberId),
  idColumn<ConnectionWithUsage>("LAST USED", ({ lastUsedAtMs }) => timeTextOrNone(lastUsedAtMs)),
  idColumn<ConnectionWithUsage>("REVOKED", ({ connection }) => timeTextOrNone(connection.revokedAtMs))
]

const list = Command.make(
  "list",
  { account: accountArgument },
  withClient((client, { account: accountId }) =>
    printResult(client.listConnections({ accountId }), (rows, width) => table(connectionColumns, rows, width))
  )
).pipe(Command.withDescription("List the connections of an account, revoked ones too"))

const limit = Command.make(
  "limit",
  { connection: connectionArgument, unlimited: unlimitedFlag, ...limitFlags },
  Effect.fnUntraced(function* ({ connection: connectionId, ...choice }) {
    const limits = yield* changedLimits(choice)
    const client = yield* connect
    const connection = yield* client.limitConnection({ connectionId, limits })
    yield* print(
      connection,
      (limited) => `Connection ${connectionId} now has ${limitsText(limited) || "no limits of its own"}.`
    )
  })
).pipe(Command.withDescription("Change limits of a connection; limits not given stay as they are"))

const revoke = Command.make(
  "revoke",
  { connection: connectionArgument },
  withClient((client, { connection: connectionId }) =>
    printResult(
      client.revokeConnection({ connectionId }),
      ({ revokedAtMs }) => `Connection ${connectionId} is revoked since ${timeText(revokedAtMs ?? 0)}.`
    )
  )
).pipe(Command.withDescription("Revoke a connection with its tokens and webhooks permanently"))

export const connectionCommand = Command.make("connection").pipe(
  Command.withDescription("Assistants that an account's owners connected by OAuth"),
  Command.withSubcommands([list, limit, revoke])
)
