// Fields of every success body.
import { Schema } from "effect"

export const Ok = Schema.Literal(true).annotate({ description: "`true` in every successful answer." })

export const Sandbox = Schema.Boolean.annotate({
  description: "`true` when a sandbox key (`sn_test_…`) asked: nothing in the answer has any real effect."
})
