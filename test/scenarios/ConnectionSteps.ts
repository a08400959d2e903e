// Connections as an owner makes them, each with an access token as the authorization server keeps it.
import { createHash, randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"
import { ALL_SCOPES } from "#core/domain/access/ApiKey.ts"
import { type Connection, consentLimits } from "#core/domain/access/Connection.ts"
import type { TokenAccess } from "#core/domain/access/OAuthArtifact.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { type BuyerWish, buyer, clientOf } from "./Buyers.ts"

export const CLIENT = { clientId: "https://chat.example/client.json", name: "Chat", host: "chat.example" }

const NO_PROOF = { assertion: "", code: "" }

/** Long after the last day that a scenario sets its clock to. */
const NEVER_MS = Date.UTC(2400, 0)

/** A new session of the account's first owner. */
export const ownerOf = Effect.fnUntraced(function* (accountId: AccountId) {
  const members = yield* Members
  const [owner] = yield* members.ofAccount(accountId)
  const known = owner === undefined ? null : yield* members.byId(owner.memberId)
  if (known === null) throw new Error(`${accountId} has no owner`)
  const sessions = yield* MemberSessions
  const { token } = yield* sessions.start(known, "link", { network: "192.0.2.0/24", userAgent: "A browser", who: null })
  return yield* sessions.authenticate(Redacted.value(token))
})

/** A confirmation by an account without a second factor. */
export const confirmedBy = (who: SignedIn) =>
  Effect.flatMap(ConfirmAction, ({ confirm }) => confirm(who, { name: "a test", fields: [] }, NO_PROOF))

export interface ConsentWish extends Pick<BuyerWish, "mode" | "scopes" | "limits"> {
  readonly client?: typeof CLIENT
}

export const letIn = Effect.fnUntraced(function* (who: SignedIn, wish: ConsentWish = {}) {
  const { mode = "live", scopes = ALL_SCOPES, client = CLIENT } = wish
  const limits = { ...consentLimits, ...wish.limits }
  const { consent } = yield* OwnCredentials
  return yield* consent({ who, confirmed: yield* confirmedBy(who), client, scopes, mode, limits })
})

/** The text of a new access token of the connection. */
export const tokenOf = Effect.fnUntraced(function* (
  { keyId, scopes }: Pick<Connection, "keyId" | "scopes">,
  over: Partial<TokenAccess & { readonly expiresAtMs: number }> = {}
) {
  const text = randomBytes(32).toString("base64url")
  const { expiresAtMs = NEVER_MS, ...access } = over
  yield* (yield* Grants).upsert({
    kind: "AccessToken",
    hash: createHash("sha256").update(text).digest("hex"),
    ...{
      grantHash: null,
      clientHash: null,
      payload: "{}",
      consumedAtMs: null,
      successor: null,
      requester: null,
      unused: false
    },
    ...{ createdAtMs: 0, expiresAtMs },
    access: { connectionId: keyId, scopes, resource: "service", ...access }
  })
  return Redacted.make(text)
})

/** A caller by a connection of this account. */
export const connectTo = Effect.fnUntraced(function* (accountId: AccountId, wish: ConsentWish = {}) {
  const who = yield* ownerOf(accountId)
  const connection = yield* letIn(who, wish)
  const caller = yield* clientOf(connection, yield* tokenOf(connection))
  return { ...caller, api: caller.api, owner: who, connection }
})

/** An account with this much credit and a key, and a connection of it. */
export const connected = Effect.fnUntraced(function* ({ creditCents = 0, ...wish }: BuyerWish = {}) {
  const withKey = yield* buyer({ creditCents })
  return { withKey, ...(yield* connectTo(withKey.accountId, wish)) }
})
