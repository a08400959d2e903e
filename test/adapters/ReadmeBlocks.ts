// The code blocks of the project's manuals, for tests that run them as they are written.
import { readFileSync } from "node:fs"

/** The blocks of a language in a section of a page, in order. The text before the first section is named by the page's title. */
export const blocksOf = (page: string, title: string, language: string): ReadonlyArray<string> => {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8")
  const [, rest = ""] = text.split(new RegExp(`^##? ${title}$`, "m"))
  const section = rest.split("\n## ")[0] ?? ""
  return [...section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, block = ""]) => block)
}
