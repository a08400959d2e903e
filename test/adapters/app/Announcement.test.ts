// What a service prints once it listens. A database that is away in that moment delays the demo's sign-in link, and ends nothing.
import { describe, it } from "@effect/vitest"
import { Console, Effect, Fiber, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { announce } from "#adapters/app/Announcement.ts"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"

const address = NetAddress.inetAddressFromIpStringUnsafe("127.0.0.1", 3000)
const server = Layer.succeed(HttpServer.HttpServer, HttpServer.make({ address, serve: () => Effect.void }))

const LISTENING = "listening on http://127.0.0.1:3000"

/** What is announced with a store that is away for this number of attempts. */
const announced = Effect.fnUntraced(function* (
  { demo, membersOn }: { readonly demo: boolean; readonly membersOn: boolean },
  attemptsAway = 0
) {
  const lines: Array<string> = []
  let attempts = 0
  const links = Layer.mock(SignInLinks, {
    demo: (email) =>
      Effect.suspend(() =>
        attempts++ < attemptsAway
          ? Effect.fail(new StoreUnavailable({ retryAfterSeconds: 1 }))
          : Effect.succeed(`http://localhost:3000/link-of-${email}`)
      )
  })
  const console: Console.Console = { ...globalThis.console, log: (line: string) => void lines.push(line) }
  const members = {
    on: membersOn,
    signUp: "open",
    trustedProxies: [],
    smtpUrl: Option.none(),
    mailFrom: Option.none()
  } as const
  const printing = yield* announce({ demo, members }).pipe(
    Effect.provide([server, links]),
    Effect.provideService(Console.Console, console),
    Effect.forkChild({ startImmediately: true })
  )
  return { lines, printing }
})

describe("a service that listens", () => {
  it.effect("prints its address, each demo key and the sign-in link, a line each", () =>
    Effect.gen(function* () {
      const { lines, printing } = yield* announced({ demo: true, membersOn: true })
      yield* Fiber.join(printing)
      expect(lines).toEqual([
        LISTENING,
        ...demoKeys.map(({ label, text }) => `${label}: ${text}`),
        "demo sign-in: http://localhost:3000/link-of-owner@willow-and-spade.example"
      ])
    })
  )

  it.effect("prints the sign-in link late, and goes on, when its database is away for the moment", () =>
    Effect.gen(function* () {
      const { lines, printing } = yield* announced({ demo: true, membersOn: true }, 3)
      yield* TestClock.adjust("1 second")
      expect(lines).toHaveLength(1 + demoKeys.length)
      yield* TestClock.adjust("500 millis")
      yield* Fiber.join(printing)
      expect(lines.at(-1)).toContain("demo sign-in: ")
    })
  )

  it.effect("prints no sign-in link without a member area, and no key without the demo", () =>
    Effect.gen(function* () {
      const withoutMembers = yield* announced({ demo: true, membersOn: false })
      yield* Fiber.join(withoutMembers.printing)
      expect(withoutMembers.lines).toHaveLength(1 + demoKeys.length)
      const withoutDemo = yield* announced({ demo: false, membersOn: true })
      yield* Fiber.join(withoutDemo.printing)
      expect(withoutDemo.lines).toEqual([LISTENING])
    })
  )
})
