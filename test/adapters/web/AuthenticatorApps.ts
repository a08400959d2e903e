// A member's authenticator app, as a person uses one: it learns its secret from the page, and shows the code of the present time.
import { Effect } from "effect"
import { TOTP } from "otpauth"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { visit } from "./Visitors.ts"

const PERIOD_SECONDS = 30

const TOTP_PATH = "/account/settings/factors/totp"

export interface App {
  readonly secret: string
}

export const codeOf = ({ secret }: App) =>
  Effect.map(MovableClock, ({ nowMs }) => new TOTP({ secret }).generate({ timestamp: nowMs() }))

/** A code of six digits that no step around this time has. */
export const wrongCodeOf = ({ secret }: App) =>
  Effect.map(MovableClock, ({ nowMs }) => {
    const near = [-2, -1, 0, 1, 2].map((steps) =>
      new TOTP({ secret }).generate({ timestamp: nowMs() + steps * PERIOD_SECONDS * 1_000 })
    )
    return ["111111", "222222", "333333", "444444", "555555", "666666"].find((code) => !near.includes(code)) ?? ""
  })

/** What is sent as a proof without the app: nothing, guesses, and what is made up. */
export const madeUpProofs = (app: App) =>
  Effect.map(
    wrongCodeOf(app),
    (guess): ReadonlyArray<Readonly<Record<string, string>>> => [
      {},
      { code: guess },
      { code: "0000-0000-0000-0000-0000" },
      { assertion: "{}" },
      { assertion: JSON.stringify({ id: "x", response: { clientDataJSON: "e30" } }), code: guess }
    ]
  )

/** Until the app shows a code of another step. */
export const nextCode = (app: App) =>
  Effect.gen(function* () {
    yield* (yield* MovableClock).advance(`${PERIOD_SECONDS} seconds`)
    return yield* codeOf(app)
  })

const valueIn = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ""

/** The secret that the page shows, and the hidden field that the form brings back. */
export const newApp = Effect.fnUntraced(function* (token: string) {
  const { text } = yield* visit({ path: TOTP_PATH, token })
  const secret = valueIn(text, /<dt>Secret<\/dt><dd><code>([A-Z2-7 ]+)<\/code>/).replaceAll(" ", "")
  return { app: { secret }, sealed: valueIn(text, /name="sealed" value="([^"]+)"/), page: text }
})

/** Adds an app to the member of this session. Its first code is spent. */
export const addApp = Effect.fnUntraced(function* (token: string) {
  const { app, sealed } = yield* newApp(token)
  const form = { sealed, new_code: yield* codeOf(app) }
  const { status } = yield* visit({ method: "POST", path: TOTP_PATH, token, form })
  if (status !== 303) throw new Error(`The app was not added: ${status}`)
  return app
})
