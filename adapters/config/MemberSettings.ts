// Settings of the member area: whether it is there, who may open an account, mail, and whose forwarded addresses count.
import { isIP } from "node:net"
import { Config, Option, type Redacted, Result } from "effect"
import type { ProxyNetwork } from "#adapters/http/server/ClientNetwork.ts"
import { onOff, parsed, secret } from "./ConfigSchemas.ts"

export interface MemberSettings {
  /** `false`: there is no `/account`. */
  readonly on: boolean
  readonly signUp: "open" | "closed"
  /** `smtp:` or `smtps:`; without it, sign-in links are printed on standard output. */
  readonly smtpUrl: Option.Option<Redacted.Redacted<string>>
  readonly mailFrom: Option.Option<string>
  readonly trustedProxies: ReadonlyArray<ProxyNetwork>
}

const isSmtpUrl = (text: string): boolean => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol)

const proxyOf = (text: string): ProxyNetwork | undefined => {
  const [address = "", prefixText, ...more] = text.trim().split("/")
  const version = isIP(address)
  const longest = version === 4 ? 32 : 128
  const prefix = prefixText === undefined ? longest : Number(prefixText)
  const isValid = version !== 0 && more.length === 0 && /^\d{1,3}$/.test(prefixText ?? "0") && prefix <= longest
  return isValid ? { address, prefix, family: version === 4 ? "ipv4" : "ipv6" } : undefined
}

export const trustedProxies: Config.Config<ReadonlyArray<ProxyNetwork>> = parsed("TRUSTED_PROXIES", (text) => {
  const networks = text.split(",").map(proxyOf)
  const known = networks.flatMap((network) => network ?? [])
  return known.length === networks.length
    ? Result.succeed<ReadonlyArray<ProxyNetwork>>(known)
    : Result.fail("must be addresses or networks, separated by commas, such as 10.0.0.0/8,2001:db8::7")
}).pipe(Config.withDefault([]))

export const memberSettings: Config.Config<MemberSettings> = Config.all({
  on: onOff("MEMBERS", "on"),
  signUp: Config.Literals(["open", "closed"], "SIGNUP").pipe(Config.withDefault("open" as const)),
  smtpUrl: Config.option(
    secret("SMTP_URL", isSmtpUrl, "must be an SMTP server's URL, such as smtps://user:password@mail.example:465")
  ),
  mailFrom: Config.option(
    parsed("MAIL_FROM", (text) =>
      /^[^\r\n]*@[^\r\n@]+$/.test(text)
        ? Result.succeed(text)
        : Result.fail("must be the address that mails come from, such as Backlinks <service@shop.example>")
    )
  ),
  trustedProxies
})

/** The URL of an address to listen on, where no other is set. */
const urlOfHost = (host: string): string => `http://${isIP(host) === 6 ? `[${host}]` : host}`

/** Whether only this machine can reach the URL's host. */
export const isLoopback = (url: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)

/** Whether only this machine can reach what listens on this address. */
export const isLoopbackHost = (host: string): boolean => isLoopback(urlOfHost(host))

/** What stops the start; `publicUrl` is the setting, or what follows from `host` without it. */
export const memberErrors = (
  { on, smtpUrl, mailFrom }: MemberSettings,
  { production, publicUrl, host }: { production: boolean; publicUrl: Option.Option<string>; host: string }
): ReadonlyArray<readonly [applies: boolean, message: string]> => {
  const url = Option.getOrElse(publicUrl, () => urlOfHost(host))
  return [
    [
      on && production && Option.isNone(smtpUrl) && !isLoopback(url),
      "SMTP_URL is not set, so sign-in links would be printed instead of mailed; that is refused when NODE_ENV=production, unless PUBLIC_URL is loopback. Set SMTP_URL and MAIL_FROM, or MEMBERS=off."
    ],
    [
      on && Option.isSome(smtpUrl) && Option.isNone(mailFrom),
      "SMTP_URL needs MAIL_FROM, the address that mails come from."
    ]
  ]
}

/** The base of links for people: passkeys refuse an IP address, so loopback is spelled `localhost`. */
export const peopleUrl = (publicUrl: string): string =>
  isLoopback(publicUrl) ? publicUrl.replace(/^(https?:\/\/)(127(\.\d+){3}|\[::1\])/, "$1localhost") : publicUrl
