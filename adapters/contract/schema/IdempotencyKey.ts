// The format of idempotency keys: 1 to 255 visible ASCII characters.
import { Schema } from "effect"
import { asGuard } from "./MemberMarks.ts"

const SHAPE = /^[\x21-\x7e]{1,255}$/

export const isIdempotencyKey = (value: string): boolean => SHAPE.test(value)

export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(SHAPE, {
    message: "Must be 1 to 255 visible ASCII characters, without spaces.",
    toJsonSchema: () => ({ pattern: "^[!-~]{1,255}$", minLength: 1, maxLength: 255 })
  })
).annotate({ examples: ["order-2026-11-21-a7f3"], ...asGuard })
