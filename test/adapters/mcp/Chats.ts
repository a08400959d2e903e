// A chat of an assistant with the tools: each call goes to /mcp where the eleven suffice, else to /mcp/full, and is written down.
import { Effect } from "effect"
import { expect } from "vitest"
import { tools } from "#adapters/mcp/Tools.ts"
import { bearer } from "./Clients.ts"
import { post, resultIn, toolCall } from "./Post.ts"

// biome-ignore lint/suspicious/noExplicitAny: each request reads a few members of an answer, whose schemas other tests check
export type Body = Readonly<Record<string, any>>

/** A chat: it knows its key, and what it is told. */
export interface Chat {
  readonly ask: (tool: string, args?: Readonly<Record<string, unknown>>) => Effect.Effect<Body>
  /** The same, for a call that is refused. */
  readonly refused: (tool: string, args?: Readonly<Record<string, unknown>>) => Effect.Effect<Body>
}

export interface Step {
  readonly path: "/mcp" | "/mcp/full"
  readonly tool: string
}

const isOfEleven = (tool: string): boolean => tools.some(({ name }) => name === tool)

/** A chat whose calls are added to these steps. */
export const chatWith = (url: string, key: string, steps: Array<Step>): Chat => {
  const send = (tool: string, args: Readonly<Record<string, unknown>>) => {
    const path = isOfEleven(tool) ? "/mcp" : "/mcp/full"
    steps.push({ path, tool })
    return Effect.map(post(`${url}${path}`, toolCall("2025", tool, args), bearer(key)), resultIn)
  }
  return {
    ask: Effect.fnUntraced(function* (tool, args = {}) {
      const { isError, body } = yield* send(tool, args)
      expect(isError, `${tool}: ${JSON.stringify(body)}`).toBe(false)
      return body
    }),
    refused: Effect.fnUntraced(function* (tool, args = {}) {
      const { isError, body } = yield* send(tool, args)
      expect(isError, tool).toBe(true)
      return body
    })
  }
}

/** `search_sites, create_order ×2`, with the path where it is not that of the eleven. */
export const callsOf = (steps: ReadonlyArray<Step>): string => {
  const counts = new Map<string, number>()
  for (const { path, tool } of steps) {
    const shown = path === "/mcp" ? tool : `${tool} (${path})`
    counts.set(shown, (counts.get(shown) ?? 0) + 1)
  }
  return [...counts].map(([tool, count]) => (count === 1 ? tool : `${tool} ×${count}`)).join(", ")
}
