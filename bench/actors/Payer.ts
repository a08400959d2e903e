// The human with the card: opens the payment link as a browser does and presses one of the page's two buttons.
import { Effect } from "effect"
import { Actors, Refused, type StepResult } from "./Actors.ts"
import { formOf, headingOf, makeBrowser, type OpenPage } from "./Browser.ts"

export type Button = "pay" | "abandon"

export const makePayer = Effect.fnUntraced(function* (actorId: string) {
  const run = (yield* Actors).runAs(actorId)
  const browser = yield* makeBrowser
  const describe = (page: OpenPage): string => `the page says: ${headingOf(page)}`

  return {
    open: (url: string): Effect.Effect<StepResult<OpenPage>> =>
      run("opens the payment page", browser.open(url), describe),
    press: (button: Button, page: OpenPage): Effect.Effect<StepResult<OpenPage>> => {
      const action = formOf(page, `/${button}`)
      const send =
        action === undefined
          ? Effect.fail(new Refused({ code: "no_button", message: `The page does not offer to ${button}.` }))
          : browser.send(page, action)
      return run(`presses the ${button} button`, send, describe)
    }
  }
})

export type Payer = Effect.Success<ReturnType<typeof makePayer>>
