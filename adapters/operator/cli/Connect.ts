// The service that a command talks to: where it is, the right to operate it, and who does. Looked up when a command runs, so
// that help and completions need none of it.
import { Config, Effect, Option, Redacted, Schema } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { ACTOR_NAME } from "../CurrentOperator.ts"
import { makeOperatorClient } from "../OperatorClient.ts"
import { CommandFailed } from "./CommandFailed.ts"

export const DEFAULT_URL = "http://127.0.0.1:3000"

const Origin = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^/?#\s]+\/?$/, { message: "must be an address such as http://127.0.0.1:3000" })
)

export const Url = GlobalFlag.Setting("url")({
  flag: Flag.String("url").pipe(
    Flag.withDescription(`Address of the service; otherwise OPERATOR_URL, otherwise ${DEFAULT_URL}`),
    Flag.withFallbackConfig(Config.String("OPERATOR_URL").pipe(Config.withDefault(DEFAULT_URL))),
    Flag.withSchema(Origin)
  )
})

/** Text that a header can carry: a token with a line break in it was pasted wrong. */
const setting = (name: string, pattern: RegExp, what: string) =>
  Effect.flatMap(Config.option(Config.String(name)), (text) =>
    Option.isNone(text) || text.value === "" || pattern.test(text.value)
      ? Effect.succeed(Option.filter(text, (value) => value !== ""))
      : Effect.fail(new CommandFailed({ sentence: `${name} must be ${what}.` }))
  )

const token = setting("OPERATOR_TOKEN", /^[\x21-\x7e]+$/, "visible ASCII characters without spaces").pipe(
  Effect.flatMap(
    Option.match({
      onSome: (text) => Effect.succeed(Redacted.make(text)),
      onNone: () =>
        Effect.fail(
          new CommandFailed({
            sentence: "OPERATOR_TOKEN is not set. Set it to the token that the service was started with."
          })
        )
    })
  )
)

/** Who the audit log says it was. */
const actor = setting("OPERATOR_NAME", ACTOR_NAME, "1 to 64 ASCII characters")

/** The typed client, for as long as the command runs. */
export const connect = Effect.gen(function* () {
  const url = yield* Url
  const name = yield* actor
  const options = { url, token: yield* token }
  return yield* makeOperatorClient(
    Option.match(name, { onNone: () => options, onSome: (actor) => ({ ...options, actor }) })
  )
})
