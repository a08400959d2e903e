// The rule on machine paths. The paths are assembled here, because this file must keep the rule too.

import { describe, expect, it } from "vitest"
import { machinePathRule } from "./MachinePathRule.ts"

const path = (...folders: ReadonlyArray<string>) => ["", ...folders].join("/")

describe("machinePathRule", () => {
  it.each([
    path("work", "main"),
    `cd ${path("root", ".npm")}`,
    `"${path("home", "someone", "x.ts")}"`,
    `file://${path("Users", "someone")}`
  ])("refuses %s", (text) => {
    expect(machinePathRule("README.md", `one\n${text}\n`)).toMatchObject([{ file: "README.md", line: 2 }])
  })

  it.each(["docs/work/plan.md", "https://example.com/home/page", "../work/x", "the /workshop", "/api/v1/orders"])(
    "lets pass %s",
    (text) => {
      expect(machinePathRule("README.md", text)).toEqual([])
    }
  )
})
