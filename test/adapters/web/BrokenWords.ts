// Words and amounts that a page breaks inside. What is longer than a line can be, such as an address of the web or an id, may break anywhere.
import type { Page } from "playwright-core"

/** Between blanks; what is longer may break, but for a domain, which breaks at its hyphens. */
const LONGEST = 20

/** A range within a text has a rectangle for each line that it is on. */
const BROKEN = `((longest) => {
  const broken = new Set()
  const isDomain = (token) => /^[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+$/u.test(token) && token.split("-").every(({ length }) => length <= longest)
  const measure = (node, from, text) => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, from + text.length)
    const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)))
    if (lines.size > 1) broken.add(text)
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    for (const { 0: token, index } of node.data.matchAll(/\\S+/g)) {
      if (token.length > longest && !isDomain(token)) continue
      for (const word of token.matchAll(/[\\p{L}\\p{M}\\p{N}]+(?:[.,:]\\p{N}+)*/gu)) measure(node, index + word.index, word[0])
    }
    for (const { 0: amount, index } of node.data.matchAll(/\\d[\\d,]*\\.\\d\\d EUR/g)) measure(node, index, amount)
  }
  return [...broken]
})(${LONGEST})`

export const brokenWords = async (page: Page): Promise<ReadonlyArray<string>> =>
  // The script returns texts.
  (await page.evaluate(BROKEN)) as ReadonlyArray<string>
