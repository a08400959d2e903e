// Help for people, by question, in one page: the questions are seen at a glance, and each answer has an address, which unfolds it.
import { Option } from "effect"
import { html } from "#adapters/html/Html.ts"
import { operatorOf } from "../LegalPages.ts"
import { page, titled, WebSettings } from "../Page.ts"
import { HELP } from "./HelpTopics.ts"
import { answerOf, QUESTIONS } from "./Questions.ts"

export const helpPages = [
  page("anyone", HELP, {}, function* () {
    const settings = yield* WebSettings
    const answers = QUESTIONS.map(
      ([heading, questions]) => html`<h2>${heading}</h2>
${questions.map((question) => answerOf(question, settings))}`
    )
    return titled(
      "Help",
      html`<p>Press a question to read its answer.</p>
${answers}
<p class="note">Not answered here? Write to ${operatorOf(Option.getOrNull(settings.contact))}. For programs and agents there is the <a href="/docs">API reference</a>.</p>`
    )
  })
]
