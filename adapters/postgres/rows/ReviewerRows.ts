// Rows of the sign-ins of reviewers.
import { Integer, integerOrNull, Text, table } from "./Table.ts"

export const reviewers = table({
  memberId: Text,
  accountId: Text,
  name: Text,
  passwordHash: Text,
  createdAtMs: Integer,
  expiresAtMs: Integer,
  endedAtMs: integerOrNull
})
