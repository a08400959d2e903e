// What an owner or an operator changes of an account besides money, members and keys: agents stopped, name, note, and its end.
import { HashMap, Result } from "effect"
import { isWebCredential, webCredential, webCredentialId } from "#core/domain/access/WebCredential.ts"
import { type Account, type AccountState, isUnpaid } from "#core/domain/members/Account.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { AccountClosed, AccountInUse, AccountNotFound, type OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import { canCancel } from "#core/domain/ordering/Link.ts"
import { isOpen } from "#core/domain/ordering/Quote.ts"
import type { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { actorOf, type MadeBy, requireOwner, withdrawAll } from "./Members.ts"

/** An account that is not closed. */
export const openAccountOf = (
  books: Books,
  accountId: AccountId
): Result.Result<Account, AccountClosed | AccountNotFound> => {
  const account = find(books.accounts, accountId)
  if (account === undefined) return Result.fail(new AccountNotFound({ accountId }))
  return account.closedAtMs === undefined ? Result.succeed(account) : Result.fail(new AccountClosed({ accountId }))
}

/** `undefined` takes a member of the state away. */
type StateChange = { readonly [Name in keyof AccountState]?: AccountState[Name] | undefined }

const recordState = (draft: Draft, account: Account, change: StateChange): Account => {
  const { name, selfOpened, paidAtMs, agentsStoppedAtMs, closedAtMs, note } = { ...account, ...change }
  const state: AccountState = {
    name: name ?? account.name,
    ...(selfOpened === undefined ? {} : { selfOpened }),
    ...(paidAtMs === undefined ? {} : { paidAtMs }),
    ...(agentsStoppedAtMs === undefined ? {} : { agentsStoppedAtMs }),
    ...(closedAtMs === undefined ? {} : { closedAtMs }),
    ...(note === undefined ? {} : { note })
  }
  draft.record({ _tag: "AccountStateChanged", accountId: account.accountId, state })
  return find(draft.books.accounts, account.accountId) ?? account
}

/** To be called with every payment that money was taken for. Of a self-opened account, the first one ends its bounds. */
export const recordFirstPayment = (draft: Draft, accountId: AccountId): void => {
  const account = find(draft.books.accounts, accountId)
  if (account === undefined || !isUnpaid(account)) return
  recordState(draft, account, { paidAtMs: draft.context.nowMs })
}

/** Stops the agents of an account that is neither closed nor stopped already. */
export const stopAllAgents = (draft: Draft, accountId: AccountId, actor: Actor): void => {
  const account = find(draft.books.accounts, accountId)
  if (account === undefined || account.closedAtMs !== undefined || account.agentsStoppedAtMs !== undefined) return
  recordState(draft, account, { agentsStoppedAtMs: draft.context.nowMs })
  audit(draft, actor, { action: "agents.stop", subject: accountId, accountId, details: {} })
}

/** `stopped`: no key or connection of the account orders from this commit on; the Shop does. Idempotent. */
export const stopAgents =
  (input: {
    readonly accountId: AccountId
    readonly stopped: boolean
    readonly by: MadeBy
  }): Decide<Account, AccountClosed | AccountNotFound | OwnerOnly> =>
  (books, context) =>
    Result.gen(function* () {
      const { accountId, stopped, by } = input
      yield* requireOwner(books, accountId, by)
      const account = yield* openAccountOf(books, accountId)
      if ((account.agentsStoppedAtMs !== undefined) === stopped) return unchanged(account)
      const draft = new Draft(books, context)
      const changed = recordState(draft, account, { agentsStoppedAtMs: stopped ? context.nowMs : undefined })
      audit(draft, actorOf(by), {
        action: stopped ? "agents.stop" : "agents.resume",
        subject: accountId,
        accountId,
        details: {}
      })
      return draft.decided(changed)
    })

/** The account's credential for orders of the Shop, made with its first use. */
export const openWebCredential =
  (accountId: AccountId, by: MadeBy): Decide<KeyId, AccountClosed | AccountNotFound | OwnerOnly> =>
  (books, context) =>
    Result.gen(function* () {
      yield* requireOwner(books, accountId, by)
      yield* openAccountOf(books, accountId)
      const keyId = webCredentialId(accountId)
      if (find(books.keys, keyId) !== undefined) return unchanged(keyId)
      const draft = new Draft(books, context)
      draft.record({ _tag: "KeyIssued", key: webCredential(accountId, context.nowMs) })
      return draft.decided(keyId)
    })

/** `name` and `note` replace what is there; an empty note takes it away. */
export const editAccount =
  (input: {
    readonly accountId: AccountId
    readonly name?: string
    readonly note?: string
    readonly actor: Actor
  }): Decide<Account, AccountNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const { accountId, name, note, actor } = input
      const account = find(books.accounts, accountId)
      if (account === undefined) return yield* Result.fail(new AccountNotFound({ accountId }))
      const draft = new Draft(books, context)
      const changed = recordState(draft, account, {
        ...(name === undefined ? {} : { name }),
        ...(note === undefined ? {} : { note: note === "" ? undefined : note })
      })
      const details = { ...(name === undefined ? {} : { name }), ...(note === undefined ? {} : { note }) }
      audit(draft, actor, { action: "account.edit", subject: accountId, accountId, details })
      return draft.decided(changed)
    })

/** The account's name changes; its invoices of before keep what they were made out to. The same name changes nothing. */
export const renameAccount =
  (input: {
    readonly accountId: AccountId
    readonly name: string
    readonly by: MadeBy
  }): Decide<Account, AccountClosed | AccountNotFound | OwnerOnly> =>
  (books, context) =>
    Result.gen(function* () {
      const { accountId, name, by } = input
      yield* requireOwner(books, accountId, by)
      const account = yield* openAccountOf(books, accountId)
      if (account.name === name) return unchanged(account)
      const draft = new Draft(books, context)
      const renamed = recordState(draft, account, { name })
      const details = { from: account.name, to: name }
      audit(draft, actorOf(by), { action: "account.rename", subject: accountId, accountId, details })
      return draft.decided(renamed)
    })

/** Revokes all keys with their subscriptions, and withdraws open invitations; no member can sign in any more. Its open quotes are abandoned apart. Idempotent. */
export const closeAccount =
  (accountId: AccountId, reason: string, actor: Actor): Decide<Account, AccountNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const account = find(books.accounts, accountId)
      if (account === undefined) return yield* Result.fail(new AccountNotFound({ accountId }))
      if (account.closedAtMs !== undefined) return unchanged(account)
      const draft = new Draft(books, context)
      const atMs = context.nowMs
      const closed = recordState(draft, account, { closedAtMs: atMs })
      for (const { keyId, revokedAtMs } of HashMap.values(books.keys)) {
        if (revokedAtMs === null && !isWebCredential(keyId))
          draft.record({ _tag: "KeyRevoked", keyId, atMs, by: actor })
      }
      for (const { webhookId, revokedAtMs } of HashMap.values(books.subscriptions)) {
        if (revokedAtMs === null) draft.record({ _tag: "SubscriptionRevoked", webhookId, atMs })
      }
      withdrawAll(draft, accountId, actor)
      audit(draft, actor, { action: "account.close", subject: accountId, accountId, details: { reason } })
      return draft.decided(closed)
    })

/** Reads `ForClosing`. What runs in the sandbox hinders nothing: no money and no work is in it. */
const isInUse = ({ quotes, links }: Books, accountId: AccountId): boolean =>
  HashMap.some(quotes, (quote) => quote.accountId === accountId && quote.mode === "live" && isOpen(quote)) ||
  HashMap.some(links, (link) => link.accountId === accountId && link.mode === "live" && canCancel(link.status))

/** An owner closes the account, where nothing is open in it. Idempotent. */
export const closeOwnAccount =
  (accountId: AccountId, by: MadeBy): Decide<Account, AccountInUse | AccountNotFound | OwnerOnly> =>
  (books, context) =>
    Result.gen(function* () {
      yield* requireOwner(books, accountId, by)
      const isClosed = find(books.accounts, accountId)?.closedAtMs !== undefined
      if (!isClosed && isInUse(books, accountId)) return yield* Result.fail(new AccountInUse({ accountId }))
      return yield* closeAccount(accountId, "by an owner", actorOf(by))(books, context)
    })
