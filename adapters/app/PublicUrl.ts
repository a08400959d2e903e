// Where clients reach a server of ours: the configured address, or the one that it listens on.
import { Effect, Option } from "effect"
import { HttpServer } from "effect/http"
import type { ServerSettings } from "#adapters/config/Settings.ts"

export const publicUrl = ({ publicUrl }: Pick<ServerSettings, "publicUrl">) =>
  Option.match(publicUrl, {
    onSome: Effect.succeed,
    onNone: () => HttpServer.addressFormattedWith((address) => Effect.succeed(address.replace("0.0.0.0", "127.0.0.1")))
  })
