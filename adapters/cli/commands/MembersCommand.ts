// `account members`: who signs in to an account.
import { Command, Flag } from "effect/cli"
import type { Member } from "#adapters/operator/records/AccountRecords.ts"
import { GivenRole } from "#core/domain/members/Member.ts"
import { idColumn, textColumn, timeText } from "../Columns.ts"
import { withClient } from "../Connect.ts"
import { printResult } from "../Output.ts"
import { table } from "../Table.ts"
import { accountArgument, memberArgument } from "./Parameters.ts"

const columns = [
  idColumn<Member>("MEMBER", ({ memberId }) => memberId),
  textColumn<Member>("E-MAIL", ({ email }) => email),
  idColumn<Member>("ROLE", ({ role }) => role),
  idColumn<Member>("SINCE", ({ createdAtMs }) => timeText(createdAtMs))
]

const list = Command.make(
  "list",
  { account: accountArgument },
  withClient((client, { account: accountId }) =>
    printResult(client.listMembers({ accountId }), (members, width) =>
      members.length === 0 ? `${accountId} has no members.` : table(columns, members, width)
    )
  )
).pipe(Command.withDescription("List the members of an account, oldest first"))

const roleFlag = Flag.Literals("role", GivenRole.literals).pipe(
  Flag.withDescription("owner may do everything; viewer sees everything and changes nothing")
)

const add = Command.make(
  "add",
  {
    account: accountArgument,
    email: Flag.String("email").pipe(Flag.withDescription("E-mail address, with which the member signs in")),
    role: roleFlag
  },
  withClient((client, { account: accountId, email, role }) =>
    printResult(
      client.addMember({ accountId, email, role }),
      (member) => `${member.email} signs in to ${accountId} as ${member.role} now: ${member.memberId}.`
    )
  )
).pipe(Command.withDescription("Let another address sign in to an account"))

const role = Command.make(
  "role",
  { account: accountArgument, member: memberArgument, role: roleFlag },
  withClient((client, { account: accountId, member: memberId, role }) =>
    printResult(
      client.changeMemberRole({ accountId, memberId, role }),
      (member) => `${member.email} is ${member.role} of ${accountId} now.`
    )
  )
).pipe(Command.withDescription("Make a member owner or viewer"))

const remove = Command.make(
  "remove",
  { account: accountArgument, member: memberArgument },
  withClient((client, { account: accountId, member: memberId }) =>
    printResult(
      client.removeMember({ accountId, memberId }),
      ({ email }) => `${email} can no longer sign in to ${accountId}, and is signed out everywhere.`
    )
  )
).pipe(Command.withDescription("End a member's access to an account"))

export const membersCommand = Command.make("members").pipe(
  Command.withDescription("Who signs in to an account"),
  Command.withSubcommands([list, add, role, remove])
)
