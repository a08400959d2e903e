// Failure of a command that does not come from the service.
import { Schema } from "effect"

export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  /** For people; may span several lines. */
  sentence: Schema.String
}) {}
