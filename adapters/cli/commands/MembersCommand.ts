// `account members` and `member`: who signs in to accounts, and who is invited.
import { Invitation, Member } from "#adapters/operator/records/AccountRecords.ts"
import { command, group } from "../CallCommand.ts"
import { columns, text } from "../Columns.ts"
import { table } from "../Table.ts"

const memberColumns = columns(Member, {
  MEMBER: "memberId",
  "E-MAIL": text("email"),
  ROLE: "role",
  SINCE: "createdAtMs"
})

const invitationColumns = columns(Invitation, {
  INVITATION: "invitationId",
  "E-MAIL": text("email"),
  ROLE: "role",
  UNTIL: "expiresAtMs"
})

export const membersCommand = group("members", "Who signs in to an account", [
  command("list", "listMembers", {
    about: "List the members of an account, oldest first",
    says: (members, { accountId }, width) =>
      members.length === 0 ? `${accountId} has no members.` : table(memberColumns, members, width)
  }),
  command("add", "inviteMember", {
    about: "Invite a person to an account: who accepts on the page behind the mail, within 7 days, becomes a member",
    says: ({ email, role, invitationId }, { accountId }) =>
      `${email} is invited to ${accountId} as ${role}, and joins by accepting: ${invitationId}.`
  }),
  command("invitations", "listInvitations", {
    about: "List the open invitations of an account, oldest first",
    says: (invitations, { accountId }, width) =>
      invitations.length === 0 ? `${accountId} has no open invitations.` : table(invitationColumns, invitations, width)
  }),
  command("withdraw", "withdrawInvitation", {
    about: "Take an open invitation back",
    says: ({ email }, { accountId }) => `${email} can no longer accept the invitation to ${accountId}.`
  }),
  command("role", "changeMemberRole", {
    about: "Make a member owner or viewer",
    says: ({ email, role }, { accountId }) => `${email} is ${role} of ${accountId} now.`
  }),
  command("remove", "removeMember", {
    about: "End a member's access to an account",
    says: ({ email }, { accountId }) => `${email} can no longer sign in to ${accountId}, and is signed out everywhere.`
  })
])

export const memberCommand = group("member", "People who sign in to accounts", [
  command("factor-reset", "issueFactorCode", {
    about: "Make a one-time code for a member who lost a passkey or an authenticator app",
    example: ["member factor-reset --email ada@brand.example", "Let Ada in without her lost app"],
    says: ({ code, email, accountId }) =>
      [
        `One-time code for ${email} of ${accountId}: ${code}`,
        "It counts once, within 24 hours, and is not shown again. Make sure that you hand it to the person, and not into the mailbox:",
        "beside a sign-in link it removes the member's passkeys and app, and in the settings it removes or adds one."
      ].join("\n")
  })
])
