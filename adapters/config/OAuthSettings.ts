// Settings of the authorization server: whether clients can be connected by OAuth, and whether they may register themselves.
import { Config, Option } from "effect"
import { onOff } from "./ConfigSchemas.ts"
import { isLoopback } from "./MemberSettings.ts"

export interface OAuthSettings {
  /** `None` when not set: then it is on where tokens cannot be read on the way. */
  readonly on: Option.Option<boolean>
  readonly registration: boolean
}

export const oauthSettings: Config.Config<OAuthSettings> = Config.all({
  on: Config.option(Config.Literals(["on", "off"], "OAUTH").pipe(Config.map((value) => value === "on"))),
  registration: onOff("OAUTH_REGISTRATION", "on")
})

/** A person consents in the member area, so that there is no OAuth without it. */
export const hasOAuth = (
  { oauth, members }: { readonly oauth: OAuthSettings; readonly members: { readonly on: boolean } },
  publicUrl: string
): boolean => members.on && Option.getOrElse(oauth.on, () => publicUrl.startsWith("https:") || isLoopback(publicUrl))
