// Why a command did not do what it was asked, when it was not the service that said no.
import { Schema } from "effect"

export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  /** For people; may have several lines. */
  sentence: Schema.String
}) {}
