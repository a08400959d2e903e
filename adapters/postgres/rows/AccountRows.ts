// Tables of accounts, their members, invitations, keys and top-ups, of daily usage and of the audit.

import { ApiKey, SpendLimits } from "#core/domain/access/ApiKey.ts"
import { Account } from "#core/domain/members/Account.ts"
import { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { Invitation } from "#core/domain/members/Invitation.ts"
import { Member } from "#core/domain/members/Member.ts"
import { DailyUsage } from "#core/domain/ordering/DailyCap.ts"
import { TopUp } from "#core/domain/wallet/TopUp.ts"
import { TopUpReversal } from "#core/domain/wallet/TopUpReversal.ts"
import { Wallet } from "#core/domain/wallet/Wallet.ts"
import { storedTable } from "./StoredTable.ts"
import { sameNames } from "./Table.ts"

/** SQL for the id of the account that a row names by its number. */
export const accountIdOf = (alias: string): string =>
  `(SELECT named.account_id FROM accounts named WHERE named.account_no = ${alias}.account_no)`

/** SQL for the number of the account with this id, an SQL expression. Rows that orders write refer to their account by it. */
export const accountNo = (accountId: string): string =>
  `(SELECT named.account_no FROM accounts named WHERE named.account_id = ${accountId})`

/** For tables with an account's number, whose entities have its id. Such rows are written with the id, too. */
export const byAccountNo = { accountId: accountIdOf }

export const accounts = storedTable("accounts", Account.fields, {
  columns: {
    wallet: sameNames(Wallet),
    welcome: { state: "welcomeState", quoteId: "welcomeQuoteId", untilMs: "welcomeUntilMs" }
  }
})

export const members = storedTable("members", Member.fields)

export const invitations = storedTable("invitations", Invitation.fields)

export const topUps = storedTable("top_ups", TopUp.fields)

export const topUpReversals = storedTable("top_up_reversals", TopUpReversal.fields)

export const keys = storedTable("keys", ApiKey.fields, {
  columns: {
    limits: sameNames(SpendLimits),
    consent: {
      clientId: "clientId",
      clientHost: "clientHost",
      memberId: "consentedBy",
      atMs: "consentedAtMs",
      seesAccount: "seesAccount"
    }
  },
  derived: {
    seesAccount: (alias) => `coalesce(${alias}.sees_account, false)`,
    holdLookAlikes: (alias) => `coalesce(${alias}.hold_look_alikes, false)`,
    alwaysAllow: (alias) => `coalesce(${alias}.always_allow, '[]')`
  }
})

export const dailyUsage = storedTable("tallies", DailyUsage.fields, { named: ["keyId", "day"] })

export const audit = storedTable("audit", AuditRecord.fields)
