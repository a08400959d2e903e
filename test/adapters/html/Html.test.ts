// The template: values are escaped, and texts from right to left are isolated where people read them.
import { describe, expect, it } from "vitest"
import { html, isolated } from "#adapters/html/Html.ts"

const NAME = "שלום & בניו!"
const SAFE = "שלום &amp; בניו!"

describe("a text from right to left in a page", () => {
  it.each([
    ["in a cell", html`<td>${NAME}</td>`, `<td><bdi>${SAFE}</bdi></td>`],
    ["in a sentence", html`<p>The key ${NAME} has 12 orders.</p>`, `<p>The key <bdi>${SAFE}</bdi> has 12 orders.</p>`],
    ["after an attribute", html`<p class="${"a"}">${NAME}</p>`, `<p class="a"><bdi>${SAFE}</bdi></p>`],
    ["without an element", html`${NAME}, ${"b"}`, `<bdi>${SAFE}</bdi>, b`],
    ["in Arabic", html`<b>${"مرحبا 12"}</b>`, "<b><bdi>مرحبا 12</bdi></b>"],
    ["in a template in another", html`<p>${html`${NAME}`}</p>`, `<p><bdi>${SAFE}</bdi></p>`]
  ])("is isolated %s", (_, shown, text) => expect(shown.text).toBe(text))

  it.each([
    ["an attribute", html`<a href="/x" title="About ${NAME}">x</a>`, `<a href="/x" title="About ${SAFE}">x</a>`],
    ["a part of a tag", html` ${"title"}="${NAME}"`, ` title="${SAFE}"`],
    ["a title", html`<title>${NAME} – x</title>`, `<title>${SAFE} – x</title>`],
    ["an option", html`<option value="1">${NAME}</option>`, `<option value="1">${SAFE}</option>`],
    [
      "a text area",
      html`<textarea rows="3" dir="auto">\n${NAME}</textarea>`,
      `<textarea rows="3" dir="auto">\n${SAFE}</textarea>`
    ],
    ["an element that isolates", html`<bdi>${NAME}</bdi>`, `<bdi>${SAFE}</bdi>`],
    ["an element with its direction", html`<p class="a" dir="auto">${NAME}</p>`, `<p class="a" dir="auto">${SAFE}</p>`]
  ])("stays as it is in %s", (_, shown, text) => expect(shown.text).toBe(text))

  it("is isolated by characters in a sentence that is text, and once", () => {
    const sentence = `The key ${isolated(NAME)} is revoked.`
    expect(html`<p>${sentence}</p>`.text).toBe(`<p>The key \u2068${SAFE}\u2069 is revoked.</p>`)
    expect(isolated("Müller")).toBe("Müller")
  })

  it("leaves others alone", () => {
    expect(html`<p>${"<b>Ünïcode 漢字 12</b>"}${5}</p>`.text).toBe("<p>&lt;b&gt;Ünïcode 漢字 12&lt;/b&gt;5</p>")
  })
})

describe("a number in a page", () => {
  it("has its thousands separated where people read it", () => {
    expect(html`<p>${999} of ${1_000} sites, ${1_234_567}</p>`.text).toBe("<p>999 of 1,000 sites, 1,234,567</p>")
    expect(html`<p class="a">${-1_234}</p>`.text).toBe('<p class="a">-1,234</p>')
  })

  it("is plain in attributes and in what people type over", () => {
    expect(html`<input value="${1_234}">`.text).toBe('<input value="1234">')
    expect(html`<textarea>${1_234}</textarea>`.text).toBe("<textarea>1234</textarea>")
  })
})
