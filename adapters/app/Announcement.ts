// What a service prints on standard output once it listens: one line each, read by people and scripts.
import { Console, Effect, Schedule } from "effect"
import { HttpServer } from "effect/http"
import type { Settings } from "#adapters/config/Settings.ts"
import { DEMO_OWNER, demoKeys } from "#adapters/demo/Demo.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"

/** The address, the demo keys, and a sign-in link of the demo, which waits for a store that is away: it may be back in a moment. */
export const announce = ({ demo, members }: Pick<Settings, "demo" | "members">) =>
  Effect.gen(function* () {
    yield* HttpServer.addressFormattedWith((address) => Console.log(`listening on ${address}`))
    if (!demo) return
    for (const { label, text } of demoKeys) yield* Console.log(`${label}: ${text}`)
    if (!members.on) return
    const links = yield* SignInLinks
    const link = yield* Effect.retry(links.demo(DEMO_OWNER), Schedule.spaced("500 millis"))
    yield* Console.log(`demo sign-in: ${link}`)
  })
