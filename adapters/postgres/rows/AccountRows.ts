// Tables of accounts, their members, keys and top-ups, of daily usage and of the audit.

import { ApiKey, SpendLimits } from "#core/domain/access/ApiKey.ts"
import { Account } from "#core/domain/members/Account.ts"
import { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { Member } from "#core/domain/members/Member.ts"
import { DailyUsage } from "#core/domain/ordering/DailyCap.ts"
import { TopUp } from "#core/domain/wallet/TopUp.ts"
import { Wallet } from "#core/domain/wallet/Wallet.ts"
import { sameNames, table } from "./Table.ts"

const columns = {
  wallet: sameNames(Wallet),
  welcome: { state: "welcomeState", quoteId: "welcomeQuoteId", untilMs: "welcomeUntilMs" }
}

/** SQL for the id of the account that a row names by its number. */
export const accountIdOf = (alias: string): string =>
  `(SELECT named.account_id FROM accounts named WHERE named.account_no = ${alias}.account_no)`

/** SQL for the number of the account with this id, an SQL expression. Rows that orders write refer to their account by it. */
export const accountNo = (accountId: string): string =>
  `(SELECT named.account_no FROM accounts named WHERE named.account_id = ${accountId})`

/** For tables with an account's number, whose entities have its id. Such rows are written with the id, too. */
export const byAccountNo = { accountId: accountIdOf }

export const accounts = table(Account.fields, { columns })

const { selfOpened, paidAtMs, agentsStoppedAtMs, closedAtMs, note, ...changedByOrders } = Account.fields

/** Includes the version that is replaced. */
export const accountWrites = table(changedByOrders, { columns, listed: ["accountId", "version", "previous"] })

const { accountId, name } = Account.fields

/** Written for themselves, because orders do not change them. */
export const accountStates = table({ accountId, name, selfOpened, paidAtMs, agentsStoppedAtMs, closedAtMs, note })

export const members = table(Member.fields)

export const topUps = table(TopUp.fields)

export const keys = table(ApiKey.fields, {
  columns: {
    limits: sameNames(SpendLimits),
    consent: { clientId: "clientId", clientHost: "clientHost", memberId: "consentedBy", atMs: "consentedAtMs" }
  },
  derived: { holdLookAlikes: (alias) => `coalesce(${alias}.hold_look_alikes, false)` }
})

export const dailyUsage = table(DailyUsage.fields)

export const audit = table(AuditRecord.fields)
