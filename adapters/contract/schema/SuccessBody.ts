// Fields of every success body.
import { Schema } from "effect"

export const Ok = Schema.Literal(true).annotate({ description: "`true` in every success." })

export const Sandbox = Schema.Boolean.annotate({
  description: "`true`: of a sandbox key, without any real effect."
})
