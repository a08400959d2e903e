// The command line without a service: help at every level, and a sentence for each invalid invocation.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import type { Command } from "effect/cli"
import { describe, expect } from "vitest"
import { operator } from "#adapters/cli/Operator.ts"
import { tcpServer } from "#test/adapters/outbound/Loopback.ts"
import { runCommandIn } from "./RunCommand.ts"

const env = { OPERATOR_TOKEN: "token", OPERATOR_URL: "http://127.0.0.1:9" }

/** The path of every command. */
const pathsOf = (command: Command.Command.Any): ReadonlyArray<ReadonlyArray<string>> =>
  command.subcommands.flatMap(({ commands }) =>
    commands.flatMap((child) => [[child.name], ...pathsOf(child).map((rest) => [child.name, ...rest])])
  )

const paths = pathsOf(operator)

const WRONG_LINES: ReadonlyArray<readonly [line: string, sentence: string]> = [
  ["accuont list", 'Unknown subcommand "accuont" for "operator"'],
  ["account list --jsn", "Unrecognized flag: --jsn"],
  ["account topup acc_1 --eur 5.00", "Missing required flag: --reference"],
  ["account topup acc_1 --eur -5.00 --reference x", "Must be an amount in euros such as 25.00"],
  ["account topup acc_1 --eur 0.00 --reference x", "Must be from 0.01 to 100000.00 EUR."],
  ["publish lnk_1", "Missing required argument: url"],
  ["assign", "Missing required argument: link"],
  ["assign lnk_1 lnk_2", 'Unexpected positional argument: "lnk_2"'],
  ["switch sometimes", '"manual" | "auto"'],
  ["queue --limit 0", "limit"],
  ["queue --url localhost:3000", "must be an address such as http://127.0.0.1:3000"],
  ["cancel q_1 --reason why", "q_1 is neither a link (lnk_…) nor an order (ord_…)."],
  ["key limit key_1", "Give the limits to change, or --unlimited."],
  ["promo define TEN", "either --percent or --eur"],
  ["promo define TEN --percent 10 --eur 5.00", "either --percent or --eur"],
  ["promo define TEN --percent 10.001", "Must be a percentage such as 10 or 12.50."],
  ["import sites goods.txt", "Give --format csv or --format json"],
  ["import sites /nowhere/sites.csv", "There is no file /nowhere/sites.csv."]
]

describe("the command line", () => {
  it("has exactly these commands", () => {
    const names = operator.subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))
    const wanted =
      "account key import promo queue assign advance publish verify cancel switch pay events audit reconcile"
    expect(names).toEqual(expect.arrayContaining([...wanted.split(" "), "order", "quote"]))
  })

  it.effect.each(paths.map((path) => path.join(" ")))("helps with %s", (path) =>
    Effect.gen(function* () {
      const { status, out, err } = yield* runCommandIn({ env: {} }, [...path.split(" "), "--help"])
      expect({ status, err }).toStrictEqual({ status: 0, err: "" })
      expect(out).toContain(`operator ${path}`)
      expect(out).toContain("DESCRIPTION")
    })
  )

  it.effect.each(["", "account", "import"])("shows what there is when only told %j", (line) =>
    Effect.gen(function* () {
      const { status, out } = yield* runCommandIn({ env: {} }, line === "" ? [] : [line])
      expect(status).toBe(0)
      expect(out).toContain("<subcommand>")
    })
  )

  it.effect.each(["bash", "zsh", "fish"])("completes in %s", (shell) =>
    Effect.gen(function* () {
      const { status, out } = yield* runCommandIn({ env: {} }, ["--completions", shell])
      expect(status).toBe(0)
      expect(out).toContain("reconcile")
    })
  )

  it.effect.each(WRONG_LINES)("says what is wrong with: %s", ([line, sentence]) =>
    Effect.gen(function* () {
      const { status, out, err } = yield* runCommandIn({ env }, line.split(" "))
      expect({ status, out }).toStrictEqual({ status: 1, out: "" })
      expect(err).toContain(sentence)
      expect(err).not.toMatch(/\n\s+at |Error:/)
    })
  )

  it.effect.each([{}, { OPERATOR_TOKEN: "" }])("asks for a token when there is none: %j", (without) =>
    Effect.gen(function* () {
      const { status, err } = yield* runCommandIn({ env: without }, ["queue"])
      expect({ status, err }).toStrictEqual({
        status: 1,
        err: "OPERATOR_TOKEN is not set. Set it to the token that the service was started with."
      })
    })
  )

  it.effect.each([
    [{ ...env, OPERATOR_TOKEN: "to\nken" }, "OPERATOR_TOKEN must be visible ASCII characters without spaces."],
    [{ ...env, OPERATOR_NAME: "Zo\u00eb" }, "OPERATOR_NAME must be 1 to 64 ASCII characters."],
    [{ ...env, OPERATOR_URL: "localhost:3000" }, "must be an address such as http://127.0.0.1:3000"]
  ] as const)("refuses a setting that makes no sense: %j", ([wrong, sentence]) =>
    Effect.gen(function* () {
      const { status, out, err } = yield* runCommandIn({ env: wrong }, ["queue"])
      expect({ status, out }).toStrictEqual({ status: 1, out: "" })
      expect(err).toContain(sentence)
      expect(err).not.toContain("ken")
    })
  )

  it.effect("says that the service does not answer, and where the address comes from", () =>
    Effect.gen(function* () {
      const { status, out, err } = yield* runCommandIn({ env }, ["queue"])
      expect({ status, out }).toStrictEqual({ status: 1, out: "" })
      expect(err).toContain("The service does not answer. (service_unreachable)")
      expect(err).toContain("The address is --url, or OPERATOR_URL, or http://127.0.0.1:3000.")
      expect(err).not.toMatch(/\n\s+at /)
    })
  )

  it.effect("says that the service ended the connection, where it does not merely stay silent", () =>
    Effect.gen(function* () {
      const resets = yield* tcpServer((socket) => void socket.on("data", () => socket.resetAndDestroy()))
      const closes = yield* tcpServer((socket) => void socket.on("data", () => socket.destroy()))
      for (const { port } of [resets, closes]) {
        const { status, out, err } = yield* runCommandIn(
          { env: { ...env, OPERATOR_URL: `http://127.0.0.1:${port}` } },
          ["queue"]
        )
        expect({ status, out }).toStrictEqual({ status: 1, out: "" })
        expect(err).toContain("ended the connection before it answered. (service_unreachable)")
      }
    })
  )
})
