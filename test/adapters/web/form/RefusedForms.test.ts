// Every form of every page, sent with each field wrong: the page is shown again with a summary that has the focus, links to the fields, and a
// title that begins with the error; what is wrong stands beside each field, and what was typed is kept.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { webRoutes } from "#adapters/web/WebPages.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp } from "../AuthenticatorApps.ts"
import { LEGAL } from "../FrontExamples.ts"
import type { Example } from "../PageChecks.ts"
import { pageExamples } from "../PageExamples.ts"
import { openAccount, visit } from "../Visitors.ts"

/** Too long for every text, and neither a number, an amount, an address, a date nor a choice. */
const WRONG = `<wrong ${"x".repeat(2_500)}`

const IN_PLACE = "You signed in by mail alone"

interface Sent {
  readonly text: string
  readonly method: string
  readonly action: string
  readonly values: Readonly<Record<string, string>>
  readonly typed: ReadonlyArray<string>
}

const attributeOf = (tag: string, name: string): string =>
  new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? ""

const isText = (tag: string): boolean => !/ type="(?:hidden|file|radio|checkbox)"/.test(tag)

/** Passwords, and codes that count once. */
const isSecret = (tag: string): boolean => / type="password"| autocomplete="one-time-code"/.test(tag)

const isUnseen = (tag: string): boolean => ["hidden", "file"].includes(attributeOf(tag, "type"))

const controlsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => attributeOf(tag, "name") !== "")

/** The forms of a page, with each field that a person fills in wrong. */
const formsOf = (page: string): ReadonlyArray<Sent> =>
  [...page.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, head = "", body = ""]) => {
    const named = controlsIn(body)
    return {
      text: body,
      method: attributeOf(head, "method"),
      action: attributeOf(head, "action").replace(/#.*/, ""),
      values: Object.fromEntries(
        named.map((tag) => [attributeOf(tag, "name"), isUnseen(tag) ? attributeOf(tag, "value") : WRONG])
      ),
      typed: [...new Set(named.filter((tag) => !isUnseen(tag)).map((tag) => attributeOf(tag, "name")))]
    }
  })

const summaryOf = (page: string): string =>
  /<div class="problem" role="alert" tabindex="-1" autofocus>.*?<\/div>/s.exec(page)?.[0] ?? ""

const titleOf = (page: string): string => /<title>(.*?)<\/title>/.exec(page)?.[1] ?? ""

const idsOf = (page: string): ReadonlyArray<string> => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)

/** What is amiss about the page of a form that was refused. */
const faultsIn = (page: string, form: Sent): ReadonlyArray<string> => {
  const summary = summaryOf(page)
  const ids = idsOf(page)
  const links = [...summary.matchAll(/href="#([^"]+)"/g)].map(([, id = ""]) => id)
  const again = formsOf(page).find(({ action }) => action === form.action)?.text ?? ""
  const marked = controlsIn(again).filter((tag) => tag.includes('aria-invalid="true"'))
  const isExplained = (tag: string) =>
    attributeOf(tag, "aria-describedby")
      .split(" ")
      .some((id) => id.endsWith("-error") && ids.includes(id))
  return [
    ...(titleOf(page).startsWith("Error: ") ? [] : [`the title is ${titleOf(page)}`]),
    ...(summary === "" ? ["no summary"] : []),
    ...(page.split(" autofocus").length === 2 ? [] : ["the focus is not the summary's alone"]),
    ...links.filter((id) => ids.filter((one) => one === id).length !== 1).map((id) => `#${id} leads nowhere`),
    ...marked.filter((tag) => !isExplained(tag)),
    ...marked
      .map((tag) => attributeOf(tag, "name"))
      .filter((name) => !links.includes(name))
      .map((name) => `no link to ${name}`),
    ...controlsIn(again)
      .filter((tag) => tag.startsWith("<input") && isText(tag) && form.typed.includes(attributeOf(tag, "name")))
      .filter((tag) => isSecret(tag) !== (attributeOf(tag, "value") === ""))
      .map((tag) => `not as it was typed: ${tag.slice(0, 100)}`),
    ...(again.match(/<textarea/g)?.length === again.match(/<textarea[^>]*>\n&lt;wrong/g)?.length
      ? []
      : ["a text is lost"])
  ]
}

const routeOf = (path: string) =>
  webRoutes.find((one) => one.method === "POST" && new RegExp(`^${one.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path))

const headersOf = (token: string | null, { cookie }: Example) => ({
  cookie: [...(token === null ? [] : [`session=${token}`]), ...(cookie ? [`${cookie.name}=${cookie.value}`] : [])].join(
    "; "
  )
})

/** Every form that is found is sent once for each visitor. */
const sendAll = Effect.fnUntraced(function* (token: string | null, pages: ReadonlyArray<Example>) {
  const found = new Map<string, { readonly form: Sent; readonly example: Example }>()
  for (const example of pages.filter(({ form }) => form === undefined)) {
    const { text } = yield* visit({ path: example.path, headers: headersOf(token, example) })
    for (const form of formsOf(text)) if (form.typed.length > 0) found.set(form.action, { form, example })
  }
  const sent: Array<{ readonly path: string; readonly status: number; readonly text: string; readonly form: Sent }> = []
  for (const { form, example } of found.values()) {
    const headers = headersOf(token, example)
    const { action: path, values } = form
    const answer = yield* form.method === "get"
      ? visit({ path: `${path}?${new URLSearchParams(values)}`, headers })
      : visit({
          method: "POST",
          path,
          form: values,
          headers: { ...headers, "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" }
        })
    sent.push({ ...answer, path, form })
  }
  return sent
})

layer(RunningService.layer(LEGAL))("a form that is refused", (it) => {
  it.effect("says so first, whichever it is, leads to its fields, and keeps what was typed", () =>
    Effect.gen(function* () {
      const { visited } = yield* pageExamples
      const covered = new Set<string>()
      for (const { token, pages } of visited)
        for (const { path, status, text, form } of yield* sendAll(token, pages)) {
          if (text.includes(IN_PLACE)) continue
          assert.include([403, 409, 422, 429], status, path)
          assert.deepStrictEqual([path, faultsIn(text, form)], [path, []])
          covered.add(routeOf(path)?.path ?? path)
        }
      const missed = webRoutes.filter(({ path, typed = [] }) => typed.length > 0 && !covered.has(path))
      assert.deepStrictEqual(
        missed.map(({ path }) => path),
        []
      )
    })
  )

  it.effect("says once, and first, what is wrong with its only field, which names it as its description", () =>
    Effect.gen(function* () {
      const { owner: token } = yield* openAccount
      const path = "/account/settings/time-zone"
      const { text } = yield* visit({ method: "POST", path, token, form: { zone: "Mars. 1" } })
      assert.match(summaryOf(text), /<p id="zone-error"><strong><a href="#zone">[^<]+<\/a><\/strong> Write a zone/)
      assert.notInclude(text, "Please correct")
      assert.include(text, ' aria-describedby="zone-hint zone-error" aria-invalid="true"')
      assert.deepStrictEqual([text.split(' id="zone-error"').length, text.split("We know no time zone").length], [2, 2])
    })
  )

  it.effect("says so too where a session is confirmed in place, and keeps what was asked", () =>
    Effect.gen(function* () {
      const { owner: token } = yield* openAccount
      yield* addApp(token)
      const post = (form: Readonly<Record<string, string>>) =>
        visit({ method: "POST", path: "/account/settings/billing", token, form: { name: "Willow", ...form } })
      const asked = yield* post({})
      assert.strictEqual(titleOf(asked.text).startsWith("Confirm once in this browser"), true)
      assert.strictEqual(summaryOf(asked.text), "")
      const refused = yield* post({ code: "000000" })
      assert.strictEqual(titleOf(refused.text).startsWith("Error: Confirm once in this browser"), true)
      assert.include(summaryOf(refused.text), '<a href="#code">')
      assert.include(refused.text, '<input type="hidden" name="name" value="Willow">')
      assert.notInclude(refused.text, "000000")
    })
  )
})
