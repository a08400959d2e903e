// People who are invited on the pages, and the links of their mails.
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { Clock, Effect } from "effect"
import { emailKey } from "#core/domain/members/Account.ts"
import type { Invitation } from "#core/domain/members/Invitation.ts"
import { SIGN_IN_LINK_MS, type SignInLink } from "#core/domain/members/Session.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { Invitations } from "#core/ports/members/Invitations.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { SignInCodes } from "#core/usecases/members/SignInCodes.ts"
import { visit } from "./Visitors.ts"

export const person = (): string => `${randomUUID()}@invited.example`

/** What an owner's form answers. */
export const inviteOn = (token: string, email: string, role = "viewer") =>
  visit({ method: "POST", path: "/account/settings/invitations", token, form: { email, role } })

export const invitationOf = Effect.fnUntraced(function* (accountId: AccountId, email: string) {
  const all = yield* (yield* Invitations).ofAccount(accountId)
  const found = all.findLast((one) => emailKey(one.email) === emailKey(email))
  return found ?? (yield* Effect.die(new Error(`${email} is not invited`)))
})

const newToken = () => {
  const token = randomBytes(32).toString("base64url")
  return { token, hash: createHash("sha256").update(token).digest("hex") }
}

const WITHOUT_CODE = { browserHash: null, codeHash: null }

/** The token of a link that signs in, or lets the invited person join. */
export const signInLinkOf = Effect.fnUntraced(function* (
  email: string,
  ofCode: Pick<SignInLink, "browserHash" | "codeHash"> = WITHOUT_CODE
) {
  const { token, hash } = newToken()
  const createdAtMs = yield* Clock.currentTimeMillis
  const times = { createdAtMs, expiresAtMs: createdAtMs + SIGN_IN_LINK_MS, usedAtMs: null }
  yield* (yield* Sessions).issueLink({ hash, kind: "mail", email, ...times, wrongCodes: 0, ...ofCode }, [])
  return token
})

/** A mail that signs in: its link, its code, and what the browser that asked for it keeps. */
export const signInMailOf = Effect.fnUntraced(function* (email: string) {
  const { ask, make } = yield* SignInCodes
  const { kept, secret } = yield* ask(email)
  const { code, ...ofCode } = yield* make(secret)
  return { kept, code, token: yield* signInLinkOf(email, ofCode) }
})

/** The token of a link to the invitation, as a mail would bring it. */
export const linkOf = Effect.fnUntraced(function* ({ invitationId }: Invitation) {
  const { token, hash } = newToken()
  yield* (yield* Invitations).keepLink(invitationId, hash, yield* Clock.currentTimeMillis)
  return token
})

export const open = (link: string, token?: string) =>
  visit({ path: `/account/invitation?token=${link}`, ...(token === undefined ? {} : { token }) })

export const press = (link: string, headers: Readonly<Record<string, string>> = {}) =>
  visit({ method: "POST", path: "/account/invitation/accept", form: { token: link }, headers })

/** A person whom this account invites, with the link of their mail. */
export const invited = Effect.fnUntraced(function* (
  { account, owner }: { readonly account: { readonly accountId: AccountId }; readonly owner: string },
  email = person(),
  role = "viewer"
) {
  yield* inviteOn(owner, email, role)
  const invitation = yield* invitationOf(account.accountId, email)
  return { email, invitation, link: yield* linkOf(invitation) }
})

export const sessionIn = ({ cookies }: { readonly cookies: ReadonlyArray<string> }): string | undefined =>
  cookies.flatMap((cookie) => /^session=([\w-]{43});/.exec(cookie)?.[1] ?? [])[0]
