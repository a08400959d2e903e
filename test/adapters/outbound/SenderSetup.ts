// The real sender alone, with a test resolver and a test clock.
import { Effect, Layer } from "effect"
import { HostResolver, ResolverUnavailable } from "#adapters/outbound/HostResolver.ts"
import * as WebhookSender from "#adapters/outbound/WebhookSender.ts"
import { WebhookSender as Sender } from "#core/ports/webhooks/WebhookSender.ts"
import { ipv4, scriptedResolver } from "#test/adapters/outbound/Loopback.ts"

type Options = Parameters<typeof WebhookSender.layer>[0]

const toLoopback = scriptedResolver([ipv4("127.0.0.1")]).layer

/** Every name resolves to this machine by default. */
export const sender = (options: Partial<Options> = {}, resolver: Layer.Layer<HostResolver> = toLoopback) =>
  WebhookSender.layer({ insecure: true, publicUrl: "https://service.example", ...options }).pipe(
    Layer.provide(resolver)
  )

/** Names that start with `silent` fail to resolve, and names that start with `missing` do not exist. */
export const unreliableResolver: Layer.Layer<HostResolver> = Layer.succeed(HostResolver, {
  resolve: (host) => {
    if (host.startsWith("silent")) return new ResolverUnavailable()
    return Effect.succeed(host.startsWith("missing") ? [] : [ipv4("127.0.0.1")])
  }
})

const body = new TextEncoder().encode('{"id":"evt_1"}')

/** One attempt with a small body. */
export const attempt = (url: string) => Sender.use(({ send }) => send({ url, headers: { "service-event": "x" }, body }))
