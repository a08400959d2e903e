// The operator's text as HTML: what of Markdown is rendered, and that nothing else is markup.
import { describe, expect, it } from "vitest"
import { renderMarkdown } from "#adapters/html/Markdown.ts"

const bodyOf = (text: string): string => renderMarkdown(text).body.text

describe("Markdown", () => {
  it("plain text becomes paragraphs", () =>
    expect(bodyOf("We store orders.\nNothing else.\n\n\nAsk us.\n")).toBe(
      "<p>We store orders. Nothing else.</p>\n<p>Ask us.</p>"
    ))

  it("a heading at the beginning is the title", () => {
    const { title, body } = renderMarkdown("# Privacy of Acme\n\nText")
    expect([title, body.text]).toStrictEqual(["Privacy of Acme", "<p>Text</p>"])
    expect(renderMarkdown("Text\n\n# Later").title).toBeUndefined()
  })

  it("no level of headings is skipped", () =>
    expect(bodyOf("Text\n### A\n# B\n### C\n###### D")).toBe(
      "<p>Text</p>\n<h2>A</h2>\n<h2>B</h2>\n<h3>C</h3>\n<h3>D</h3>"
    ))

  it("lists are lists, and an indented line continues an item", () =>
    expect(bodyOf("- one\n  more\n* two\n\n1. first\n2) second")).toBe(
      "<ul><li>one more</li><li>two</li></ul>\n<ol><li>first</li><li>second</li></ol>"
    ))

  it("links lead to the web, to an address or to a page of the service", () => {
    expect(bodyOf("See [us](https://acme.example/a?b=1&c=2), [mail](mailto:a@b.example) and [terms](/terms).")).toBe(
      '<p>See <a href="https://acme.example/a?b=1&amp;c=2">us</a>, <a href="mailto:a@b.example">mail</a> and <a href="/terms">terms</a>.</p>'
    )
    expect(bodyOf("Send `<t>.<raw *body*>` **once**.")).toBe(
      "<p>Send <code>&lt;t&gt;.&lt;raw *body*&gt;</code> <strong>once</strong>.</p>"
    )
    expect(bodyOf("It is **yours**.")).toBe("<p>It is <strong>yours</strong>.</p>")
  })

  it("nothing else is markup", () => {
    expect(bodyOf('<script>x</script> [a](javascript:alert(1)) [b](//evil.example) [c](data:text/html,x) "')).toBe(
      "<p>&lt;script&gt;x&lt;/script&gt; [a](javascript:alert(1)) [b](//evil.example) [c](data:text/html,x) &quot;</p>"
    )
    expect(bodyOf('[<b>](https://x.example/"onclick=x)')).toBe(
      '<p><a href="https://x.example/&quot;onclick=x">&lt;b&gt;</a></p>'
    )
    expect(renderMarkdown("# <b>").title).toBe("<b>")
  })

  it("an empty text is an empty page", () => expect(bodyOf("\n \n")).toBe(""))
})
