// The operator's texts and the challenges of directories: what is taken, and how a mistake is named.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigProvider, Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import { configErrorMessage } from "#adapters/config/ConfigErrorMessage.ts"
import { directorySettings } from "#adapters/config/DirectorySettings.ts"

const read = (env: Readonly<Record<string, string>>) => directorySettings.parse(ConfigProvider.fromUnknown(env))
const taken = (env: Readonly<Record<string, string>>) => Effect.runSync(read(env))
const refused = (env: Readonly<Record<string, string>>) => configErrorMessage(Effect.runSync(Effect.flip(read(env))))

const folder = mkdtempSync(join(tmpdir(), "directories-"))
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe("settings for directories", () => {
  it("are none by default", () =>
    expect(taken({})).toStrictEqual({ privacy: Option.none(), terms: Option.none(), challenges: [] }))

  it("read the operator's texts", () =>
    expect(taken({ PRIVACY_FILE: file("p.md", "# Privé"), TERMS_FILE: file("t.txt", "T") })).toMatchObject({
      privacy: Option.some("# Privé"),
      terms: Option.some("T")
    }))

  it.each([
    [join(folder, "absent"), "cannot be read"],
    [folder, "cannot be read"],
    [file("empty.md", " \n"), "an empty file"],
    [file("latin.md", new Uint8Array([0x50, 0xe9])), "not text in UTF-8"],
    [file("long.md", "x".repeat(262_145)), "more than 256 KiB"]
  ])("name a file that is no text: %s", (path, message) => {
    for (const name of ["PRIVACY_FILE", "TERMS_FILE"]) {
      const shown = refused({ [name]: path })
      expect(shown).toMatch(new RegExp(`^${name} names .*${message}`))
      expect(shown, "a message never repeats a value").not.toContain(path)
    }
  })

  it("take challenges by name", () =>
    expect(taken({ DIRECTORY_CHALLENGES: "openai-apps-challenge=a=b/c, x.txt=1" }).challenges).toStrictEqual([
      { name: "openai-apps-challenge", text: "a=b/c" },
      { name: "x.txt", text: "1" }
    ]))

  it.each([
    "openai-apps-challenge",
    "=x",
    "a/b=x",
    "../x=y",
    "..=y",
    "A=y",
    "a?=y",
    "a;b=y",
    "a:b=y",
    "a*=y",
    "a=x y",
    "a=é",
    "a=1,a=2",
    "a=1,",
    "oauth-protected-resource=x",
    "openid-configuration=x",
    "mcp=x",
    `a=${"x".repeat(513)}`
  ])("refuse the challenge %s", (text) =>
    expect(refused({ DIRECTORY_CHALLENGES: text })).toMatch(/^DIRECTORY_CHALLENGES must be texts by the names/)
  )
})
