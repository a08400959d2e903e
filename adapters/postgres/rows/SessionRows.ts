// Rows of sign-in links and sessions.
import { Schema } from "effect"
import { Integer, integerOrNull, Text, table, textOrNull } from "./Table.ts"

export const signInLinks = table({
  hash: Text,
  kind: Schema.Literals(["mail", "demo"]),
  email: Text,
  createdAtMs: Integer,
  expiresAtMs: Integer,
  usedAtMs: integerOrNull,
  wrongCodes: Integer
})

export const sessions = table({
  sessionId: Text,
  hash: Text,
  memberId: Text,
  method: Schema.Literals(["link", "passkey", "password", "demo"]),
  network: Text,
  userAgent: Text,
  createdAtMs: Integer,
  lastUsedAtMs: Integer,
  endedAtMs: integerOrNull,
  cart: textOrNull
})
