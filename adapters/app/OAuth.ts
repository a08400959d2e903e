// The authorization server and its routes, from the settings.
import { Effect, Layer, Option } from "effect"
import { encryptionKey } from "#adapters/config/EncryptionKey.ts"
import { peopleUrl } from "#adapters/config/MemberSettings.ts"
import { hasOAuth } from "#adapters/config/OAuthSettings.ts"
import type { Settings } from "#adapters/config/Settings.ts"
import type { ClientNetwork } from "#adapters/http/server/ClientNetwork.ts"
import * as AuthorizationServer from "#adapters/oauth/AuthorizationServer.ts"
import * as OAuthRoutes from "#adapters/oauth/OAuthRoutes.ts"
import { ROUTES } from "#adapters/oauth/Paths.ts"
import { authorizationAt } from "#adapters/oauth/Resources.ts"

/** The authorization server, where tokens cannot be read on the way, or by setting; otherwise its paths do not exist. */
export const oauth = (settings: Settings, publicUrl: string, networkOf: ClientNetwork) => {
  const options = { publicUrl, networkOf, peopleUrl: peopleUrl(publicUrl), registration: settings.oauth.registration }
  return hasOAuth(settings, publicUrl)
    ? {
        routes: OAuthRoutes.oauthRoutes(options),
        layer: OAuthRoutes.layer(options),
        documented: {
          authorizationUrl: `${options.peopleUrl}${ROUTES.authorization}`,
          tokenUrl: `${publicUrl}${ROUTES.token}`
        },
        authorizationAt: (url: string) => authorizationAt(publicUrl, url)
      }
    : { routes: [], layer: Layer.empty, documented: null, authorizationAt: () => undefined }
}

/** The use cases ask it for the requests that wait, and its routes call it. Nothing is made of it before that. */
export const authorizationServer = (settings: Settings, publicUrl: string) =>
  Layer.unwrap(
    Effect.map(encryptionKey(settings), (key) =>
      AuthorizationServer.layer({
        publicUrl,
        peopleUrl: peopleUrl(publicUrl),
        registration: settings.oauth.registration,
        encryptionKey: key,
        ...Option.match(settings.encryptionKeyPrevious, {
          onNone: () => ({}),
          onSome: (previousKey) => ({ previousKey })
        })
      })
    )
  )
