// `index.html` in the folder of the pictures: each page in a row, its screens side by side.
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"

export interface Screen {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: "light" | "dark"
  /** `screen` unless said otherwise. */
  readonly media?: "print"
}

const STYLE = `body { font: 15px system-ui; margin: 24px; background: #ddd } nav a { margin-right: 12px }
section div { display: flex; gap: 12px; overflow: auto; align-items: start } figure { margin: 0; flex: none }
img { display: block; max-height: 720px; border: 1px solid #999 } h2 { font-size: 17px; margin: 32px 0 8px }`

const figure = (file: string): string =>
  `<figure><a href="${file}"><img loading="lazy" src="${file}" alt="${file}"></a><figcaption>${file.split(".").at(-2)}</figcaption></figure>`

/** Names of files are of letters, digits, dots and hyphens alone. */
export const writeIndex = async (folder: string) => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".png")).toSorted()
  const pages = Map.groupBy(files, (file) => file.split(".").slice(0, -2).join("."))
  const states = [...new Set([...pages.keys()].map((page) => page.split(".")[0] ?? ""))]
  const rows = [...pages].map(
    ([page, found]) => `<section id="${page}"><h2>${page}</h2><div>${found.map(figure).join("")}</div></section>`
  )
  const links = states.map((state) => {
    const [first = ""] = [...pages.keys()].filter((page) => page.startsWith(`${state}.`))
    return `<a href="#${first}">${state}</a>`
  })
  const html = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Gallery</title><style>${STYLE}</style></head>
<body><h1>${pages.size} pages and mails</h1><nav>${links.join("")}</nav>
${rows.join("\n")}
</body></html>
`
  await writeFile(join(folder, "index.html"), html)
}
