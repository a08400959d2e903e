// The stage a scenario plays on: a whole service in this process, and actors who only use what the outside world has: agents
// the typed REST client, a human the payment page. Everything anyone does is said aloud.
import { Context, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpServer } from "effect/http"
import { demoKeys } from "#adapters/Demo.ts"
import { type ApiClient, makeClient } from "#adapters/http/api/Client.ts"

export type Actor = "agent" | "human" | "shop"

export interface StageShape {
  /** Its account has 100.00 EUR of prepaid credit. */
  readonly withCredit: ApiClient
  readonly withoutCredit: ApiClient
  readonly sandbox: ApiClient
  /** A human opens the link and presses one of its two buttons. */
  readonly press: (paymentUrl: string, button: "pay" | "abandon") => Effect.Effect<void>
  readonly say: (actor: Actor, words: string) => Effect.Effect<void>
}

export class Stage extends Context.Service<Stage, StageShape>()("backlinks/bench/Stage") {}

const keyOf = (label: string): Redacted.Redacted<string> =>
  Redacted.make(demoKeys.find((key) => key.label === label)?.text ?? "")

/** `print` gets one finished line at a time. */
export const layer = (print: (line: string) => Effect.Effect<void>) =>
  Layer.effect(
    Stage,
    Effect.gen(function* () {
      const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
      const http = yield* HttpClient.HttpClient
      const client = (label: string) => makeClient({ baseUrl, apiKey: keyOf(label) })
      return {
        withCredit: yield* client("demo live key"),
        withoutCredit: yield* client("demo no-credit key"),
        sandbox: yield* client("demo test key"),
        press: (paymentUrl, button) =>
          http.execute(HttpClientRequest.post(`${paymentUrl}/${button}`)).pipe(Effect.asVoid, Effect.orDie),
        say: (actor, words) => print(`${actor.padEnd(6)} ${words}`)
      }
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
