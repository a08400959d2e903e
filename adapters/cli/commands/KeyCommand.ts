// `key`: API keys of an account and their limits.
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { ApiKeyWithUsage } from "#adapters/operator/records/AccountRecords.ts"
import { idColumn, textColumn, timeText, timeTextOrNone } from "../Columns.ts"
import { connect, withClient } from "../Connect.ts"
import { print, printNote, printResult } from "../Output.ts"
import { table } from "../Table.ts"
import { changedLimits, limitFlags, limitsOf, limitsText, unlimitedFlag } from "./LimitFlags.ts"
import { accountArgument, keyArgument } from "./Parameters.ts"

type IssuedKey = typeof ApiKeyWithUsage.Type

export const keyColumns = [
  idColumn<IssuedKey>("KEY", ({ key }) => key.keyId),
  idColumn<IssuedKey>("SHOWN AS", ({ key }) => `${key.prefix}…${key.lastFour}`),
  textColumn<IssuedKey>("LABEL", ({ key }) => key.label),
  idColumn<IssuedKey>("SCOPES", ({ key }) => key.scopes.join(" ")),
  textColumn<IssuedKey>("LIMITS", ({ key }) => limitsText(key)),
  idColumn<IssuedKey>("LAST USED", ({ lastUsedAtMs }) => timeTextOrNone(lastUsedAtMs)),
  idColumn<IssuedKey>("REVOKED", ({ key }) => timeTextOrNone(key.revokedAtMs))
]

const issue = Command.make(
  "issue",
  {
    account: accountArgument,
    label: Flag.String("label").pipe(Flag.withDescription("What the key is for")),
    mode: Flag.Literals("mode", ["live", "sandbox"]).pipe(
      Flag.withDescription("Default live; a sandbox key simulates orders"),
      Flag.withDefault("live")
    ),
    readOnly: Flag.Boolean("read-only").pipe(
      Flag.withDescription("The key may read but not order"),
      Flag.withDefault(false)
    ),
    ...limitFlags
  },
  Effect.fnUntraced(function* ({ account: accountId, label, mode, readOnly, ...limits }) {
    const client = yield* connect
    const scopes = readOnly ? (["read"] as const) : (["read", "order"] as const)
    const issued = yield* client.issueKey({ accountId, mode, label, scopes, limits: limitsOf(limits) })
    yield* printNote(`Issued key ${issued.key.keyId}. This is the only time that it is shown:`)
    yield* print(issued, ({ text }) => text)
  })
).pipe(Command.withDescription("Issue a key; it is shown only once"))

const list = Command.make(
  "list",
  { account: accountArgument },
  withClient((client, { account: accountId }) =>
    printResult(client.listKeys({ accountId }), (keys, width) => table(keyColumns, keys, width))
  )
).pipe(Command.withDescription("List the keys of an account, revoked ones too"))

const limit = Command.make(
  "limit",
  { key: keyArgument, unlimited: unlimitedFlag, ...limitFlags },
  Effect.fnUntraced(function* ({ key: keyId, ...choice }) {
    const limits = yield* changedLimits(choice)
    const client = yield* connect
    const key = yield* client.limitKey({ keyId, limits })
    yield* print(key, (limited) => `Key ${keyId} now has ${limitsText(limited) || "no limits of its own"}.`)
  })
).pipe(Command.withDescription("Change limits of a key; limits not given stay as they are"))

const revoke = Command.make(
  "revoke",
  { key: keyArgument },
  withClient((client, { key: keyId }) =>
    printResult(
      client.revokeKey({ keyId }),
      ({ revokedAtMs }) => `Key ${keyId} is revoked since ${timeText(revokedAtMs ?? 0)}.`
    )
  )
).pipe(Command.withDescription("Revoke a key and its webhooks permanently"))

export const keyCommand = Command.make("key").pipe(
  Command.withDescription("API keys and their limits"),
  Command.withSubcommands([issue, list, limit, revoke])
)
