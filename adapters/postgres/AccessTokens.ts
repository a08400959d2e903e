// Access tokens, as the authorization server has kept them.
import { Effect, Layer } from "effect"
import { AccessTokens } from "#core/ports/AccessTokens.ts"
import { Grants } from "#core/ports/Grants.ts"
import type { Database } from "./database/Database.ts"
import { layer as grants } from "./Grants.ts"

export const layer: Layer.Layer<AccessTokens, never, Database> = Layer.effect(
  AccessTokens,
  Effect.map(Grants, ({ find }) => ({
    byHash: (hash: string) =>
      Effect.map(find("AccessToken", hash), (token) =>
        token === null || token.access === null ? null : { ...token.access, expiresAtMs: token.expiresAtMs }
      )
  }))
).pipe(Layer.provide(grants))
