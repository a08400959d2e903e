// Connects a client to an account, at most twenty active connections. The same client has one, which keeps its orders and its place when it
// is connected once more.
import { HashMap, Result } from "effect"
import { ConnectionLimitReached, KeyNotFound } from "#core/domain/access/AccessRefusal.ts"
import type { Resource } from "#core/domain/access/AccessToken.ts"
import type { Scope, SpendLimits } from "#core/domain/access/ApiKey.ts"
import { asConnection, type Connection, MAX_CONNECTIONS, withoutText } from "#core/domain/access/Connection.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { AccountClosed, AccountNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, KeyId, MemberId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { openAccountOf } from "../members/AccountState.ts"
import { requireOwnerOrReviewer } from "../members/Members.ts"
import { limitDetails, recordRevocation } from "./Keys.ts"

export interface Client {
  readonly clientId: string
  readonly name: string
  readonly host: string
}

export interface ConsentTo {
  readonly accountId: AccountId
  readonly memberId: MemberId
  readonly client: Client
  readonly scopes: ReadonlyArray<Scope>
  readonly mode: Mode
  readonly limits: SpendLimits
  /** The catalogue shows only what the client placed itself, so that consent to it leaves the view of the account as it is. */
  readonly resource?: Resource
}

const activeConnections = (keys: Books["keys"], accountId: AccountId): ReadonlyArray<Connection> =>
  Array.from(HashMap.values(keys)).flatMap((key) => {
    const connection = key.accountId === accountId && key.revokedAtMs === null ? asConnection(key) : undefined
    return connection === undefined ? [] : [connection]
  })

const endAccountWebhooks = (draft: Draft, keyId: KeyId): void => {
  const atMs = draft.context.nowMs
  for (const { webhookId, keyId: owner, scope, revokedAtMs } of HashMap.values(draft.books.subscriptions)) {
    if (owner === keyId && scope === "account" && revokedAtMs === null)
      draft.record({ _tag: "SubscriptionRevoked", webhookId, atMs })
  }
}

/**
 * The mode of a credential never changes, because its orders, quotes and webhooks have it: a client that is allowed the other one
 * loses its connection and gets another.
 */
export const consentTo =
  (input: ConsentTo): Decide<Connection, AccountClosed | AccountNotFound | ConnectionLimitReached | OwnerOnly> =>
  (books, context) =>
    Result.gen(function* () {
      const { accountId, memberId, client, scopes, mode, limits, resource = "service" } = input
      yield* requireOwnerOrReviewer(books, { accountId, mode, by: { memberId } })
      yield* openAccountOf(books, accountId)
      const active = activeConnections(books.keys, accountId)
      const present = active.find(({ consent }) => consent.clientId === client.clientId)
      if (present === undefined && active.length >= MAX_CONNECTIONS)
        return yield* Result.fail(new ConnectionLimitReached({ limit: MAX_CONNECTIONS }))
      const draft = new Draft(books, context)
      const atMs = context.nowMs
      const seesAccount = resource === "service" || (present?.consent.seesAccount ?? false)
      const consent = { clientId: client.clientId, clientHost: client.host, memberId, atMs, seesAccount }
      const given = { label: client.name, scopes, limits, consent }
      const audited = ({ keyId }: Connection) => {
        const details = {
          client: client.name,
          host: client.host,
          mode,
          scopes: scopes.join(" "),
          ...limitDetails(limits)
        }
        audit(draft, memberId, { action: "connection.consent", subject: keyId, accountId, details })
      }
      if (present?.mode === mode) {
        draft.record({ _tag: "ConsentRenewed", keyId: present.keyId, ...given })
        audited(present)
        return draft.decided({ ...present, ...given })
      }
      if (present !== undefined) recordRevocation(draft, present, memberId)
      const keyId = draft.nextId("con_")
      const connection: Connection = {
        ...{ keyId, accountId, mode, ...withoutText(keyId), ...given },
        ...{ createdAtMs: atMs, revokedAtMs: null }
      }
      draft.record({ _tag: "KeyIssued", key: connection })
      audited(connection)
      return draft.decided(connection)
    })

/** Whether the connection may list what all credentials of the account placed. Without it, its webhooks for all of them end. */
export const setAccountView =
  (keyId: KeyId, sees: boolean, actor: Actor): Decide<Connection, KeyNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const key = find(books.keys, keyId)
      const connection = key && asConnection(key)
      if (connection === undefined || connection.revokedAtMs !== null)
        return yield* Result.fail(new KeyNotFound({ keyId }))
      const { accountId, label, scopes, limits } = connection
      if (connection.consent.seesAccount === sees) return unchanged(connection)
      const draft = new Draft(books, context)
      const consent = { ...connection.consent, seesAccount: sees }
      draft.record({ _tag: "ConsentRenewed", keyId, label, scopes, limits, consent })
      if (!sees) endAccountWebhooks(draft, keyId)
      audit(draft, actor, { action: "connection.view", subject: keyId, accountId, details: { account: sees } })
      return draft.decided({ ...connection, consent })
    })
