// Help for people, by question, in one page: each answer has an address to which pages lead.
import { html } from "#adapters/html/Html.ts"
import { page, titled, WebSettings } from "../Page.ts"
import { HELP } from "./HelpTopics.ts"
import { answerOf, QUESTIONS } from "./Questions.ts"

export const helpPages = [
  page("anyone", HELP, {}, function* () {
    const settings = yield* WebSettings
    const contents = QUESTIONS.map(
      ([heading, questions]) => html`<li class="stack"><strong>${heading}</strong>
<ul>${questions.map(({ topic, asks }) => html`<li><a href="#${topic}">${asks}</a></li>`)}</ul></li>
`
    )
    const answers = QUESTIONS.map(
      ([heading, questions]) => html`<h2>${heading}</h2>
${questions.map((question) => answerOf(question, settings))}`
    )
    return titled(
      "Help",
      html`<nav class="card pad" aria-label="Questions"><ul class="cards">${contents}</ul></nav>
${answers}
<p class="note">For agents and their developers: the <a href="/docs">API reference</a>.</p>`
    )
  })
]
