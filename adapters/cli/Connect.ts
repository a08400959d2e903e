// Connects a command to the service: URL, token and operator name. Read when a command runs, so that help and completions work
// without them.
import { Config, Effect, Option, Redacted, Schema } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { ACTOR_NAME } from "#adapters/operator/CurrentOperator.ts"
import { makeOperatorClient, type OperatorClientOptions } from "#adapters/operator/OperatorClient.ts"
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

/** A setting that must fit into a header; an empty one counts as absent. */
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

/** Name for the audit log. */
const actor = setting("OPERATOR_NAME", ACTOR_NAME, "1 to 64 ASCII characters")

/** Where the service is, and who calls it. */
export const clientOptions = Effect.gen(function* () {
  const url = yield* Url
  const name = yield* actor
  const options: OperatorClientOptions = { url, token: yield* token }
  return Option.match(name, { onNone: () => options, onSome: (actor) => ({ ...options, actor }) })
})

/** The typed client, scoped to the command. */
export const connect = Effect.flatMap(clientOptions, makeOperatorClient)
