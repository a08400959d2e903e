// `encryption`: whether ENCRYPTION_KEY_PREVIOUS may go.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect } from "../Connect.ts"
import { print } from "../Output.ts"

export const encryptionCommand = Command.make(
  "encryption",
  {},
  Effect.fnUntraced(function* () {
    const client = yield* connect
    const counts = yield* client.countSigningKeys({})
    yield* print(counts, ({ current, previous, unopened }) =>
      [
        `${counted(current, "signing key")} sealed under ENCRYPTION_KEY,`,
        `${previous} under ENCRYPTION_KEY_PREVIOUS or in an earlier format, ${unopened} under neither.`
      ].join(" ")
    )
    const { previous, unopened } = counts
    if (previous + unopened > 0) {
      const sentence =
        unopened > 0
          ? "Keep both keys: the one that opens the others is neither of them."
          : "Keep ENCRYPTION_KEY_PREVIOUS: every instance seals signing keys again each minute."
      return yield* new CommandFailed({ sentence })
    }
  })
).pipe(
  Command.withDescription(
    "Count the signing keys of webhooks by encryption key; exit status 1 while ENCRYPTION_KEY_PREVIOUS is needed"
  )
)
