// Rows of second factors, challenges and one-time codes.
import { Schema } from "effect"
import { Integer, integerOrNull, Text, table } from "./Table.ts"

export const passkeys = table({
  passkeyId: Text,
  memberId: Text,
  name: Text,
  publicKey: Text,
  counter: Integer,
  transports: Schema.Array(Schema.String),
  createdAtMs: Integer,
  lastUsedAtMs: integerOrNull
})

export const totps = table({
  memberId: Text,
  sealedSecret: Text,
  createdAtMs: Integer,
  lastStep: Integer,
  lastUsedAtMs: integerOrNull
})

export const challenges = table({
  challenge: Text,
  holder: Text,
  purpose: Text,
  createdAtMs: Integer,
  expiresAtMs: Integer
})

export const resetCodes = table({
  memberId: Text,
  hash: Text,
  createdAtMs: Integer,
  expiresAtMs: Integer
})
