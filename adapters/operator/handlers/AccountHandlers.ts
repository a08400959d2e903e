// Handlers of the calls about accounts, top-ups, keys and connections.
import { Effect, Redacted } from "effect"
import { billingDetails, normalVatId } from "#adapters/contract/invoicing/BillingDetails.ts"
import { KeyNotFound } from "#core/domain/access/AccessRefusal.ts"
import { type ApiKey, noLimits } from "#core/domain/access/ApiKey.ts"
import { asConnection, isConnection } from "#core/domain/access/Connection.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import { Credentials, type IssuedKey } from "#core/usecases/access/Credentials.ts"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { CloseAccount } from "#core/usecases/members/CloseAccount.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { ResetCodes } from "#core/usecases/members/ResetCodes.ts"
import { FindById } from "#core/usecases/operations/FindById.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { CheckBalance } from "#core/usecases/wallet/CheckBalance.ts"
import { asOperator } from "../CurrentOperator.ts"
import { AccountRpcs } from "../calls/AccountCalls.ts"
import { withOperatorError } from "../OperatorError.ts"

/** The text of a key leaves the service in the answer to the call that made it. */
const shownOnce = <E, R>(issued: Effect.Effect<IssuedKey, E, R>) =>
  Effect.map(issued, ({ key, text }) => ({ key, text: Redacted.value(text) }))

/** Runs the change only for the id of a connection. */
const connectionBy = <E>(connectionId: KeyId, change: Effect.Effect<ApiKey, E>) =>
  Effect.gen(function* () {
    const changed = isConnection(connectionId) ? asConnection(yield* change) : undefined
    return changed ?? (yield* new KeyNotFound({ keyId: connectionId }))
  })

export const layer = AccountRpcs.toLayer(
  Effect.gen(function* () {
    const accounts = yield* ManageAccounts
    const keys = yield* Credentials
    const { sweepRevoked } = yield* SweepQuotes
    const closing = yield* CloseAccount
    const members = yield* ManageMembers
    const billing = yield* EditBilling
    const balances = yield* CheckBalance
    const lookUp = yield* FindById
    const resetCodes = yield* ResetCodes
    const agents = yield* StopAgents

    const revokeSwept = (keyId: KeyId, by: Actor) =>
      Effect.tap(keys.revoke(keyId, by), ({ accountId }) => sweepRevoked(accountId))

    return AccountRpcs.of({
      openAccount: ({ email, name = email.trim() }) => asOperator((by) => accounts.open({ name, email }, by)),
      changeEmail: (account) => asOperator((by) => accounts.changeEmail(account, by)),
      editAccount: (change) => asOperator((by) => accounts.edit(change, by)),
      closeAccount: (account) => asOperator((by) => closing.close(account, by)),
      showBilling: ({ accountId }) =>
        withOperatorError(Effect.andThen(lookUp.wallet(accountId), billing.of(accountId))),
      saveBilling: ({ accountId, details }) => asOperator((by) => billing.save(accountId, billingDetails(details), by)),
      confirmVatId: ({ accountId, vatId, confirmed }) =>
        asOperator((by) =>
          Effect.andThen(
            lookUp.wallet(accountId),
            billing.confirm({ accountId, vatId: normalVatId(vatId), confirmed }, by)
          )
        ),
      listAccounts: ({ limit, beforeId = null, text }) =>
        withOperatorError(accounts.list({ limit, beforeId, ...(text === undefined ? {} : { text }) })),
      listMembers: ({ accountId }) =>
        withOperatorError(Effect.andThen(lookUp.wallet(accountId), members.list(accountId))),
      inviteMember: (invited) => asOperator((operator) => members.invite(invited, { operator })),
      listInvitations: ({ accountId }) =>
        withOperatorError(Effect.andThen(lookUp.wallet(accountId), members.invitations(accountId))),
      withdrawInvitation: (invitation) => asOperator((operator) => members.withdraw(invitation, { operator })),
      changeMemberRole: (member) => asOperator((operator) => members.changeRole(member, { operator })),
      stopAgents: ({ accountId, stopped }) => asOperator((by) => agents.setStopped(accountId, stopped, by)),
      removeMember: (member) => asOperator((operator) => members.remove(member, { operator })),
      issueFactorCode: ({ email: address }) =>
        Effect.map(
          asOperator((operator) => resetCodes.issueFor(address, { operator })),
          ({ member: { memberId, accountId, email }, code }) => ({ memberId, accountId, email, code })
        ),
      showAccount: ({ accountId }) => withOperatorError(lookUp.account(accountId)),
      topUp: (deposit) => asOperator((by) => accounts.topUpOnce(deposit, by)),
      debit: (adjustment) => asOperator((by) => accounts.debitOnce(adjustment, by)),
      readLedger: ({ accountId, limit, beforeId = null }) =>
        withOperatorError(
          Effect.andThen(lookUp.wallet(accountId), balances.ledger({ accountId, mode: "live" }, { limit, beforeId }))
        ),
      issueKey: ({ limits, ...order }) =>
        shownOnce(asOperator((by) => keys.issue({ ...order, limits: { ...noLimits, ...limits } }, by))),
      listKeys: ({ accountId }) => withOperatorError(Effect.map(lookUp.account(accountId), ({ keys }) => keys)),
      limitKey: ({ keyId, limits }) => asOperator((by) => keys.limit(keyId, limits, by)),
      rotateKey: ({ keyId, now = false }) => shownOnce(asOperator((by) => keys.rotate({ keyId, now }, by))),
      pauseKey: ({ keyId, paused }) => asOperator((by) => keys.pause(keyId, paused, by)),
      revokeKey: ({ keyId }) => asOperator((by) => revokeSwept(keyId, by)),
      listConnections: ({ accountId }) =>
        withOperatorError(Effect.andThen(lookUp.wallet(accountId), keys.connections(accountId))),
      limitConnection: ({ connectionId, limits }) =>
        asOperator((by) => connectionBy(connectionId, keys.limit(connectionId, limits, by))),
      pauseConnection: ({ connectionId, paused }) =>
        asOperator((by) => connectionBy(connectionId, keys.pause(connectionId, paused, by))),
      revokeConnection: ({ connectionId }) =>
        asOperator((by) => connectionBy(connectionId, revokeSwept(connectionId, by)))
    })
  })
)
