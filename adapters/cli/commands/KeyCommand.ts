// `key` and `connection`: what agents of an account order with, and its limits.
import { Option } from "effect"
import { Flag } from "effect/cli"
import { dateOrTime } from "#adapters/operator/imports/Cells.ts"
import { ApiKeyWithUsage, ConnectionWithUsage, type Key } from "#adapters/operator/records/AccountRecords.ts"
import { command, group, tableOf } from "../CallCommand.ts"
import { columns, text, timeOrNull, timeText } from "../Columns.ts"
import { changingLimits, limitsText } from "./Limits.ts"

export const keyColumns = columns(ApiKeyWithUsage, {
  KEY: "key.keyId",
  "SHOWN AS": ({ key }) => `${key.prefix}…${key.lastFour}`,
  LABEL: text("key.label"),
  SCOPES: "key.scopes",
  LIMITS: text(({ key }) => limitsText(key)),
  "LAST USED": "lastUsedAtMs",
  REVOKED: "key.revokedAtMs",
  PAUSED: ({ key }) => timeOrNull(key.pausedAtMs),
  EXPIRES: ({ key }) => timeOrNull(key.expiresAtMs),
  "FORMER TEXT UNTIL": ({ key }) => timeOrNull(key.former?.[0]?.untilMs)
})

/** Until when the text before is good. */
const formerEnds = ({ former = [] }: Key): string => {
  const [last] = former
  return last === undefined ? "" : `The former text, …${last.lastFour}, is good until ${timeText(last.untilMs)} UTC.`
}

export const keyCommand = group("key", "API keys and their limits", [
  command("issue", "issueKey", {
    about: "Issue a key; it is shown only once",
    flags: {
      readOnly: Flag.Boolean("read-only").pipe(
        Flag.withDescription("The key may read but not order"),
        Flag.withDefault(false)
      ),
      expiresAt: Flag.String("expires-at").pipe(
        Flag.withDescription(
          "When the key ends by itself: a date, or a time such as 2027-01-31T18:00:00Z; default never"
        ),
        Flag.withMetavar("TIME"),
        Flag.withSchema(dateOrTime),
        Flag.optional
      )
    },
    payload: (_, { readOnly, expiresAt }) => ({
      scopes: readOnly ? ["read"] : ["read", "order"],
      ...Option.match(expiresAt, { onNone: () => ({}), onSome: (expiresAtMs) => ({ expiresAtMs }) })
    }),
    note: ({ key }) => `Issued key ${key.keyId}. This is the only time that it is shown:`,
    says: ({ text }) => text
  }),
  command("list", "listKeys", {
    about: "List the keys of an account, revoked ones too",
    says: tableOf(keyColumns)
  }),
  command("limit", "limitKey", {
    about: "Change limits of a key; limits not given stay as they are",
    ...changingLimits,
    says: (key) => `Key ${key.keyId} now has ${limitsText(key) || "no limits of its own"}.`
  }),
  command("rotate", "rotateKey", {
    about:
      "Replace the text of a key, which is shown only once; limits, orders and webhooks stay, and the former text for 24 hours",
    note: ({ key }) => `Rotated key ${key.keyId}. ${formerEnds(key)} This is the only time that the new text is shown:`,
    says: ({ text }) => text
  }),
  command("pause", "pauseKey", {
    about: "Let a key only read until it is resumed; its webhooks and what it ordered go on",
    fixed: { paused: true },
    says: ({ keyId }) => `Key ${keyId} is paused: it reads, and orders nothing until key resume.`
  }),
  command("resume", "pauseKey", {
    about: "Let a paused key order again",
    fixed: { paused: false },
    says: ({ keyId }) => `Key ${keyId} orders again, within its limits.`
  }),
  command("revoke", "revokeKey", {
    about: "Revoke a key and its webhooks permanently",
    says: ({ keyId, revokedAtMs }) => `Key ${keyId} is revoked since ${timeText(revokedAtMs ?? 0)}.`
  })
])

const connectionColumns = columns(ConnectionWithUsage, {
  CONNECTION: "connection.keyId",
  CLIENT: text("connection.label"),
  HOST: text("connection.consent.clientHost"),
  MODE: "connection.mode",
  SCOPES: "connection.scopes",
  LIMITS: text(({ connection }) => limitsText(connection)),
  "LET IN BY": "connection.consent.memberId",
  "LAST USED": "lastUsedAtMs",
  REVOKED: "connection.revokedAtMs",
  PAUSED: ({ connection }) => timeOrNull(connection.pausedAtMs)
})

export const connectionCommand = group("connection", "Assistants that an account's owners connected by OAuth", [
  command("list", "listConnections", {
    about: "List the connections of an account, revoked ones too",
    says: tableOf(connectionColumns)
  }),
  command("limit", "limitConnection", {
    about: "Change limits of a connection; limits not given stay as they are",
    ...changingLimits,
    says: (connection) => `Connection ${connection.keyId} now has ${limitsText(connection) || "no limits of its own"}.`
  }),
  command("pause", "pauseConnection", {
    about: "Let a connection only read until it is resumed; its webhooks and what it ordered go on",
    fixed: { paused: true },
    says: ({ keyId }) => `Connection ${keyId} is paused: it reads, and orders nothing until connection resume.`
  }),
  command("resume", "pauseConnection", {
    about: "Let a paused connection order again",
    fixed: { paused: false },
    says: ({ keyId }) => `Connection ${keyId} orders again, within its limits.`
  }),
  command("revoke", "revokeConnection", {
    about: "Revoke a connection with its tokens and webhooks permanently",
    says: ({ keyId, revokedAtMs }) => `Connection ${keyId} is revoked since ${timeText(revokedAtMs ?? 0)}.`
  })
])
