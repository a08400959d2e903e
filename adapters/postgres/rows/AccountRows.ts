// Rows of accounts, keys, daily usage and the audit, and their conversion to and from the domain.
import { Schema } from "effect"
import type { Account, WelcomeOffer } from "#core/domain/Account.ts"
import { type ApiKey, Scope } from "#core/domain/ApiKey.ts"
import { MemberRole } from "#core/domain/Member.ts"
import { Integer, integerOrNull, Mode, Text, table, textOrNull, versionField } from "./Table.ts"

const account = {
  name: Text,
  email: Text,
  balanceCents: Integer,
  heldCents: Integer,
  welcomeState: Schema.Literals(["available", "reserved", "spent"]),
  welcomeQuoteId: textOrNull,
  welcomeUntilMs: integerOrNull,
  createdAtMs: Integer
}

/** Written apart from the columns that orders change. */
const accountState = {
  selfOpened: Schema.NullOr(Schema.Boolean),
  paidAtMs: integerOrNull,
  agentsStoppedAtMs: integerOrNull,
  closedAtMs: integerOrNull,
  note: textOrNull
}

export const accounts = table({ accountId: Text, ...versionField, ...account, ...accountState })
type AccountRow = typeof accounts.schema.Type

/** A check of the table keeps the three columns consistent. */
const welcomeOf = ({ welcomeState, welcomeQuoteId, welcomeUntilMs }: AccountRow): WelcomeOffer => {
  const quoteId = welcomeQuoteId ?? ""
  switch (welcomeState) {
    case "available":
      return { state: "available" }
    case "reserved":
      return { state: "reserved", quoteId, untilMs: welcomeUntilMs ?? 0 }
    case "spent":
      return { state: "spent", quoteId }
  }
}

export const accountOf = (row: AccountRow): Account => {
  const { accountId, name, email, balanceCents, heldCents, createdAtMs } = row
  const { selfOpened, paidAtMs, agentsStoppedAtMs, closedAtMs, note } = row
  return {
    ...{ accountId, name, email, wallet: { balanceCents, heldCents }, welcome: welcomeOf(row), createdAtMs },
    ...(selfOpened === true ? { selfOpened } : {}),
    ...(paidAtMs === null ? {} : { paidAtMs }),
    ...(agentsStoppedAtMs === null ? {} : { agentsStoppedAtMs }),
    ...(closedAtMs === null ? {} : { closedAtMs }),
    ...(note === null ? {} : { note })
  }
}

/** With the version that is replaced. */
export const accountWrites = table({ accountId: Text, ...versionField, previous: textOrNull, ...account })

export const accountColumns = ({ wallet, welcome, ...account }: Account) => ({
  ...account,
  ...wallet,
  welcomeState: welcome.state,
  welcomeQuoteId: welcome.state === "available" ? null : welcome.quoteId,
  welcomeUntilMs: welcome.state === "reserved" ? welcome.untilMs : null
})

/** The row of `accountStates` is written under the column names of `accounts`. */
export const accountStates = table({ accountId: Text, name: Text, ...accountState })

export const members = table({
  memberId: Text,
  accountId: Text,
  email: Text,
  role: MemberRole,
  createdAtMs: Integer,
  removedAtMs: integerOrNull
})

export const topUps = table({
  topUpId: Text,
  accountId: Text,
  memberId: Text,
  cents: Integer,
  status: Schema.Literals(["open", "paid", "ended"]),
  paymentToken: Text,
  sessionId: textOrNull,
  paymentUrl: textOrNull,
  createdAtMs: Integer,
  expiresAtMs: Integer,
  paymentId: textOrNull
})

export const keys = table({
  keyId: Text,
  accountId: Text,
  mode: Mode,
  label: Text,
  scopes: Schema.Array(Scope),
  hash: Text,
  prefix: Text,
  lastFour: Text,
  maxOrderCents: integerOrNull,
  maxDayCents: integerOrNull,
  dailyOrderCap: integerOrNull,
  allowedDomains: Schema.NullOr(Schema.Array(Text)),
  createdAtMs: Integer,
  revokedAtMs: integerOrNull,
  approveAboveCents: integerOrNull,
  /** `null` counts as `false`. */
  holdLookAlikes: Schema.NullOr(Schema.Boolean),
  clientId: textOrNull,
  clientHost: textOrNull,
  consentedBy: textOrNull,
  consentedAtMs: integerOrNull
})

type KeyRow = typeof keys.schema.Type

/** A check of the table keeps the four columns together. */
const consentOf = ({ clientId, clientHost, consentedBy, consentedAtMs }: KeyRow): Pick<ApiKey, "consent"> =>
  clientId === null
    ? {}
    : { consent: { clientId, clientHost: clientHost ?? "", memberId: consentedBy ?? "", atMs: consentedAtMs ?? 0 } }

export const keyOf = (row: KeyRow): ApiKey => {
  const { keyId, accountId, mode, label, scopes, hash, prefix, lastFour, createdAtMs, revokedAtMs } = row
  const { maxOrderCents, maxDayCents, dailyOrderCap, allowedDomains, approveAboveCents } = row
  const limits = { maxOrderCents, maxDayCents, dailyOrderCap, allowedDomains, approveAboveCents }
  return {
    ...{ keyId, accountId, mode, label, scopes, hash, prefix, lastFour, createdAtMs, revokedAtMs },
    limits: { ...limits, holdLookAlikes: row.holdLookAlikes === true },
    ...consentOf(row)
  }
}

export const keyRow = ({ limits, consent, ...key }: ApiKey) => {
  const { clientId, clientHost, memberId: consentedBy, atMs: consentedAtMs } = consent ?? {}
  return keys.row({ ...key, ...limits, clientId, clientHost, consentedBy, consentedAtMs })
}

export const dailyUsage = table({ keyId: Text, day: Integer, quotes: Integer, spentCents: Integer })

export const audit = table({
  auditId: Text,
  actor: Text,
  action: Text,
  subject: Text,
  details: Schema.Record(Text, Schema.NullOr(Schema.Union([Text, Schema.Finite, Schema.Boolean]))),
  atMs: Integer,
  accountId: textOrNull
})
