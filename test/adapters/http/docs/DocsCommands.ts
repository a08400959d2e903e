// The commands of `/docs`, as a reader copies them, and a terminal that runs them one after another.
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

export interface DocsCommand {
  readonly text: string
  /** The status that the page states; `null` for commands that send nothing. */
  readonly answers: string | null
  /** The id of the heading that it is under. */
  readonly section: string
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'"
}

const textOf = (markup: string): string =>
  markup.replaceAll(/<[^>]*>/g, "").replaceAll(/&[\w#]+;/g, (entity) => ENTITIES[entity] ?? entity)

const PART = /<h[234] id="([\w-]+)">|<pre class="command"(?: data-answers="(\d+)")?>([\s\S]*?)<\/pre>/g

export const commandsOf = (page: string): ReadonlyArray<DocsCommand> => {
  let section = ""
  const commands: Array<DocsCommand> = []
  for (const [, opened, answers = null, markup] of page.matchAll(PART)) {
    section = opened ?? section
    if (markup !== undefined) commands.push({ text: textOf(markup), answers, section })
  }
  return commands
}

/** Every text that the page sets as code or command, in which a reader may find a command. */
export const preformattedOf = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)].map(([, markup = ""]) => textOf(markup))

/** Notes the status of each answer. `jq` is hidden, as on many machines it is missing. */
const PRELUDE = `
jq() { return 127; }
curl() {
  : > "$NOTES/headers"
  command curl -D "$NOTES/headers" "$@"
  sed -n '1s/^[^ ]* \\([0-9]*\\).*/\\1/p' "$NOTES/headers" >> "$NOTES/statuses"
}
`

/** Runs the commands in one shell, and gives the status of each answer, and what was printed. */
export const runInShell = (commands: ReadonlyArray<DocsCommand>, env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "docs-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const script = [PRELUDE, ...commands.map(({ text }) => text)].join("\n")
    const options = { cwd: folder, env: { PATH: process.env["PATH"] ?? "", NOTES: folder, ...env } }
    const printed = yield* Effect.promise(
      () =>
        new Promise<{ readonly out: string; readonly err: string }>((resolve) => {
          execFile("bash", ["-c", script], options, (_, out, err) => resolve({ out, err }))
        })
    )
    return { statuses: readFileSync(join(folder, "statuses"), "utf8").trim().split("\n"), ...printed }
  })
