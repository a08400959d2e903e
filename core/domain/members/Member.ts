// A person who may sign in to an account: an e-mail address with a role. An address belongs to one account.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, MemberId } from "../shared/Ids.ts"
import type { Account } from "./Account.ts"
import { EmailChange } from "./EmailChange.ts"

/** What a member of an account may be made: an `owner` may do everything in the member area; a `viewer` sees it and changes nothing. */
export const GivenRole = Schema.Literals(["owner", "viewer"])
export type GivenRole = typeof GivenRole.Type

/**
 * A `reviewer` tries the service for a directory: the only member of an account of the sandbox, which it sees, and where it decides what
 * waits for approval and consents to connections.
 */
export const MemberRole = Schema.Literals([...GivenRole.literals, "reviewer"])
export type MemberRole = typeof MemberRole.Type

/** The most members that one account has, not counting removed ones. */
export const MAX_MEMBERS = 10

export const Member = Schema.Struct({
  memberId: MemberId,
  accountId: AccountId,
  /** The address as it was typed; `emailKey` of it is unique. */
  email: Schema.String,
  role: MemberRole,
  createdAtMs: Millis,
  /** The record stays, because the audit log names it. */
  removedAtMs: Schema.NullOr(Millis),
  /** The zone in which pages show times to them, "Asia/Tokyo"; absent until it is chosen, which is UTC. */
  timeZone: Schema.optionalKey(Schema.String),
  /** The last change of the address that was asked for and not done, open or not. */
  emailChange: Schema.optionalKey(EmailChange)
})
export type Member = typeof Member.Type

/** The id of the first member of an account, who may have been removed. */
export const firstOwnerId = (accountId: AccountId): MemberId => MemberId.make(accountId.replace(/^acc_/, "mem_"))

/** The member that an account is opened with. Its id follows from the account's. */
export const firstOwner = ({ accountId, email, createdAtMs }: Account): Member => ({
  memberId: firstOwnerId(accountId),
  accountId,
  email,
  role: "owner",
  createdAtMs,
  removedAtMs: null
})

const MAX_ADDRESS_LENGTH = 254

/** What no part of an address has: blanks, controls, what mail programs read as syntax, and other forms of "@". */
const part = '[^\\s@\uFE6B\uFF20<>(),;:"\\\\[\\]\\p{Cc}\\p{Cf}]'

const address = new RegExp(`^${part}+@(?:(?!\\.)${part})+(?:\\.(?:(?!\\.)${part})+)+$`, "u")

/** Whether mail can be sent to it: one `@` between two parts of such characters, of which the host has a dot between its labels. */
export const isEmailAddress = (text: string): boolean => text.length <= MAX_ADDRESS_LENGTH && address.test(text)
